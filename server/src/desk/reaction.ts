import type { Permission } from '../kernel/access.ts'
import type { Context } from '../kernel/context.ts'
import { appendWith, type Changes } from '../kernel/events.ts'
import type { Id } from '../kernel/id.ts'
import { type Operation, operation } from '../kernel/operation.ts'
import { fault, Invalid, RuleBroken } from '../kernel/refusal.ts'
import type { Schema } from '../kernel/schema/shape.ts'
import { name, ownTenant, raw, type Sql, sql } from '../kernel/sql.ts'

/** The maximum number of different reactions of one user to one record. */
const maxReactions = 20

/** The table of reactions to one kind of record, and its column that refers to the record. */
export interface ReactionTable {
  table: string
  column: string
}

/** The derived property `reactions` of a kind: user ids by emoji. */
export function reactionsProperty({ table, column }: ReactionTable) {
  return {
    schema: {
      type: 'object',
      description: 'Who reacted how: the ids of users by emoji.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    } satisfies Schema,
    value: (t: Sql) => sql`(select coalesce(json_object_agg(r.emoji, r.users), '{}') from (
      select r.emoji, json_agg(r.user_id order by r.at, r.user_id) as users from ${name(table)} r
      where r.tenant_id = ${ownTenant} and r.${name(column)} = ${t}.id group by r.emoji) r)`,
  }
}

/** A kind of record that people react to. */
interface Reactable extends ReactionTable {
  entity: string
  /** What the API texts call one record: `annotation`, `message`. */
  noun: string
  permission: Permission
  schema: Schema
  events: { added: string; removed: string }
  /** Locks the record in the path and returns what the event records besides the reaction. */
  lock: (ctx: Context, params: Record<string, string>) => Promise<{ id: Id; context: Changes }>
  /** Reads the record again, with all reactions. */
  read: (ctx: Context, id: Id) => Promise<{ version: number }>
}

/** The operations that add and remove the caller's reaction to a record of one kind. */
export function reactionOperations(kind: Reactable): { react: Operation; unreact: Operation } {
  const table = name(kind.table)
  const column = name(kind.column)
  const common = { permission: kind.permission, placed: true, mode: 'write' } as const

  const react = operation({
    ...common,
    summary: `React to ${articled(kind.noun)}`,
    description: 'The caller reacts with an emoji. Repeating the request changes nothing.',
    reply: { status: 200, schema: kind.schema, description: `The ${kind.noun} with all reactions.` },
    refusals: [404, 422],
    async run(ctx, { params }) {
      const emoji = readEmoji(params)
      const { id, context } = await kind.lock(ctx, params)
      const { tenantId, userId } = ctx.caller
      const changes = { ...context, reaction: { to: emoji } }
      await ctx.sql`with changed as (
          insert into ${table} (tenant_id, ${column}, user_id, emoji, at) values (${tenantId}, ${id}, ${userId}, ${emoji}, ${ctx.now})
          on conflict do nothing returning 1)
        ${appendWith(ctx, raw('changed'), { kind: kind.events.added, entity: kind.entity, recordId: id, changes })}`
      await refuseTooMany(ctx, id)
      const record = await kind.read(ctx, id)
      return { body: record, version: record.version }
    },
  })

  async function refuseTooMany(ctx: Context, id: Id): Promise<void> {
    const [row] = await ctx.sql<{ count: number }>`select count(*)::int as count from ${table}
      where tenant_id = ${ctx.caller.tenantId} and ${column} = ${id} and user_id = ${ctx.caller.userId}`
    if ((row?.count ?? 0) > maxReactions)
      throw new RuleBroken(
        'too-many-reactions',
        `one user can react to one ${kind.noun} with at most ${maxReactions} emojis`,
      )
  }

  const unreact = operation({
    ...common,
    summary: `Remove a reaction to ${articled(kind.noun)}`,
    description: 'Removes the caller’s reaction with this emoji, if there is one.',
    reply: { status: 204, description: 'The caller has no such reaction.' },
    refusals: [404],
    async run(ctx, { params }) {
      const emoji = readEmoji(params)
      const { id, context } = await kind.lock(ctx, params)
      const changes = { ...context, reaction: { from: emoji } }
      await ctx.sql`with changed as (
          delete from ${table} where tenant_id = ${ctx.caller.tenantId} and ${column} = ${id} and user_id = ${ctx.caller.userId} and emoji = ${emoji}
          returning 1)
        ${appendWith(ctx, raw('changed'), { kind: kind.events.removed, entity: kind.entity, recordId: id, changes })}`
      return {}
    },
  })

  return { react, unreact }
}

/** The emoji that the path names. */
function readEmoji(params: Record<string, string>): string {
  const emoji = (params.emoji ?? '').normalize()
  if (emoji.length > 32 || !/^[^\p{C}\s]/u.test(emoji) || !emoji.isWellFormed() || /[\s\p{Cc}]/u.test(emoji))
    throw new Invalid([fault(['emoji'], 'emoji', 'must be an emoji or a short word without spaces', emoji)])
  return emoji
}

const articled = (noun: string) => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
