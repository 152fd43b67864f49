import { createHash } from 'node:crypto'
import type { Context } from '../../kernel/context.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { type Sql, sql } from '../../kernel/sql.ts'

export const maxPerNetwork = 10
export const maxPerDesk = 200
const hour = 3_600_000

/** Counts a ticket of a visitor, or refuses it: a network and a desk have only so many in an hour, however many come at once. */
export async function countVisitorTicket(ctx: Context, containerId: Id, from: string): Promise<void> {
  const { tenantId } = ctx.caller
  const network = createHash('sha256').update(`${tenantId} ${from}`).digest('base64url')
  const since = new Date(ctx.now.getTime() - hour)
  // One after another, so that each counts those before it; always in this order, so that nobody waits for each other.
  for (const each of [network, containerId])
    await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`visitor tickets ${each}`}, 0))`
  const ofNetwork = await ctx.sql`${filedBy(tenantId, sql`network = ${network}`, since, maxPerNetwork)}`
  if (ofNetwork.length >= maxPerNetwork) throw tooMany(`${maxPerNetwork} tickets in an hour from this network`)
  const ofDesk = await ctx.sql`${filedBy(tenantId, sql`container_id = ${containerId}`, since, maxPerDesk)}`
  if (ofDesk.length >= maxPerDesk) throw tooMany(`${maxPerDesk} tickets of visitors in an hour at this desk`)
  await ctx.sql`delete from visitor_ticket where tenant_id = ${tenantId} and at <= ${since}`
  await ctx.sql`insert into visitor_ticket (tenant_id, id, container_id, network, at)
    values (${tenantId}, ${newId()}, ${containerId}, ${network}, ${ctx.now})`
}

/** What was filed since then, no more than may be. */
export function filedBy(tenantId: Id, whose: Sql, since: Date, max: number): Sql {
  return sql`select 1 from visitor_ticket where tenant_id = ${tenantId} and ${whose} and at > ${since} limit ${max}`
}

const tooMany = (what: string) =>
  new Refusal(429, 'too-many-tickets', `there are ${what}`, { headers: { 'retry-after': '3600' } })
