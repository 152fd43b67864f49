import type { Context } from '../context.ts'
import { flat, join, name, type Sql, sql } from '../sql.ts'
import { type Column, shown } from './columns.ts'
import { commonValues } from './record.ts'

/** Properties that the caller's tenant shows in another way or (undefined) not at all. */
export type PropertyOverrides = Record<string, ((alias: Sql) => Sql) | undefined>

interface JsonOptions {
  entity: string
  columns: readonly Column[]
  derived: readonly { property: string; value: (alias: Sql) => Sql }[]
  ofTenant?: ((ctx: Context) => Promise<PropertyOverrides | undefined>) | undefined
}

/** Rows become JSON text in PostgreSQL, so that the service neither parses nor serializes them. */
export function recordJson({ entity, columns, derived, ofTenant }: JsonOptions) {
  const composed = new Map<string, Sql>()

  function json(alias: Sql, only?: ReadonlySet<string>, also?: Record<string, Sql | undefined>): Sql {
    if (only || also) return compose(alias, only, also)
    const key = alias.strings.join()
    const known = composed.get(key) ?? flat(compose(alias))
    composed.set(key, known)
    return known
  }

  /** The same with what the caller's tenant shows differently, which costs nothing for most kinds and tenants. */
  async function jsonFor(
    ctx: Context,
    alias: Sql,
    only?: ReadonlySet<string>,
    also?: Record<string, Sql>,
  ): Promise<Sql> {
    const own = await ofTenant?.(ctx)
    if (!own) return json(alias, only, also)
    const wanted = Object.entries(own).filter(([property]) => !only || only.has(property))
    return json(alias, only, {
      ...Object.fromEntries(wanted.map(([property, value]) => [property, value?.(alias)])),
      ...also,
    })
  }

  /** `also` replaces, adds or (undefined) removes properties. */
  function compose(alias: Sql, only?: ReadonlySet<string>, also: Record<string, Sql | undefined> = {}): Sql {
    const wanted = <T extends { property: string }>(each: T) => !only || only.has(each.property)
    const common = commonValues(entity, alias).filter(each => wanted(each) || ['entity', 'id'].includes(each.property))
    const own = columns.filter(wanted).map(each => ({ property: each.property, value: shown(each, alias) }))
    const made = derived.filter(wanted).map(({ property, value }) => ({ property, value: value(alias) }))
    const more = Object.entries(also).flatMap(([property, value]) => (value ? [{ property, value }] : []))
    const list = [...[...common, ...own, ...made].filter(each => !(each.property in also)), ...more].map(
      ({ property, value }) => sql`${value} as ${name(property)}`,
    )
    return sql`(select row_to_json(r)::text from (select ${join(list)}) r)`
  }

  return { json, jsonFor }
}
