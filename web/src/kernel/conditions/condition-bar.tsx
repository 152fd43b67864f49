import { Plus } from 'lucide-react'
import { Fragment, useMemo, useRef } from 'react'
import { useOffer } from '../commands/keys.ts'
import type { Property } from '../fields/fields.ts'
import { fieldTypes } from '../fields/fields.ts'
import { useHere } from '../fields/here.ts'
import { openEditor } from '../fields/open-editor.ts'
import { ConditionChip } from './condition-chip.tsx'
import { fromEditor, valueProperty } from './condition-values.ts'
import { type Condition, type Conditions, takesNothing } from './conditions.ts'
import { say } from './messages.ts'

interface BarProps {
  properties: ReadonlyMap<string, Property>
  conditions: Conditions
  onChange: (conditions: Conditions) => void
  /** The part of the app where F adds a condition. */
  where: string
}

/** Conditions as chips, which are edited in their places. It knows no kind of record: the properties say what can be asked. */
export function ConditionBar({ properties, conditions, onChange, where }: BarProps) {
  const here = useHere()
  const plus = useRef<HTMLButtonElement>(null)
  const add = useMemo(() => {
    /** Asks for a property, then for its value, and adds the condition to the last alternative or as a new one. */
    return (isAlternative: boolean) => {
      const anchor = plus.current
      if (!anchor) return
      const choices = [...properties.values()].map(({ path, name }) => ({ value: path, label: name }))
      const keep = (condition: Condition) => {
        const last = conditions.at(-1) ?? []
        const isNew = isAlternative || conditions.length === 0
        onChange(isNew ? [...conditions, [condition]] : [...conditions.slice(0, -1), [...last, condition]])
      }
      openEditor({
        property: {
          path: 'condition',
          name: say.addCondition,
          type: 'choice',
          choices,
          read: () => undefined,
          write: () => ({}),
        },
        value: undefined,
        record: undefined,
        anchor,
        save: path => {
          const property = properties.get(String(path))
          const operator = property && fieldTypes[property.type].operators[0]
          if (!property || !operator) return
          const done = (value: unknown) => {
            const values = fromEditor(operator, value)
            if (values) keep({ path: property.path, operator, values })
          }
          // The next list opens when this one has closed.
          setTimeout(() =>
            takesNothing(operator)
              ? keep({ path: property.path, operator, values: [] })
              : openEditor({
                  property: valueProperty(property, operator, here),
                  value: undefined,
                  record: undefined,
                  anchor,
                  save: done,
                }),
          )
        },
      })
    }
  }, [properties, conditions, onChange, here])
  useOffer(
    useMemo(
      () => [{ id: `${where}.condition`, title: say.addCondition, keys: 'f', where, run: () => add(false) }],
      [where, add],
    ),
  )
  const change = (group: number, at: number, condition: Condition | undefined) => {
    const next = conditions.map((each, index) =>
      index === group ? each.flatMap((old, place) => (place === at ? (condition ?? []) : old)) : each,
    )
    onChange(next.filter(each => each.length > 0))
  }
  return (
    <>
      {conditions.map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: alternatives have no names, only places
        <Fragment key={index}>
          {index > 0 && <span className="or">{say.or}</span>}
          {group.map((condition, at) => (
            <ConditionChip
              // biome-ignore lint/suspicious/noArrayIndexKey: the same condition may be there twice
              key={`${condition.path} ${at}`}
              condition={condition}
              property={properties.get(condition.path)}
              onChange={next => change(index, at, next)}
            />
          ))}
        </Fragment>
      ))}
      <button
        ref={plus}
        type="button"
        className="btn btn-icon btn-ghost"
        aria-label={`${say.addCondition} (F)`}
        title={`${say.addCondition} (F)`}
        onClick={() => add(false)}
      >
        <Plus className="ic" />
      </button>
      {conditions.length > 0 && (
        <button type="button" className="btn btn-ghost" aria-label={say.addAlternative} onClick={() => add(true)}>
          {say.addOr}
        </button>
      )}
    </>
  )
}
