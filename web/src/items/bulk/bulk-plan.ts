import type { BulkChangeOutcome, Item } from '@gantry/sdk'
import type { Values } from '../../kernel/data/records/store.ts'
import type { Property } from '../../kernel/fields/field-type.ts'
import { refusalInWords } from '../../kernel/problems/in-words.ts'

// What a change of many items sends, and what the service says about it.

/** The items that get the same patch. */
export interface Batch {
  ids: string[]
  patch: Values
}

/** The value that all items have: of lists, what is in all of them; otherwise none if they differ. */
export function commonValue(property: Property, items: readonly Item[]): unknown {
  const values = items.map(item => property.read(item))
  if (property.type === 'choices')
    return values.map(listOf).reduce((common, each) => common.filter(value => each.includes(value)))
  const [first] = values
  return values.every(each => isSame(each, first)) ? first : undefined
}

/** Lists are changed by what was added and taken away, so that each item keeps its other values. */
export function batchesOf(property: Property, items: readonly Item[], value: unknown): Batch[] {
  if (property.type !== 'choices') return [{ ids: items.map(({ id }) => id), patch: property.write(value) }]
  const common = listOf(commonValue(property, items))
  const wanted = listOf(value)
  const added = wanted.filter(each => !common.includes(each))
  const removed = common.filter(each => !wanted.includes(each))
  const batches = new Map<string, Batch>()
  for (const item of items) {
    const own = listOf(property.read(item))
    const next = [...own.filter(each => !removed.includes(each)), ...added.filter(each => !own.includes(each))]
    if (isSame(own, next)) continue
    const name = JSON.stringify([...next].sort())
    const batch = batches.get(name) ?? { ids: [], patch: property.write(next) }
    batch.ids.push(item.id)
    batches.set(name, batch)
  }
  return [...batches.values()]
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const isSame = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** What a change would do, or has done. */
export interface Summary {
  changed: number
  unchanged: number
  refused: number
  /** Why, the most frequent first, with the ids. */
  reasons: readonly { why: string; ids: readonly string[] }[]
}

export function summaryOf(outcomes: readonly BulkChangeOutcome[]): Summary {
  const count = (outcome: BulkChangeOutcome['outcome']) => outcomes.filter(each => each.outcome === outcome).length
  const failed = outcomes.filter(({ outcome }) => outcome === 'failed')
  return {
    changed: count('updated'),
    unchanged: count('unchanged'),
    refused: failed.length,
    reasons: reasonsOf(
      failed.map(outcome => {
        const { detail, Fields = [] } = refusalInWords(outcome)
        return { id: outcome.id, why: String(Fields[0]?.Message ?? detail) }
      }),
    ),
  }
}

/** What the deletion of items would do, if those that are refused stay. */
export function summaryOfDeletion(ids: readonly string[], refused: readonly Refused[]): Summary {
  const changed = ids.length - refused.length
  return { changed, unchanged: 0, refused: refused.length, reasons: reasonsOf(refused) }
}

interface Refused {
  id: string
  why: string
}

const reasonsOf = (refused: readonly Refused[]): Summary['reasons'] =>
  [...Map.groupBy(refused, ({ why }) => why)]
    .map(([why, those]) => ({ why, ids: those.map(({ id }) => id) }))
    .sort((one, other) => other.ids.length - one.ids.length)
