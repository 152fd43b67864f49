import type { Criteria } from '../../items/list/list-query.ts'
import { say as sayItem } from '../../items/messages.ts'
import { usePossible } from '../../kernel/commands/commands.ts'
import { Button, Empty } from '../../kit/kit.tsx'
import { say } from './messages.ts'

/** What an empty list says: that the filter leaves nothing, or that there is nothing yet. */
export function EmptyList({ criteria, onClear }: { criteria: Criteria; onClear: () => void }) {
  const create = usePossible('create')
  if (criteria.conditions.length > 0 || criteria.text !== '')
    return (
      <Empty title={say.nothingFits}>
        <Button onClick={onClear}>{say.clearFilter}</Button>
      </Empty>
    )
  return (
    <Empty title={sayItem.emptyList}>
      {create && (
        <Button look="primary" keys="c" onClick={() => void create.run()}>
          {create.title}
        </Button>
      )}
    </Empty>
  )
}
