import { ownerPlace } from '../../documents/file/file.ts'
import { ownerVisible } from '../../documents/visibility.ts'
import {
  type Caller,
  demand,
  everyone,
  managers,
  maySomewhere,
  narrowedTo,
  permission,
  staff,
} from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Expect, Finding, Stored, Values } from '../../kernel/record/record.ts'
import { type Fault, fault, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { ActingScopes, Email, Instant, Ref, Text } from '../../kernel/schema/values.ts'
import { or, ownTenant, type Sql, sql } from '../../kernel/sql.ts'
import { Code } from '../../records/code-table.ts'
import { lockRecords, updateRecords } from '../../records/history/rewrite.ts'
import { ownerKind, owners, refuseUnknownOwner } from '../../records/references/owner.ts'
import { isInDomain } from '../email-domain.ts'
import { watchLevel, watchLevels, watchReason, watchReasons } from './watch-codes.ts'

export { recipientsOf, recipientsOfEach, recipientsOfRecords, visibilityFor } from './recipients.ts'
export type { Recipient } from './select-recipients.ts'
export { startWatching } from './start-watching.ts'
export { watchLevel, watchReason } from './watch-codes.ts'

const shape = {
  userId: Ref('User'),
  userGroupId: Ref('UserGroup'),
  email: Email,
  owner: Code(owners),
  ownerId: Text(100),
  level: Code(watchLevels, { description: '0 all · 1 comments and status · 2 status only · 3 muted.' }),
  reason: Code(watchReasons, {
    description:
      '0 manual · 1 author · 2 assignee · 3 mentioned · 4 commented · 5 rule · 6 group default · 7 requester cc.',
  }),
  until: Instant,
  scopes: ActingScopes,
}

export type Watch = Stored<typeof shape>
export type WatchValues = Values<typeof shape>

/** The permission to create watches for others. */
const othersWatches = permission('watch.others', managers)

/** An address can watch these, because it is notified of items only: of the item itself, or of those in the record. */
const addressableOwners: readonly number[] = [ownerKind.container, ownerKind.area, ownerKind.item, ownerKind.crm]
const watchableOwners: readonly number[] = [...addressableOwners, ownerKind.document, ownerKind.containerFilter]

/** A watch: who is notified of a record, and of what. */
export const watches = resource('Watch', {
  about:
    'Notifies somebody of what happens to a record: a user (by default the caller), a group, or an email address, which receives mail about public annotations and the status of items. `until` suppresses notifications up to that time. Authors and assignees watch their items without a stored watch; `level` 3 mutes that.',
  shape,
  required: [],
  serverSet: ['reason', 'scopes'],
  may: { read: everyone, create: everyone, update: everyone, delete: everyone },
  visible: visibleWatches,
  check: checkWatch,
  findings: watchFindings,
  example: { owner: ownerKind.container, ownerId: '01890000-0000-7000-8000-000000000000', level: watchLevel.comments },
})

/** Callers see their own watches and those of their groups; staff also see all watches on records that they see. */
function visibleWatches(caller: Caller, w: Sql): Sql {
  const { userId, authority } = caller
  const own = [
    sql`${w}.user_id = ${userId}`,
    sql`${w}.created_by = ${userId}`,
    sql`${w}.user_group_id = any(${authority.groups}::uuid[])`,
  ]
  if (!maySomewhere({ ...caller, scopes: [] }, narrowedTo(staff, othersWatches))) return or(own)
  return or([...own, ownerVisible(caller, { owner: sql`${w}.owner`, ownerId: sql`${w}.owner_id` })])
}

async function checkWatch(ctx: Context, watch: WatchValues, before: Watch | undefined): Promise<void> {
  const { userId, userGroupId, email } = watch
  const named = [userId, userGroupId, email].filter(each => each !== '').length
  const faults: Fault[] = []
  if (named !== 1) faults.push(fault(['userId'], 'one-watcher', 'name one of userId, userGroupId and email'))
  for (const property of ['userId', 'userGroupId', 'email', 'owner', 'ownerId'] as const)
    if (before && before[property] !== watch[property])
      faults.push(
        fault([property], 'watch-fixed', 'the watcher and the record of a watch cannot be changed', watch[property]),
      )
  if (faults.length > 0) throw new RuleBroken(faults[0]?.Code ?? '', faults[0]?.Message ?? '', faults)
  await demandWatchFor(ctx, watch)
  await refuseUnknownOwner(ctx, watch, before)
}

/** Everybody may change their own watches; those of others need the permission at the record’s place. */
async function demandWatchFor(ctx: Context, watch: Pick<WatchValues, 'userId' | 'owner' | 'ownerId'>): Promise<void> {
  if (watch.userId !== ctx.caller.userId) demand(ctx.caller, othersWatches, await ownerPlace(ctx, watch))
}

async function watchFindings({ owner, level, email }: Watch, ctx: Context): Promise<Finding[]> {
  const findings = email === '' ? [] : await addressFindings(ctx, owner, email)
  if (!watchableOwners.includes(owner))
    findings.push({ path: '/owner', code: 'unknown-code', message: `there are no notifications for owner ${owner}` })
  if (!Object.values(watchLevel).some(code => code === level))
    findings.push({
      path: '/level',
      code: 'unknown-code',
      message: `${level} is not a known level: the watch notifies of nothing`,
    })
  return findings
}

/**
 * Addresses are notified of items only, and unknown addresses only within the domains to which the tenant allows mail.
 */
async function addressFindings(ctx: Context, owner: number, email: string): Promise<Finding[]> {
  const findings: Finding[] = []
  if (watchableOwners.includes(owner) && !addressableOwners.includes(owner))
    findings.push({ path: '/owner', code: 'not-to-addresses', message: 'an address is notified of items only' })
  const [row] = await ctx.sql<{ domains: string[] }>`select g.mail_recipient_domains as domains from mail_general g
    where g.tenant_id = ${ctx.caller.tenantId} and not exists (select 1 from "user" u where u.tenant_id = ${ownTenant} and lower(u.email) = ${email.toLowerCase()} and not u.deleted)`
  const domains = row?.domains ?? []
  if (domains.length > 0 && !domains.some(domain => isInDomain(email, domain)))
    findings.push({
      path: '/email',
      code: 'domain-not-allowed',
      message: `nothing is sent to ${email}: its domain is not among the mailRecipientDomains`,
    })
  return findings
}

/** Creates a watch, or updates the level of the one that exists. */
export async function createWatch(
  ctx: Context,
  values: Partial<WatchValues>,
  reason: number = watchReason.manual,
): Promise<{ watch: Watch; made: boolean }> {
  const nobody = !values.userId && !values.userGroupId && !values.email
  const given = watches.completed({ ...values, ...(nobody ? { userId: ctx.caller.userId } : {}) })
  const { userId, userGroupId, email, owner } = given
  const complete = { ...given, ownerId: given.ownerId.toLowerCase(), reason, scopes: [...ctx.caller.scopes] }
  const key = [ctx.caller.tenantId, owner, complete.ownerId, userId, userGroupId, email.toLowerCase()]
  // Two concurrent requests for the same watch must not create two: the second waits here and finds the first one’s.
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`watch ${key.join(' ')}`}, 0))`
  const [known] = await ctx.sql<{
    id: Id
  }>`select id from watch where tenant_id = ${ctx.caller.tenantId} and not deleted and owner = ${owner} and owner_id = ${complete.ownerId}
    and user_id is not distinct from ${userId || null}::uuid and user_group_id is not distinct from ${userGroupId || null}::uuid and lower(email) = ${email.toLowerCase()}`
  if (!known) return { watch: await watches.create(ctx, complete), made: true }
  await demandWatchFor(ctx, complete)
  const { level, until } = values
  const changed = { ...(level === undefined ? {} : { level }), ...(until === undefined ? {} : { until }) }
  return { watch: await watches.update(ctx, known.id, changed), made: false }
}

export async function updateWatch(
  ctx: Context,
  id: Id,
  values: Partial<WatchValues>,
  more: { expect?: Expect },
): Promise<Watch> {
  const before = await watches.get(ctx, id)
  await demandWatchFor(ctx, before)
  // Mail to an address shows what the creator of the watch may see, so a credential with scopes narrows it.
  const scopes = ctx.caller.scopes.length > 0 ? [...ctx.caller.scopes] : before.scopes
  return await watches.update(ctx, id, { ...values, scopes }, more)
}

export async function removeWatch(ctx: Context, id: Id, more: { expect?: Expect } = {}): Promise<Watch> {
  await demandWatchFor(ctx, await watches.get(ctx, id))
  return await watches.remove(ctx, id, more)
}

/** Restores a deleted watch. */
export async function restoreWatch(ctx: Context, id: Id): Promise<Watch> {
  await demandWatchFor(ctx, await watches.get(ctx, id, { deleted: true }))
  return await watches.restore(ctx, id)
}

/**
 * Moves watches to another item, except those of watchers who watch that item already; returns the ids of the moved
 * ones.
 */
export async function moveWatches(ctx: Context, where: Sql, to: Id): Promise<Id[]> {
  const found = await lockRecords(
    ctx,
    watches,
    sql`t.owner = ${ownerKind.item} and ${where} and not exists (select 1 from watch w where w.tenant_id = ${ctx.caller.tenantId} and w.owner = ${ownerKind.item} and w.owner_id = ${to} and not w.deleted
      and w.user_id is not distinct from t.user_id and w.user_group_id is not distinct from t.user_group_id and lower(w.email) = lower(t.email))`,
  )
  await updateRecords(
    ctx,
    watches,
    found.map(watch => [watch, { ownerId: to }] as const),
  )
  return found.map(watch => watch.id)
}
