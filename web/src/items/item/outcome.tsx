import type { Item } from '@gantry/sdk'
import { useOutcomes } from '../../kernel/data/updates.ts'
import { Button } from '../../kit/kit.tsx'
import { useUsers } from '../catalogue.ts'
import { say } from './messages.ts'
import { useValueText } from './value-text.ts'

/** Two people have set a property at once: this one decides. */
export function ConflictChip({ item, property }: { item: Item; property: string }) {
  const conflict = useOutcomes(state => state.conflicts.get(item.id)?.find(each => each.property === property))
  const users = useUsers()
  const { text } = useValueText()
  if (!conflict) return null
  const name = users.get(item.updatedBy)?.name ?? say.somebody
  return (
    <div className="conflict" role="alert">
      <bdi className="grow">{say.conflict(name, text(property, conflict.theirs))}</bdi>
      <Button look="ghost" onClick={conflict.keepMine}>
        {say.keepMine}
      </Button>
      <Button look="ghost" onClick={conflict.takeTheirs}>
        {say.takeTheirs}
      </Button>
    </div>
  )
}

/** Why the service refused a change of a property; without one, the reasons that belong to no single property. */
export function Refusal({ item, property }: { item: Item; property?: string }) {
  const refusal = useOutcomes(state => state.refused.get(item.id))
  if (!refusal) return null
  const reasons = property
    ? refusal.Fields.filter(({ Pointer }) => Pointer.startsWith(`/${property}`)).map(({ Message }) => Message)
    : refusal.Fields.length === 0
      ? [refusal.message]
      : []
  return reasons.map(reason => (
    <p key={reason} className="why" role="alert">
      <bdi>{reason}</bdi>
    </p>
  ))
}
