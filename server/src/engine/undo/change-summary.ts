/** What a change set did to the records of one kind by one verb. */
export interface KindChange {
  entity: string
  /** The name of the events: `item.updated`. */
  kind: string
  records: number
  /** The properties that changed, as far as the reader sees them. */
  properties: readonly string[]
}

/** The most parts and properties that a summary names; the numbers of the kinds are beside it. */
const maxParts = 3
const maxProperties = 4

/** Names that are not made from the name of the kind. */
const nouns: Readonly<Record<string, readonly [one: string, many: string]>> = {
  Time: ['time entry', 'time entries'],
  Crm: ['customer', 'customers'],
  Leave: ['leave', 'leaves'],
  AppSetting: ['setting', 'settings'],
  AccessControl: ['grant', 'grants'],
  NonBillable: ['non-billable code', 'non-billable codes'],
}

const verbs: Readonly<Record<string, string>> = { created: 'created', deleted: 'deleted', restored: 'restored' }

/** Describes a change set in plain English: `12 items changed: status, priority; 1 label created`. */
export function summaryOf(changes: readonly KindChange[], { undoes = false, exact = true } = {}): string {
  const parts = [...Map.groupBy(changes, each => `${each.entity} ${verbOf(each.kind)}`).values()]
    .map(partOf)
    .sort((a, b) => b.records - a.records)
  const texts = parts.slice(0, maxParts).map(each => `${exact ? '' : 'at least '}${each.text}`)
  if (parts.length > maxParts) texts.push('more')
  return `${undoes ? 'Undo: ' : ''}${texts.join('; ')}`
}

function partOf(same: readonly KindChange[]): { records: number; text: string } {
  const [first] = same
  const records = Math.max(...same.map(each => each.records))
  const verb = verbOf(first?.kind ?? '')
  const properties = verb === 'changed' ? [...new Set(same.flatMap(each => each.properties))].sort() : []
  const named = properties.slice(0, maxProperties)
  if (properties.length > named.length) named.push('…')
  const what = named.length > 0 ? `: ${named.join(', ')}` : ''
  return { records, text: `${records} ${nounOf(first?.entity ?? '', records)} ${verb}${what}` }
}

/** Events with other verbs say what a change meant: a reply, a merge. Of the record it is a change. */
function verbOf(kind: string): string {
  return verbs[kind.slice(kind.lastIndexOf('.') + 1)] ?? 'changed'
}

/** `ContentTemplate` is called a content template. */
function nounOf(entity: string, count: number): string {
  const words = entity.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
  const [one, many] = nouns[entity] ?? [words, pluralOf(words)]
  return count === 1 ? one : many
}

function pluralOf(words: string): string {
  if (/[^aeou]y$/.test(words)) return words.replace(/y$/, 'ies')
  return /(s|x|ch)$/.test(words) ? `${words}es` : `${words}s`
}
