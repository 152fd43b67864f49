import { codes, type Item } from '@gantry/sdk'
import type { Values } from '../../../kernel/data/records/store.ts'
import { otherColumn } from './board-state.ts'

// The property whose values are the columns (or lanes) of a board, as a text, which is how the service names columns.

const people = new Set(['assignee', 'assignees'])
const numbers = new Set(['priority', 'severity', 'statusCategory'])

/** The value of a card for its column; undefined if the record does not say. */
export function groupValue(item: Item, field: string): string | undefined {
  if (people.has(field)) return item.assignees?.[0] ?? ''
  if (field in item) return String(Reflect.get(item, field) ?? '')
  const name = field.replace(/^field\./, '')
  const own = item.Field?.find(({ fieldId, key }) => fieldId === name || key === name)
  return own ? String(own.value ?? '') : undefined
}

/** What a card gets in a column, as far as it can be painted before the service answers. */
export function valuesIn(item: Item, field: string, { id, values }: { id: string; values: readonly string[] }): Values {
  const now = groupValue(item, field)?.toLowerCase()
  const [value] = values
  if (id === otherColumn || value === undefined || values.some(each => each.toLowerCase() === now)) return {}
  if (people.has(field)) {
    const others = (item.assignees ?? []).filter(each => each !== value)
    return { assignees: value === '' ? [] : [value, ...others] }
  }
  if (numbers.has(field)) return { [field]: Number(value) }
  return field in item ? { [field]: value } : {}
}

/** A finished card: nothing about it is late. */
export const isFinished = ({ statusCategory = codes.statusCategory.backlog }: Item): boolean =>
  statusCategory >= codes.statusCategory.done

/** What a new item needs to be in the column of a value. */
export function newValues(field: string, value: string): Values {
  if (value === '') return {}
  if (people.has(field)) return { assignees: [value] }
  if (numbers.has(field)) return { [field]: Number(value) }
  if (core.has(field)) return { [field]: value }
  return {
    Field: [{ fieldId: field.replace(/^field\./, ''), value: /^(true|false)$/.test(value) ? value === 'true' : value }],
  }
}

const core = new Set(['status', 'areaId', 'cycleId', 'processId', 'crmId', 'requesterId', 'parentId', 'resolution'])
