import type { FieldChoice, Property } from '../../kernel/fields/field-type.ts'

/** Some items under one heading: those with the same value of the grouping property, or all of them. */
export interface Section {
  /** The common value; null if the items have none, undefined without grouping. */
  value: string | null | undefined
  label: string
  icon?: FieldChoice['icon']
  count: number
  /** Items that the service does not have yet; they are first. */
  added?: readonly string[]
  /** In minutes. */
  estimate: number
  spent: number
}

/** The name under which a section is remembered. */
export const nameOf = ({ value }: Pick<Section, 'value'>): string => (value === undefined ? 'all' : `=${value ?? ''}`)

/** A row of the query that counts the items of each group. */
export interface GroupSums {
  value?: unknown
  count?: unknown
  estimate?: unknown
  spent?: unknown
}

const minutes = (value: unknown) => Number(value ?? 0)

/** The sections of a grouped list, in the order of the choices; items without a value come last. */
export function sectionsOf(rows: readonly GroupSums[], property: Property | undefined, none: string): Section[] {
  if (!property) return rows.slice(0, 1).map(row => ({ value: undefined, label: '', ...sums(row) }))
  const choices = property.choices ?? []
  const placeOf = (value: string | null | undefined) => {
    if (value === null || value === undefined) return Infinity
    const at = choices.findIndex(choice => String(choice.value) === value)
    return at < 0 ? choices.length : at
  }
  const merged = new Map<string | null, Section>()
  for (const row of rows) {
    const value = row.value === null || row.value === undefined || row.value === '' ? null : String(row.value)
    const choice = choices.find(each => String(each.value) === (value ?? ''))
    const section = { value, label: choice?.label ?? value ?? none, icon: choice?.icon, ...sums(row) }
    merged.set(value, section)
  }
  return [...merged.values()].sort(
    (one, other) => order(placeOf(one.value), placeOf(other.value)) || one.label.localeCompare(other.label),
  )
}

type Values = { id: string } & Record<string, unknown>

/** The sections of a list that is grouped by a property, or not, with new items in them, of which some are not counted yet. */
export function withAdded(
  sections: readonly Section[],
  { added, uncounted }: { added: readonly Values[]; uncounted: readonly Values[] },
  group: string | undefined,
  property: Property | undefined,
  none: string,
): Section[] {
  const result = [...sections]
  for (const item of added) {
    const [own] = sectionsOf([{ value: group && item[group] }], property, none)
    if (!own) continue
    const found = result.findIndex(({ value }) => value === own.value)
    const at = found < 0 ? result.length : found
    const section = result[at] ?? own
    const more = uncounted.some(({ id }) => id === item.id) ? 1 : 0
    result[at] = { ...section, count: section.count + more, added: [...(section.added ?? []), item.id] }
  }
  return result
}

const order = (one: number, other: number) => (one === other ? 0 : one - other)

const sums = ({ count, estimate, spent }: GroupSums) => ({
  count: Number(count ?? 0),
  estimate: minutes(estimate),
  spent: minutes(spent),
})

/** A line of the list: a heading, or the item at a place of a section. */
export type Line = { section: Section; at: number } | { section: Section; at?: undefined }

/** Where the lines of a list are. Items that are not loaded yet have their places, too. */
export interface Layout {
  count: number
  lineAt: (index: number) => Line | undefined
  /** The places of a section's items that lie between two lines. */
  partOf: (section: Section, from: number, to: number) => { from: number; to: number }
  indexOf: (section: Section, at: number) => number
  /** The lines of a section, with its heading. */
  linesOf: (section: Section) => { first: number; last: number }
}

export function layoutOf(sections: readonly Section[], collapsed: ReadonlySet<string>): Layout {
  const heads = sections.some(({ value }) => value !== undefined) ? 1 : 0
  const starts: number[] = []
  let count = 0
  for (const section of sections) {
    starts.push(count)
    count += heads + (collapsed.has(nameOf(section)) ? 0 : section.count)
  }
  const startOf = (section: Section) => starts[sections.indexOf(section)] ?? 0
  const sizeOf = (section: Section) => (collapsed.has(nameOf(section)) ? 0 : section.count)
  return {
    count,
    lineAt(index) {
      const which = starts.findLastIndex(start => start <= index)
      const section = sections[which]
      if (!section || index >= count) return undefined
      const at = index - startOf(section) - heads
      return at < 0 ? { section } : at < section.count ? { section, at } : undefined
    },
    partOf(section, from, to) {
      const first = startOf(section) + heads
      const size = sizeOf(section)
      return { from: Math.min(size, Math.max(0, from - first)), to: Math.min(size, Math.max(0, to - first)) }
    },
    indexOf: (section, at) => startOf(section) + heads + at,
    linesOf: section => ({ first: startOf(section), last: startOf(section) + heads + sizeOf(section) - 1 }),
  }
}
