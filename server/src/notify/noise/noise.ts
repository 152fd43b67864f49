import { hidesSomewhere } from '../../identity/field-limit/hidden-fields.ts'
import { may } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { kind } from '../../kernel/kinds.ts'
import { join, name, raw, type Sql, sql } from '../../kernel/sql.ts'
import { type MailBudget, mailBudgetOf } from '../budget/mail-limit.ts'
import { notifiedUsers } from '../preference/preference.ts'
import { type Channel, channels, dayOf, type MessageSource } from './count-messages.ts'

export { addedMessages, estimateBody, estimateSchema, type MessageCounts, totalOf } from './message-estimate.ts'

/** The numbers of messages by channel. */
type Counts = Record<Channel, number>

interface SourceCounts extends Counts {
  kind: MessageSource['kind']
  id: Id | ''
  name: string
}

interface PersonCounts extends Counts {
  userId: Id
  name: string
}

/** The messages to one user, or to all users of the tenant. */
interface Noise extends Counts {
  since: string
  sources: SourceCounts[]
  people: PersonCounts[]
  /** The mails of the user today; null for all users, and without a limit. */
  budget: MailBudget | null
}

/** The most sources and people that are listed; all are counted. */
export const maxListed = 50

const day = 86_400_000
const counts: Sql = join(
  channels.map(
    channel =>
      sql`coalesce(sum(c.count) filter (where c.channel = ${raw(`'${channel}'`)}), 0)::int as ${name(channel)}`,
  ),
)
/** A message of a digest was counted before: as an entry of the inbox, or as held. */
const messages: Sql = sql`sum(c.count) filter (where c.channel <> 'digested')`
const none: Counts = { inbox: 0, mail: 0, held: 0, digested: 0 }

/** The messages of the last days, today included: those to the user, or to everybody. */
export async function noiseOf(ctx: Context, days: number, userId: Id | undefined): Promise<Noise> {
  const since = dayOf(new Date(ctx.now.getTime() - (days - 1) * day))
  const which = sql`c.tenant_id = ${ctx.caller.tenantId} and c.day >= ${since}::date ${userId ? sql`and c.user_id = ${userId}` : raw('')}`
  const [total] = await ctx.sql<Counts>`select ${counts} from message_count c where ${which}`
  const sources = await ctx.sql<Omit<SourceCounts, 'name'>>`select c.source_kind as kind, c.source_id as id, ${counts}
    from message_count c where ${which} group by 1, 2 order by ${messages} desc, 1, 2 limit ${maxListed}`
  const people = userId
    ? []
    : await ctx.sql<Omit<PersonCounts, 'name'>>`select c.user_id as "userId", ${counts}
      from message_count c where ${which} group by 1 order by ${messages} desc, 1 limit ${maxListed}`
  const names = await namesOf(
    ctx,
    'User',
    people.map(each => each.userId),
  )
  return {
    since,
    ...(total ?? none),
    budget: userId ? await budgetOf(ctx, userId) : null,
    sources: await named(ctx, sources),
    people: people.flatMap(each => {
      const known = names.get(each.userId)
      return known === undefined ? [] : [{ ...each, name: known }]
    }),
  }
}

/** Names the sources. Those of one kind that the caller may not see become one without an id. */
async function named(ctx: Context, sources: readonly Omit<SourceCounts, 'name'>[]): Promise<SourceCounts[]> {
  const found: SourceCounts[] = []
  for (const [entity, own] of Map.groupBy(sources, each => entityOf(each.kind))) {
    const names = await namesOf(
      ctx,
      entity,
      own.map(each => each.id),
    )
    for (const { kind: of, id, ...numbers } of own) {
      const shown = names.get(id)
      const same = shown === undefined ? found.find(each => each.kind === of && each.id === '') : undefined
      if (same) for (const channel of channels) same[channel] += numbers[channel]
      else found.push({ kind: of, id: shown === undefined ? '' : id, name: shown ?? '', ...numbers })
    }
  }
  return found.sort((a, b) => b.inbox + b.mail - a.inbox - a.mail)
}

async function budgetOf(ctx: Context, userId: Id): Promise<MailBudget | null> {
  const reader = (await notifiedUsers(ctx, [userId])).get(userId)
  return (reader && (await mailBudgetOf(ctx, reader))) ?? null
}

function entityOf(source: MessageSource['kind']): 'Rule' | 'Notification' | 'Container' {
  if (source === 'rule') return 'Rule'
  return source === 'notification' ? 'Notification' : 'Container'
}

/** The names of the records among the ids that the caller may see. */
async function namesOf(ctx: Context, entity: string, ids: readonly (Id | '')[]): Promise<Map<Id | '', string>> {
  const { table, visible, permissions, placed } = kind(entity)
  const wanted = ids.filter(isId)
  if (wanted.length === 0 || (!placed && !may(ctx.caller, permissions.read))) return new Map()
  const rows = await ctx.sql<{ id: Id; name: string }>`select r.id, r.name from ${name(table)} r
    where r.tenant_id = ${ctx.caller.tenantId} and r.id = any(${wanted}::uuid[]) and ${visible(ctx.caller, raw('r'))}`
  const isHidden = hidesSomewhere(ctx.caller, entity, 'name')
  return new Map(rows.map(row => [row.id, isHidden ? '' : row.name]))
}
