import { X } from 'lucide-react'
import type { Property } from '../fields/fields.ts'
import { fieldTypes } from '../fields/fields.ts'
import { useHere } from '../fields/here.ts'
import { openEditor } from '../fields/open-editor.ts'
import { fromEditor, toEditor, valueProperty, valuesText } from './condition-values.ts'
import { type Condition, takesNothing } from './conditions.ts'
import { say } from './messages.ts'
import { operatorName } from './operator-names.ts'

interface ChipProps {
  condition: Condition
  /** Undefined if there is no such property, or none that this person may see. */
  property: Property | undefined
  /** With undefined the condition is gone. */
  onChange: (condition: Condition | undefined) => void
}

/** A condition: property, comparison, value, away. */
export function ConditionChip({ condition, property, onChange }: ChipProps) {
  const here = useHere()
  const { path, operator, values } = condition
  const shown: Property = property ?? { path, name: path, type: 'text', read: () => undefined, write: () => ({}) }
  const operatorText = operatorName(operator, shown, values.length)
  const text = valuesText(shown, condition, here)
  const editOperator = (anchor: Element) =>
    openEditor({
      property: {
        path: 'operator',
        name: say.changeOperator(shown.name),
        type: 'choice',
        choices: fieldTypes[shown.type].operators.map(each => ({ value: each, label: operatorName(each, shown) })),
        read: () => undefined,
        write: () => ({}),
      },
      value: operator,
      record: undefined,
      anchor,
      save: next => onChange(withOperator(condition, next as Condition['operator'])), // the choices are operators
    })
  const editValue = (anchor: Element) =>
    openEditor({
      property: valueProperty(shown, operator, here),
      value: toEditor(shown, condition),
      record: undefined,
      anchor,
      save: value => {
        const next = fromEditor(operator, value)
        onChange(next && { ...condition, values: next })
      },
    })
  const icons = values.flatMap(value => shown.choices?.find(choice => String(choice.value) === value)?.icon ?? [])
  return (
    <span className="cond" role="group" aria-label={`${shown.name} ${operatorText} ${text}`}>
      <span className="f">
        <bdi>{shown.name}</bdi>
      </span>
      <button
        type="button"
        className="o"
        aria-label={say.changeOperator(shown.name)}
        onClick={event => editOperator(event.currentTarget)}
      >
        {operatorText}
      </button>
      {!takesNothing(operator) && (
        <button
          type="button"
          className="v"
          aria-label={`${say.changeValue(shown.name)}: ${text}`}
          onClick={event => editValue(event.currentTarget)}
        >
          {icons.length > 0 && <span className="avs">{icons.slice(0, 3)}</span>}
          <bdi>{text}</bdi>
        </button>
      )}
      <button
        type="button"
        className="x"
        aria-label={say.removeCondition(`${shown.name} ${operatorText} ${text}`)}
        onClick={() => onChange(undefined)}
      >
        <X className="ic" />
      </button>
    </span>
  )
}

/** Another comparison keeps the values, where it can use them. */
function withOperator(condition: Condition, operator: Condition['operator']): Condition {
  if (takesNothing(operator)) return { ...condition, operator, values: [] }
  return { ...condition, operator }
}
