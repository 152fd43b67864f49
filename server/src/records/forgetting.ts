import type { Context } from '../kernel/context.ts'
import { append, type Happening } from '../kernel/events.ts'
import type { Id } from '../kernel/id.ts'
import { allKinds } from '../kernel/kinds.ts'
import { forgetLater } from '../kernel/memory.ts'
import type { Column } from '../kernel/record/columns.ts'
import { join, name, type Sql, sql } from '../kernel/sql.ts'

// Somebody has the right to be forgotten. Who they were stands in many records as a text, so every kind is gone through: an
// address in a short text, a list or an object goes, and with it the name and the phone beside it. What people wrote at
// length is theirs and stays.

/** Somebody who is to be forgotten: every address they had, in lower case, and what they are called instead. */
export interface Forgotten {
  id: Id
  addresses: readonly string[]
  alias: string
}

const longestLine = 2000

/** Takes somebody out of the records of all kinds but these. An event tells which properties changed, and never what they were. */
export async function forgetInRecords(ctx: Context, person: Forgotten, except: readonly string[]): Promise<void> {
  const { tenantId, userId } = ctx.caller
  for (const kind of allKinds().filter(each => !except.includes(each.entity))) {
    const places = kind.columns.filter(mayName).map(column => ({ column, hit: hit(column, person) }))
    if (places.length === 0) continue
    const sets = places.map(
      ({ column, hit: named }) =>
        sql`${name(column.column)} = case when ${named} then ${without(column, person)} else t.${name(column.column)} end`,
    )
    const touched = places.map(({ column, hit: named }) => sql`case when ${named} then ${column.property}::text end`)
    const rows = await ctx.sql<{ id: Id; properties: string[] }>`
      with found as (
        select t.id as found_id, array_remove(array[${join(touched)}], null) as properties from ${name(kind.table)} t
        where t.tenant_id = ${tenantId} and (${join(
          places.map(each => each.hit),
          ' or ',
        )}) order by t.id for update of t
      )
      update ${name(kind.table)} t set ${join(sets)}, updated = ${ctx.now}, updated_by = ${userId}, version = version + 1
      from found where t.tenant_id = ${tenantId} and t.id = found.found_id returning t.id, found.properties`
    await append(
      ctx,
      rows.map(({ id, properties }): Happening => {
        const changes = Object.fromEntries(properties.map(each => [each, {}]))
        return { kind: `${kind.area}.updated`, entity: kind.entity, recordId: id, changes }
      }),
    )
  }
  forgetLater(ctx)
}

/** Answers that are kept to be repeated hold what was shown. */
export async function forgetAnswers(ctx: Context, { id, addresses }: Forgotten): Promise<void> {
  await ctx.sql`delete from idempotency where tenant_id = ${ctx.caller.tenantId}
    and exists (select 1 from unnest(${[id, ...addresses]}::text[]) a where position(a in lower(body)) > 0)`
}

function mayName({ type, schema }: Column): boolean {
  if (type === 'text') return Number(schema.maxLength ?? 0) <= longestLine && !schema.enum
  return type === 'text[]' || type === 'jsonb'
}

function hit({ column, type }: Column, { id, addresses }: Forgotten): Sql {
  const text = type === 'text[]' ? sql`array_to_string(t.${name(column)}, ' ')` : sql`t.${name(column)}::text`
  const addressed = sql`exists (select 1 from unnest(${addresses}::text[]) a where position(a in lower(${text})) > 0)`
  return type === 'jsonb' ? sql`(${addressed} or position(${`"userId": "${id}"`} in ${text}) > 0)` : addressed
}

function without({ column, type }: Column, person: Forgotten): Sql {
  const value = sql`t.${name(column)}`
  if (type === 'text') return sql`without_address(${value}, ${person.addresses}::text[])`
  if (type === 'jsonb') return withoutPerson(value, person)
  return sql`array(select without_address(e.v, ${person.addresses}::text[]) from unnest(${value}) with ordinality e(v, n)
    where without_address(e.v, ${person.addresses}::text[]) <> '' order by e.n)`
}

export function withoutPerson(value: Sql, { id, addresses, alias }: Forgotten): Sql {
  return sql`without_person(${value}, ${id}::uuid, ${addresses}::text[], ${alias})`
}
