import { Type } from 'typebox'
import { visibilityFor, watchLevel, watchReason } from '../../desk/watch/watch.ts'
import { visibleItems } from '../../items/item/item.ts'
import { type Caller, everyone, may } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { kind } from '../../kernel/kinds.ts'
import { resource } from '../../kernel/resource.ts'
import { Count, Instant, Ref, Text, Texts } from '../../kernel/schema/values.ts'
import { and, join, name, ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { Code, codeTableOfCodes } from '../../records/code-table.ts'
import { isThere } from '../../records/references/is-there.ts'
import { ownerKind } from '../../records/references/owner.ts'
import type { MessageSource } from '../noise/count-messages.ts'
import { warnedEntities } from '../warning/warning.ts'
import { subjects } from './news.ts'
import { writeEntries } from './write-entries.ts'

/** The codes of `reason`: those of watches, and one more. */
const inboxReason = { ...watchReason, responsible: 8 }

const Uuids = (description: string) => Type.Array(Type.String({ maxLength: 36 }), { 'x-column': 'uuid[]', description })

const shape = {
  userId: Ref('User'),
  subject: Text(30, {
    description:
      'The kind of the record that the entry is about: `Item`, `ChangeSet` (a change of many items), `Document` …',
  }),
  subjectId: Type.String({ maxLength: 36, 'x-column': 'uuid' }),
  itemIds: Uuids('The items that the entry is about and that the reader may see; at most 200.'),
  reason: Code(codeTableOfCodes('inbox.reason', inboxReason), {
    description:
      'Why the user is notified: 0 manual · 1 author · 2 assignee · 3 mentioned · 4 commented · 5 rule · 6 group default · 7 requester cc · 8 responsible for the record.',
  }),
  events: Texts(50, 100),
  changeSetIds: Uuids('The changes that the entry reports, newest first.'),
  actorIds: Uuids('The users who made the changes.'),
  count: Count(),
  text: Text(1000),
  unread: Type.Boolean(),
  archived: Type.Boolean(),
  snoozedUntil: Instant,
}

/** The notices of a user, bundled by the record they are about. */
export const inboxEntries = resource('InboxEntry', {
  about:
    'The notices of a user, bundled by record: one entry holds all events of an item since the user last read it, or one change of many items.',
  shape,
  area: 'inbox',
  table: 'inbox_entry',
  required: [],
  may: { read: everyone, create: [], update: everyone, delete: [] },
  placed: true,
  visible: ownEntries,
  order: '-updated',
  // The stored ids are filtered on reading, because the user may have lost access to an item since.
  ofTenant: async ({ caller }) => ({
    itemIds: e =>
      sql`array(select i.id from item i where i.tenant_id = ${ownTenant} and i.id = any(${e}.item_ids) and ${visibleItems(caller, raw('i'))})`,
  }),
  derived: {
    title: {
      schema: { type: 'string', description: 'The title of the item; empty for other records.' },
      value: e => titled(e, 'title'),
    },
    key: {
      schema: { type: 'string', description: 'The key of the item; empty for other records.' },
      value: e => titled(e, 'key'),
    },
    itemId: {
      schema: { type: 'string', description: 'The id of the item; empty for other records.' },
      value: e => sql`case when ${e}.subject = 'Item' then ${e}.subject_id::text else '' end`,
    },
  },
})

function titled(e: Sql, column: 'title' | 'key'): Sql {
  return sql`coalesce((select i.${name(column)} from item i where ${e}.subject = 'Item' and i.tenant_id = ${ownTenant} and i.id = ${e}.subject_id), '')`
}

/** A user sees their own entries, as long as they may see the record that an entry is about. */
function ownEntries(caller: Caller, e: Sql): Sql {
  return and([sql`${e}.user_id = ${caller.userId}`, sql`${e}.in_app`, subjectVisible(caller, e)])
}

/** Tells whether the caller may see the record of an entry. For a change of many items, one visible item is enough. */
export function subjectVisible(caller: Caller, e: Sql): Sql {
  const items = (which: Sql) =>
    sql`exists (select 1 from item i where i.tenant_id = ${ownTenant} and ${which} and ${visibleItems(caller, raw('i'))})`
  const others = [...Object.keys(subjects), ...warnedEntities]
    .filter(subject => subject !== 'Item')
    .map(subject => {
      const { table, visible, permissions, placed } = kind(subject)
      if (!placed && !may(caller, permissions.read)) return sql`when ${subject} then false`
      return sql`when ${subject} then ${isThere(sql`from ${name(table)} r where r.tenant_id = ${ownTenant} and r.id = ${e}.subject_id and ${visible(caller, raw('r'))}`)}`
    })
  return sql`(case ${e}.subject when 'Item' then ${items(sql`i.id = ${e}.subject_id`)} when 'ChangeSet' then ${items(sql`i.id = any(${e}.item_ids)`)} ${join(others, ' ')} when 'Notification' then true else false end)`
}

/** Whether the entry `t` is snoozed. */
export const snoozed = ({ now }: Context): Sql => sql`(t.snoozed_until is not null and t.snoozed_until > ${now})`

/** The largest number of unread entries that is counted. */
export const maxUnread = 1000

/** The number of unread entries of the caller, without snoozed ones. */
export async function countUnread(ctx: Context): Promise<number> {
  const [row] = await ctx.sql<{ unread: number }>`select count(*)::int as unread from (
    select 1 from inbox_entry t where t.tenant_id = ${ctx.caller.tenantId} and t.unread and not t.archived and not ${snoozed(ctx)}
      and ${inboxEntries.visible(ctx.caller, raw('t'))} limit ${maxUnread}) c`
  return row?.unread ?? 0
}

interface NoticeInput {
  to: readonly Id[]
  /** The notice is about an item, or else about the rule that sends it. Without a rule it is about an approval. */
  itemId?: Id
  ruleId?: Id
  /** One of `watchReason`; `rule` by default. */
  reason?: number
  /** The name of the event; `rule.notified` by default. */
  name?: string
  text: string
  /** It stands for a mail that is held. */
  mailIsHeld?: boolean
}

/**
 * Notifies users through the channels that each of them prefers. A user who may not see the record, or has muted the item,
 * is left out.
 */
export async function notify(ctx: Context, notice: NoticeInput): Promise<void> {
  const {
    to,
    itemId,
    ruleId,
    reason = watchReason.rule,
    name: called = 'rule.notified',
    text,
    mailIsHeld = false,
  } = notice
  const [subject, subjectId] = itemId ? ['Item', itemId] : ['Rule', ruleId]
  if (!subjectId || to.length === 0) return
  const people = [...new Set(to)]
  const sees = await visibilityFor(
    ctx,
    subject,
    people.map(userId => [userId, subjectId]),
  )
  const muted = itemId && reason !== watchReason.mentioned ? await mutedBy(ctx, itemId, people) : new Set<Id>()
  const [place] = await ctx.sql<{
    containerId: Id
  }>`select container_id as "containerId" from item where tenant_id = ${ctx.caller.tenantId} and id = ${subjectId}`
  const { changeSet: changeSetId } = ctx
  const containerId = place?.containerId ?? ''
  const source: MessageSource = ruleId ? { kind: 'rule', id: ruleId } : { kind: 'approval', id: containerId }
  const shared = { subject, subjectId, containerId, source, changeSetId, reason, text, mailIsHeld }
  const notified = people.filter(userId => sees(userId, subjectId) && !muted.has(userId))
  await writeEntries(
    ctx,
    notified.map(userId => ({ ...shared, userId, names: [called], actorId: ctx.caller.userId })),
  )
}

async function mutedBy(ctx: Context, itemId: Id, userIds: readonly Id[]): Promise<Set<Id>> {
  const rows = await ctx.sql<{
    userId: Id
  }>`select user_id as "userId" from watch where tenant_id = ${ctx.caller.tenantId} and owner = ${ownerKind.item} and owner_id = ${itemId}
    and user_id = any(${userIds}::uuid[]) and not deleted and (level = ${watchLevel.muted} or until > ${ctx.now})`
  return new Set(rows.map(row => row.userId))
}
