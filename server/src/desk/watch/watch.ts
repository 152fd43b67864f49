import { ownerPlace } from '../../documents/file/file.ts'
import { ownerVisible } from '../../documents/visibility.ts'
import { type Caller, demand, everyone, managers, maySomewhere, permission, staff } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { isInDomain } from '../../kernel/formats.ts'
import type { Id } from '../../kernel/id.ts'
import type { Expect, Finding, Stored, Values } from '../../kernel/record.ts'
import { type Fault, fault, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { or, type Sql, sql } from '../../kernel/sql.ts'
import { Code, Email, Instant, Ref, Text } from '../../kernel/values.ts'
import { ownerKind, refuseUnknownOwner } from '../../records/owner.ts'
import { held, rewrite } from '../../records/rewrite.ts'
import { watchLevel, watchReason } from './watch-codes.ts'

export { recipientsOf, recipientsOfEach, recipientsOfRecords, visibilityFor } from './recipients.ts'
export type { Recipient } from './select-recipients.ts'
export { startWatching } from './start-watching.ts'
export { watchLevel, watchReason } from './watch-codes.ts'

const shape = {
  userId: Ref('User'),
  userGroupId: Ref('UserGroup'),
  email: Email,
  owner: Code(),
  ownerId: Text(100),
  level: Code({ description: '0 all · 1 comments and status · 2 status only · 3 muted.' }),
  reason: Code({
    description:
      '0 manual · 1 author · 2 assignee · 3 mentioned · 4 commented · 5 rule · 6 group default · 7 requester cc.',
  }),
  until: Instant,
}

export type Watch = Stored<typeof shape>
export type WatchValues = Values<typeof shape>

/** Setting up watches for others than oneself. */
const othersWatches = permission('watch.others', managers)

/** An address can watch these, because it is notified of items only: of the item itself, or of those in the record. */
const addressableOwners: readonly number[] = [ownerKind.container, ownerKind.area, ownerKind.item, ownerKind.crm]
const watchableOwners: readonly number[] = [...addressableOwners, ownerKind.document, ownerKind.containerFilter]

/** Somebody who wants to be told of something, or does not. */
export const watches = resource('Watch', {
  about:
    'Somebody who is told of what happens to a record: a user (the caller, if nobody is named), a group or an address, which gets a mail of what is said openly about items and of their status. `until` makes it silent up to then. Authors and assignees watch their items without one; `level` 3 mutes that.',
  shape,
  required: [],
  serverSet: ['reason'],
  may: { read: everyone, create: everyone, update: everyone, delete: everyone },
  visible: visibleWatches,
  check: checkWatch,
  findings: watchFindings,
  example: { owner: 1, ownerId: '01890000-0000-7000-8000-000000000000', level: 1 },
})

/** One's own, those of one's groups, and, for staff, all on what they see. */
function visibleWatches(caller: Caller, w: Sql): Sql {
  const { userId, authority } = caller
  const own = [
    sql`${w}.user_id = ${userId}`,
    sql`${w}.created_by = ${userId}`,
    sql`${w}.user_group_id = any(${authority.groups}::uuid[])`,
  ]
  if (!maySomewhere({ ...caller, scopes: [] }, { ...othersWatches, roles: staff })) return or(own)
  return or([...own, ownerVisible(caller, { owner: sql`${w}.owner`, ownerId: sql`${w}.owner_id` })])
}

async function checkWatch(ctx: Context, watch: WatchValues, before: Watch | undefined): Promise<void> {
  const { userId, userGroupId, email } = watch
  const named = [userId, userGroupId, email].filter(each => each !== '').length
  const faults: Fault[] = []
  if (named !== 1) faults.push(fault(['userId'], 'one-watcher', 'name one of userId, userGroupId and email'))
  for (const property of ['userId', 'userGroupId', 'email', 'owner', 'ownerId'] as const)
    if (before && before[property] !== watch[property])
      faults.push(fault([property], 'watch-fixed', 'a watch stays whose it is and where it is', watch[property]))
  if (faults.length > 0) throw new RuleBroken(faults[0]?.Code ?? '', faults[0]?.Message ?? '', faults)
  await demandWatchFor(ctx, watch)
  await refuseUnknownOwner(ctx, watch, before)
}

/** One's own watches are one's own; those of others need the permission where the record lies. */
async function demandWatchFor(ctx: Context, watch: Pick<WatchValues, 'userId' | 'owner' | 'ownerId'>): Promise<void> {
  if (watch.userId !== ctx.caller.userId) demand(ctx.caller, othersWatches, await ownerPlace(ctx, watch))
}

async function watchFindings({ owner, level, email }: Watch, ctx: Context): Promise<Finding[]> {
  const findings = email === '' ? [] : await addressFindings(ctx, owner, email)
  if (!watchableOwners.includes(owner))
    findings.push({ path: '/owner', code: 'unknown-code', message: `nothing is told of owner ${owner}` })
  if (!Object.values(watchLevel).some(code => code === level))
    findings.push({
      path: '/level',
      code: 'unknown-code',
      message: `${level} means nothing here, and tells of nothing`,
    })
  return findings
}

/** Addresses hear of items alone, and only where the tenant lets mail go to whom it does not know. */
async function addressFindings(ctx: Context, owner: number, email: string): Promise<Finding[]> {
  const findings: Finding[] = []
  if (watchableOwners.includes(owner) && !addressableOwners.includes(owner))
    findings.push({ path: '/owner', code: 'not-to-addresses', message: 'an address is told of items alone' })
  const [row] = await ctx.sql<{ domains: string[] }>`select g.mail_recipient_domains as domains from mail_general g
    where g.tenant_id = ${ctx.caller.tenantId} and not exists (select 1 from "user" u where u.tenant_id = g.tenant_id and lower(u.email) = ${email.toLowerCase()} and not u.deleted)`
  const domains = row?.domains ?? []
  if (domains.length > 0 && !domains.some(domain => isInDomain(email, domain)))
    findings.push({
      path: '/email',
      code: 'domain-not-allowed',
      message: `nothing is sent to ${email}: its domain is none of the mailRecipientDomains`,
    })
  return findings
}

/** Begins a watch; one that is there is brought to this level and answered. */
export async function createWatch(
  ctx: Context,
  values: Partial<WatchValues>,
  reason: number = watchReason.manual,
): Promise<{ watch: Watch; made: boolean }> {
  const nobody = !values.userId && !values.userGroupId && !values.email
  const given = watches.completed({ ...values, ...(nobody ? { userId: ctx.caller.userId } : {}) })
  const { userId, userGroupId, email, owner } = given
  const wish = { ...given, ownerId: given.ownerId.toLowerCase(), reason }
  const key = [ctx.caller.tenantId, owner, wish.ownerId, userId, userGroupId, email.toLowerCase()]
  // Of two who begin the same watch at once, one waits here and then finds it.
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`watch ${key.join(' ')}`}, 0))`
  const [known] = await ctx.sql<{
    id: Id
  }>`select id from watch where tenant_id = ${ctx.caller.tenantId} and not deleted and owner = ${owner} and owner_id = ${wish.ownerId}
    and user_id is not distinct from ${userId || null}::uuid and user_group_id is not distinct from ${userGroupId || null}::uuid and lower(email) = ${email.toLowerCase()}`
  if (!known) return { watch: await watches.create(ctx, wish), made: true }
  await demandWatchFor(ctx, wish)
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
  await demandWatchFor(ctx, await watches.get(ctx, id))
  return await watches.update(ctx, id, values, more)
}

export async function removeWatch(ctx: Context, id: Id, more: { expect?: Expect } = {}): Promise<Watch> {
  await demandWatchFor(ctx, await watches.get(ctx, id))
  return await watches.remove(ctx, id, more)
}

/** A watch that ended begins again. */
export async function restoreWatch(ctx: Context, id: Id): Promise<Watch> {
  await demandWatchFor(ctx, await watches.get(ctx, id, { deleted: true }))
  return await watches.restore(ctx, id)
}

/** Watches of one item become watches of another, unless the same people watch that one already; tells which did. */
export async function moveWatches(ctx: Context, where: Sql, to: Id): Promise<Id[]> {
  const found = await held(
    ctx,
    watches,
    sql`t.owner = ${ownerKind.item} and ${where} and not exists (select 1 from watch w where w.tenant_id = ${ctx.caller.tenantId} and w.owner = ${ownerKind.item} and w.owner_id = ${to} and not w.deleted
      and w.user_id is not distinct from t.user_id and w.user_group_id is not distinct from t.user_group_id and lower(w.email) = lower(t.email))`,
  )
  await rewrite(
    ctx,
    watches,
    found.map(watch => [watch, { ownerId: to }] as const),
  )
  return found.map(watch => watch.id)
}
