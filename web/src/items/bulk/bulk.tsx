import { later } from '../../kernel/later.tsx'
import { useBulkChange } from './use-bulk-change.ts'

const BulkBar = later(async () => (await import('./bulk-bar.tsx')).BulkBar)

/** Changes of many items at once, and the bar that offers them. */
export function useBulk() {
  const { pending, change, remove } = useBulkChange()
  return { change, remove, bar: <BulkBar pending={pending} /> }
}
