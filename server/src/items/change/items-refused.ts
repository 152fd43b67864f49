import type { Id } from '../../kernel/id.ts'
import { type Fault, fault, type Refusal, RuleBroken } from '../../kernel/refusal.ts'

/** What became of one of the items in `itemIds`. */
interface AttemptedItem {
  id: Id
  refusal?: Refusal | undefined
}

/** Refuses a request on many items if one of them is refused: it names each of these, in the order of the ids, with its reason. */
export function refuseTogether(attempts: readonly AttemptedItem[], done: 'moved' | 'deleted'): void {
  const refused = attempts.flatMap(({ id, refusal }, n) => (refusal ? [{ id, n, refusal }] : []))
  if (refused.length === 0) return
  throw new RuleBroken(
    'items-refused',
    `${refused.length} of ${attempts.length} items cannot be ${done}, so none is`,
    refused.map(({ id, n, refusal }): Fault => fault(['itemIds', n], refusal.code, refusal.message, id)),
    {
      refused: refused.map(({ id, refusal: { status, code, message, faults } }) => ({
        ...{ id, status, code, detail: message },
        Fields: faults,
      })),
    },
  )
}
