import type { Context } from '../../kernel/context.ts'
import { appendEvents, type NewEvent } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { forgetAfterCommit } from '../../kernel/memory.ts'
import type { Column } from '../../kernel/record/columns.ts'
import { join, name, type Sql, sql } from '../../kernel/sql.ts'
import { changeableKinds } from '../changeable-kinds.ts'

// The right to be forgotten. Many records contain a person as text, so all kinds are searched: the e-mail address in a short
// text, a list or an object is removed, with the name and the phone beside it. Long texts that people wrote stay.

/** A person who is to be forgotten: all their addresses in lower case, and the name that replaces theirs. */
export interface Forgotten {
  id: Id
  addresses: readonly string[]
  alias: string
}

const maxShortText = 2000

/** Removes a person from the records of all kinds but these. The events name the changed properties without their values. */
export async function forgetInRecords(ctx: Context, person: Forgotten, except: readonly string[]): Promise<void> {
  const { tenantId, userId } = ctx.caller
  for (const kind of changeableKinds().filter(each => !except.includes(each.entity))) {
    const places = kind.columns.filter(mayName).map(column => ({ column, hit: hit(column, person) }))
    if (places.length === 0) continue
    const sets = places.map(
      ({ column, hit: named }) =>
        sql`${name(column.column)} = case when ${named} then ${without(column, person)} else t.${name(column.column)} end`,
    )
    const changedProperties = places.map(
      ({ column, hit: named }) => sql`case when ${named} then ${column.property}::text end`,
    )
    const rows = await ctx.sql<{ id: Id; properties: string[] }>`
      with found as (
        select t.id as found_id, array_remove(array[${join(changedProperties)}], null) as properties from ${name(kind.table)} t
        where t.tenant_id = ${tenantId} and (${join(
          places.map(each => each.hit),
          ' or ',
        )}) order by t.id for update of t
      )
      update ${name(kind.table)} t set ${join(sets)}, updated = ${ctx.now}, updated_by = ${userId}, version = version + 1
      from found where t.tenant_id = ${tenantId} and t.id = found.found_id returning t.id, found.properties`
    await appendEvents(
      ctx,
      rows.map(({ id, properties }): NewEvent => {
        const changes = Object.fromEntries(properties.map(each => [each, {}]))
        return { kind: `${kind.area}.updated`, entity: kind.entity, recordId: id, changes }
      }),
    )
  }
  forgetAfterCommit(ctx)
}

/** Deletes the replies stored for idempotency that contain the person. */
export async function forgetAnswers(ctx: Context, { id, addresses }: Forgotten): Promise<void> {
  await ctx.sql`delete from idempotency where tenant_id = ${ctx.caller.tenantId}
    and exists (select 1 from unnest(${[id, ...addresses]}::text[]) a where position(a in lower(body)) > 0)`
}

function mayName({ type, schema }: Column): boolean {
  if (type === 'text') return Number(schema.maxLength ?? 0) <= maxShortText && !schema.enum
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
