import type { Context } from '../context.ts'
import { flat, join, raw, type Sql, sql } from '../sql.ts'
import { type Column, type JsonText, jsonOf, jsonText } from './columns.ts'
import { commonColumns } from './record.ts'

/** Properties that the caller's tenant shows in another way, in some rows only, or (undefined) not at all. */
export type PropertyOverrides = Record<string, ((alias: Sql) => Sql) | OnlyWhere | undefined>

/** The rows that have a property; the others are without it. */
export class OnlyWhere {
  readonly holds: (alias: Sql) => Sql

  constructor(holds: (alias: Sql) => Sql) {
    this.holds = holds
  }
}

/** Derived properties that the service adds to the text of rows, where SQL would need a sub-select in each row. */
export interface AtOnce {
  properties: readonly string[]
  /** How those that are wanted are added; undefined if none is. */
  wanted(only?: ReadonlySet<string>): PageParts | undefined
}

export interface PageParts {
  /** Selects what they need of each row `t`. */
  columns: Sql
  /** Selects the same from `page`; one row also has what is read for all of them at once. */
  selected: Sql
  /** The ends of the texts of the rows. */
  ends(ctx: Context, rows: readonly PartRow[]): Promise<string[]>
}

/** A row with what is selected for them. */
export type PartRow = Readonly<Record<string, unknown>>

/** Properties that replace, add to, are in some rows of or (undefined) are left out of those of a kind. */
export type JsonProperties = Record<string, Sql | OnlyWhere | undefined>

/** The beginning of a record's text, and how the service completes it. */
export type RecordParts = PageParts & { head: Sql }

interface JsonOptions {
  entity: string
  columns: readonly Column[]
  derived: readonly { property: string; value: (alias: Sql) => Sql }[]
  atOnce?: AtOnce | undefined
  ofTenant?: ((ctx: Context) => Promise<PropertyOverrides | undefined>) | undefined
}

/** Rows become JSON text in PostgreSQL, so that the service neither parses nor serializes them. */
export function recordJson({ entity, columns, derived, ofTenant, atOnce }: JsonOptions) {
  const composed = new Map<string, Sql>()

  function json(alias: Sql, only?: ReadonlySet<string>, also?: JsonProperties): Sql {
    if (only || also) return compose(alias, only, also)
    const key = alias.strings.join()
    const known = composed.get(key) ?? flat(compose(alias))
    composed.set(key, known)
    return known
  }

  /** The same with what the caller's tenant shows differently, which costs nothing for most kinds and tenants. */
  async function jsonFor(ctx: Context, alias: Sql, only?: ReadonlySet<string>, also?: JsonProperties): Promise<Sql> {
    const own = await ofTenant?.(ctx)
    if (!own) return json(alias, only, also)
    const wanted = Object.entries(own).filter(([property]) => !only || only.has(property))
    return json(alias, only, {
      ...Object.fromEntries(
        wanted.map(([property, value]) => [property, value instanceof OnlyWhere ? value : value?.(alias)]),
      ),
      ...also,
    })
  }

  function compose(alias: Sql, only?: ReadonlySet<string>, also: JsonProperties = {}, end = '}'): Sql {
    const wanted = ({ property }: { property: string }) => !only || only.has(property)
    const stored = [...commonColumns.filter(each => wanted(each) || each.property === 'id'), ...columns.filter(wanted)]
    const own = stored.map(each => ({ property: each.property, ...jsonText(each, alias) }))
    const made = derived.filter(wanted).map(({ property, value }) => ({ property, text: jsonOf(value(alias)) }))
    const known = [{ property: 'entity', text: raw(`'"${entity}"'`) }, ...own, ...made].flatMap(each => {
      if (!(each.property in also)) return [each]
      const value = also[each.property]
      return value instanceof OnlyWhere ? [{ ...each, where: value.holds(alias) }] : []
    })
    const more = Object.entries(also).flatMap(([property, value]) =>
      value && !(value instanceof OnlyWhere) ? [{ property, text: jsonOf(value) }] : [],
    )
    return jsonObject([...known, ...more], end)
  }

  const later = Object.fromEntries((atOnce?.properties ?? []).map(each => [each, undefined]))
  const complete = atOnce && flat(compose(raw('t'), undefined, later, ''))

  async function inParts(ctx: Context, only?: ReadonlySet<string>, also?: JsonProperties) {
    const parts = atOnce?.wanted(only)
    const overridden = Object.keys((parts && (await ofTenant?.(ctx))) ?? {})
    if (!parts || overridden.some(each => !only || only.has(each))) return undefined
    const head = only || also ? undefined : complete
    return { ...parts, head: head ?? compose(raw('t'), only, { ...also, ...later }, '') }
  }

  return { json, jsonFor, inParts }
}

type JsonPart = { property: string; where?: Sql } & JsonText

/** Concatenates the text of an object. A function has at most 100 arguments. The first property is in every row. */
function jsonObject(properties: readonly JsonPart[], end: string): Sql {
  let lead = '{'
  const parts: Sql[] = []
  for (const { property, text, quoted, where } of properties) {
    const mark = quoted ? '"' : ''
    if (where) {
      const start = raw(`'${lead.slice(0, -1)}'`)
      const part = sql`concat(${raw(`',"${property}":${mark}'`)}, ${text}, ${raw(`'${mark}'`)})`
      parts.push(start, sql`case when ${where} then ${part} end`)
      lead = ','
      continue
    }
    parts.push(raw(`'${lead}"${property}":${mark}'`), text)
    lead = `${mark},`
  }
  parts.push(raw(`'${lead.slice(0, -1)}${end}'`))
  const calls = Array.from({ length: Math.ceil(parts.length / 100) }, (_, i) =>
    join(parts.slice(100 * i, 100 * i + 100)),
  )
  return sql`(concat(${join(calls, ') || concat(')}))`
}
