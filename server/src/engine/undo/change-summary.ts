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

/** What became of records of one kind: the words of a summary, for a reader of any language. */
export interface ChangePart {
  entity: string
  verb: ChangeVerb
  records: number
  /** The properties that changed, if the records were changed. */
  properties: string[]
}

export const changeVerbs = ['created', 'changed', 'deleted', 'restored'] as const
type ChangeVerb = (typeof changeVerbs)[number]

/** The parts of a change set, that of the most records first. */
export function partsOf(changes: readonly KindChange[]): ChangePart[] {
  return [...Map.groupBy(changes, each => `${each.entity} ${verbOf(each.kind)}`).values()]
    .map(partOf)
    .sort((a, b) => b.records - a.records)
}

function partOf(same: readonly KindChange[]): ChangePart {
  const [first] = same
  const verb = verbOf(first?.kind ?? '')
  return {
    entity: first?.entity ?? '',
    verb,
    records: Math.max(...same.map(each => each.records)),
    properties: verb === 'changed' ? [...new Set(same.flatMap(each => each.properties))].sort() : [],
  }
}

/** Events with other verbs say what a change meant: a reply, a merge. Of the record it is a change. */
function verbOf(kind: string): ChangeVerb {
  return changeVerbs.find(each => each === kind.slice(kind.lastIndexOf('.') + 1)) ?? 'changed'
}

/** Describes a change set in plain English: `12 items changed: status, priority; 1 label created`. */
export function summaryOf(parts: readonly ChangePart[], { undoes = false, exact = true } = {}): string {
  const texts = parts.slice(0, maxParts).map(each => `${exact ? '' : 'at least '}${textOf(each)}`)
  if (parts.length > maxParts) texts.push('more')
  return `${undoes ? 'Undo: ' : ''}${texts.join('; ')}`
}

function textOf({ entity, verb, records, properties }: ChangePart): string {
  const named = properties.slice(0, maxProperties)
  if (properties.length > named.length) named.push('…')
  const what = named.length > 0 ? `: ${named.join(', ')}` : ''
  return `${records} ${nounOf(entity, records)} ${verb}${what}`
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
