import type { Changes } from '../../kernel/events.ts'
import { raw, type Sql } from '../../kernel/sql.ts'

// The event of a new item does not repeat a long description: it has `{}` in its place. The text is that of the item, or what the first change of it
// replaced. Whoever shows the texts of events, or compares them, reads them by `wholeChanges`; the names of the properties and all other
// values are in `e.changes`.

/** The changes of event `e` with all texts. */
export const wholeChanges: Sql = raw('changes_of(e)')

/** A shorter text is repeated: to read it from the item would cost more than its bytes. */
const maxRepeated = 100

/** The changes for the event of a new item. */
export function withoutLongText(changes: Changes): Changes {
  const text = changes.description?.to
  return typeof text === 'string' && text.length > maxRepeated ? { ...changes, description: {} } : changes
}
