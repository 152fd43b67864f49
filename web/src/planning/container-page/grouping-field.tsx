import { call } from '@gantry/sdk'
import { useQuery } from '@tanstack/react-query'
import { useItemProperties } from '../../items/properties/properties.tsx'
import { gantry } from '../../kernel/data/client.ts'
import { say } from '../messages.ts'

interface GroupingProps {
  label: string
  value: string
  /** The name of the choice of none, if there is one. */
  none?: string
  onChange: (field: string) => void
}

/** A property with one value of a few: what columns and lanes can be made of. */
export function GroupingField({ label, value, none, onChange }: GroupingProps) {
  const choices = useGroupings()
  const properties = useItemProperties()
  const shown = aliases[value] ?? value
  const isKnown = choices.some(each => each.value === shown) || shown === ''
  return (
    <label className="field">
      <span>{label}</span>
      <select className="input" value={shown} onChange={event => onChange(event.target.value)}>
        {none !== undefined && <option value="">{none}</option>}
        {!isKnown && <option value={shown}>{properties.get(shown)?.name ?? shown}</option>}
        {choices.map(({ value: each, label: name }) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The service takes both names for whose an item is. */
const aliases: Record<string, string> = { assignees: 'assignee' }

const core = () => [
  { value: 'status', label: say.byStatus },
  { value: 'priority', label: say.byPriority },
  { value: 'assignee', label: say.byWho },
  { value: 'areaId', label: say.byArea },
  { value: 'cycleId', label: say.byCycle },
  { value: 'crmId', label: say.byCustomer },
  { value: 'parentId', label: say.byParent },
]

/** The types of fields with one value of a few. */
const singleChoices = ['select', 'user', 'boolean']

function useGroupings() {
  const fields =
    useQuery({ queryKey: ['Field'], queryFn: () => call(gantry, 'GET /field', { query: { limit: 200 } }) }).data ?? []
  const own = fields.filter(({ fieldType, isCore }) => singleChoices.includes(fieldType) && !isCore)
  return [...core(), ...own.map(({ id, name }) => ({ value: id, label: name }))]
}
