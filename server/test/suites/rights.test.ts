import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { everyone, missing, type Role } from '../../src/kernel/access.ts'
import type { Operation, Routes } from '../../src/kernel/operation.ts'
import type { Answer } from '../support/answer.ts'
import { Builder, seedTenant } from '../support/builder.ts'
import { each, Findings } from '../support/findings.ts'
import { isLong } from '../support/form.ts'
import { allowed, roster, type Somebody } from '../support/isolation/roster.ts'
import { digestOf } from '../support/isolation/tenant-isolation.ts'
import { kinds, namedByParameter, type Op, operations } from '../support/operations.ts'
import { Person, retryUnavailable, serveRoutes, sharedTestService } from '../support/people.ts'
import type { Body } from '../support/seeds/seeds.ts'
import { beyondSeeds, subjectOf } from '../support/seeds/seeds.ts'

// Calls every operation as people with and without its permission, and compares the result with the declaration of the
// operation: who has the permission is let in (as a dry run, so that nothing changes for the next call), anybody else is
// refused at the edge. Roles do not include each other, so every role is tried with every permission. Each operation is
// also called by somebody whose role in one container allows it, about a record inside and about one outside, and by somebody
// whose role does not. The stored data must not change, which proves that no refused call had an effect.

const home = await sharedTestService()
const { ada, databaseUrl } = home
const here = new Builder(ada, 'here')
const elsewhere = new Builder(ada, 'elsewhere')

let people: Somebody[] = []

before(async () => {
  await seedTenant(here)
  await seedTenant(elsewhere)
  people = await roster(home, here)
  for (const op of operations)
    for (const builder of [here, elsewhere]) {
      await subjectOf(builder, op.route)
      for (const param of op.params) await builder.named(op, param)
    }
})

/** The query parameters that an operation requires. */
const queries: Record<string, string> = {
  'GET /admin/setting/effective': 'key=desk.greeting',
  'DELETE /time': 'ids=01890000-0000-7000-8000-000000000000',
  'DELETE /user': 'ids=01890000-0000-7000-8000-000000000000',
  'DELETE /label': 'ids=01890000-0000-7000-8000-000000000000',
  'DELETE /container': 'ids=01890000-0000-7000-8000-000000000000',
  'DELETE /link': 'ids=01890000-0000-7000-8000-000000000000',
  'DELETE /annotation': 'ids=01890000-0000-7000-8000-000000000000',
}

/** The headers that name the container of a new record, where no body does. */
const placeHeaders: Record<string, (container: string) => Record<string, string>> = {
  'POST /file/upload': id => ({ 'upload-metadata': `owner ${btoa('1')},ownerId ${btoa(id)}` }),
}

/** Returns the smallest valid request for the operation, about any record, or about one in a container. */
async function ask(op: Op, builder: Builder, who: Person, { placed = false, dryRun = false } = {}): Promise<Answer> {
  const kind = builder.kindAt(op) ?? kinds.find(one => one.updateByBody === op)
  const record = async () => {
    const subject = await subjectOf(builder, op.route)
    if (subject) return subject.id
    if (placed && kind?.entity === 'Container') return (await builder.one('Container')).id // the other records lie in this container
    if (kind) return (placed ? await builder.rich(kind.entity, kind.base) : await builder.spare(kind)).id
    return (await builder.one(op.entity ?? '')).id
  }
  const params = await builder.params(op)
  if (placed && params.fileId) params.fileId = (await builder.rich('File')).id
  if (kind && op.params.includes(kind.idName)) params[kind.idName] = await record()
  else if (await subjectOf(builder, op.route)) params.id = await record()
  // Most patches may be empty; required properties are filled in.
  const demands = op.method === 'POST' || (op.operation.body?.schema.required ?? []).length > 0
  let body: Body = demands ? await builder.bodyOf(op, { all: false }) : {}
  if (placed && op.method === 'POST') body = await inContainer(op, builder, body)
  if (op === kind?.updateByBody) body = { id: await record() }
  const query = [queries[op.route] ?? '', dryRun && op.operation.mode !== 'read' ? 'dryRun=true' : ''].filter(Boolean)
  const path = query.length > 0 ? `${op.path}?${query.join('&')}` : op.path
  const sent = op.operation.body || op.operation.form ? body : undefined
  const place = placed ? placeHeaders[op.route]?.((await builder.one('Container')).id) : undefined
  return await retryUnavailable(() => builder.send({ ...op, path }, params, sent, { 'if-match': '*', ...place }, who))
}

/** A body that names the place of the new record. */
async function inContainer({ operation }: Op, builder: Builder, body: Body): Promise<Body> {
  const { items, properties = items?.properties ?? {} } = operation.body?.schema ?? operation.form?.schema ?? {}
  const { id } = await builder.one('Container')
  const place =
    'containerId' in properties ? { containerId: id } : 'owner' in properties ? { owner: 1, ownerId: id } : {}
  return items ? [{ ...body[0], ...place }] : { ...body, ...place }
}

/** The operations where the record decides and not the role, with the reason. */
const byRecord: Record<string, string> = {
  'POST /annotation': 'requesters write about their items only',
  'PUT /annotation': 'only the author or a manager',
  'PUT /annotation/:id': 'only the author or a manager',
  'PATCH /annotation/:id': 'only the author or a manager',
  'DELETE /annotation/:id': 'only the author or a manager',
  'POST /annotation/:id/restore': 'only the author or a manager',
  'POST /annotation/:id/publish': 'only the author or a manager',
  'POST /ticket/:id/csat': 'only the requester rates it',
  'POST /ticket/:id/close': 'requesters close their own',
  'POST /ticket/:id/reopen': 'requesters reopen their own',
  'DELETE /chat/:id': 'only the creator or a manager',
  'POST /chat/:id/restore': 'only the creator or a manager',
  'PUT /chat/:id/message/:messageId': 'only the author',
  'PATCH /chat/:id/message/:messageId': 'only the author',
  'DELETE /chat/:id/message/:messageId': 'only the author',
  'POST /watch': 'everybody for themselves, managers also for others',
  'PUT /watch': 'their own watches, managers also those of others',
  'PUT /watch/:id': 'their own watches, managers also those of others',
  'PATCH /watch/:id': 'their own watches, managers also those of others',
  'DELETE /watch/:id': 'their own watches, managers also those of others',
  'POST /watch/:id/restore': 'their own watches, managers also those of others',
  'POST /item/:id/break-glass': 'the creator needs no break-glass',
  'POST /item/:id/approve': 'only members of the approving group',
  'POST /item/:id/reject': 'only members of the approving group',
  'POST /time/sheet/day': 'everybody makes their own, managers those of others',
  'POST /time/sheet/:id/submit': 'only the owner, or whoever books their time',
  'POST /time/sheet/:id/recall': 'only the owner',
  'POST /time/sheet/:id/approve': 'only an approver of the person or of the project',
  'POST /time/sheet/:id/reject': 'only an approver of the person or of the project',
  'POST /time/sheet/:id/reopen': 'only an approver of the person or of the project',
  'POST /tenant': 'only an operating tenant creates tenants',
  'GET /tenant/all': 'only an operating tenant lists tenants',
  'GET /tenant/erased': 'only an operating tenant lists tenants',
  'POST /tenant/import': 'only an operating tenant creates tenants',
  'DELETE /tenant/:id': 'nobody closes their own, and others are not there',
  'POST /tenant/:id/suspend': 'nobody suspends their own, and others are not there',
  'POST /tenant/:id/activate': 'nobody activates their own, and others are not there',
  'POST /user/:id/password': 'everybody sets their own, a super admin anybody’s',
  'GET /user/:id/second-factor': 'everybody sees their own, an admin that of others',
  'GET /user/:id/session': 'everybody sees their own, an admin those of others',
  'DELETE /user/:id/session': 'everybody ends their own, an admin those of others',
  'GET /user/:id/consent': 'everybody sees their own, an admin those of others',
  'DELETE /user/:id/consent/:consentId': 'everybody takes back their own, an admin those of others',
  'DELETE /user/:id/session/:sessionId': 'everybody ends their own, an admin those of others',
  'DELETE /user/:id/second-factor': 'an admin removes that of others, and nobody their own in this way',
  'POST /admin/setting': 'everybody makes their own settings, admins those of others',
  'POST /container': 'a container lies in no other, so a role in one makes none',
  'POST /time/leave': 'everybody for themselves, their manager and admins also for others',
  'GET /user/:id/balance': 'everybody sees their own, managers those of others',
  'POST /insight/report/user-timesheet': 'everybody sees their own sheet, managers those of others',
}

/** The operations for records that their author and the managers of the tenant may see, or their owner alone. */
const theirsOnly = new Set([
  'GET /change/:id',
  'POST /change/:id/undo',
  'DELETE /user/me/calendar-feed/:feedId',
  'GET /file/upload/:id',
  'PATCH /file/upload/:id',
  'DELETE /file/upload/:id',
  'GET /rule/dry-run/job/:id',
  'GET /rule/dry-run/job/:id/result',
  'POST /rule/dry-run/job/:id/cancel',
])

/** The kinds of which users see only their own records. */
const ownOnly: Record<string, readonly Role[]> = {
  ApiKey: ['readOnly', 'requester', 'member', 'manager', 'admin'],
  UserIdentity: ['readOnly', 'requester', 'member', 'manager', 'admin'],
  AppSetting: ['readOnly', 'requester', 'member', 'manager'],
  Time: ['readOnly', 'requester', 'member'],
  // Those of others are for their managers and for admins.
  Leave: ['member', 'manager'],
  LeaveAllowance: ['member', 'manager'],
  Timesheet: ['readOnly', 'requester', 'member'],
  TimeDelegation: ['member', 'manager'],
  SavedReport: ['readOnly', 'member', 'manager'],
  User: ['requester'],
  Item: ['requester'],
  Link: ['requester'],
  Annotation: ['requester'],
  Ticket: ['requester'],
  File: ['requester'],
  Document: ['requester'],
  DocumentContent: ['requester'],
  ChatRoom: ['requester'],
  ChatMessage: ['requester'],
  Watch: ['requester'],
  Approval: ['requester'],
  // Records that belong to no item are for admins.
  MailMessage: ['readOnly', 'member', 'manager'],
  OutboundMail: ['readOnly', 'member', 'manager'],
}

/** What is said to a caller who lacks the permission of an operation. */
function needed({ operation: { permission } }: Op, { scopes = [] }: Somebody): string {
  return missing({ scopes }, permission)
}

/** The first operation of each permission. */
const firsts = new Set(
  new Map(
    operations.toReversed().map(op => [`${op.operation.permission.name} ${op.operation.permission.roles}`, op]),
  ).values(),
)

/**
 * The people who try an operation. Whether a role has a permission is decided in one place, so everybody tries the first
 * operation of each permission, in the short form every second person. Any other operation must only prove that it asks for its
 * permission: one person who has it and one who lacks it try it, by turns; so does the requester, for whom many operations have
 * code of their own.
 */
function callersOf(op: Op): Somebody[] {
  const all = ofTenant()
  const requester = all.find(who => who.roles.includes('requester'))
  return chosenOf(op, all, [requester, ...(firsts.has(op) ? everySecond(op, all) : [])])
}

/** In the short form every second person, by turns the one half or the other. */
function everySecond(op: Op, all: Somebody[]): Somebody[] {
  return isLong ? all : all.filter((_, i) => i % 2 === [...firsts].indexOf(op) % 2)
}

/** One of these people who has the permission of an operation, and one who lacks it, by turns, and some more. */
function chosenOf(op: Op, all: Somebody[], more: readonly (Somebody | undefined)[]): Somebody[] {
  const oneOf = (some: Somebody[]) => some[operations.indexOf(op) % some.length]
  const chosen = [oneOf(all.filter(who => allowed(op, who))), oneOf(all.filter(who => !allowed(op, who))), ...more]
  return all.filter(who => chosen.includes(who))
}

const ofTenant = () => people.filter(one => !one.inContainer)

/** The people with a role in one container who try an operation, chosen in the same way. */
function localCallersOf(op: Op): Somebody[] {
  const all = people.filter(one => one.inContainer)
  return chosenOf(op, all, firsts.has(op) ? everySecond(op, all) : [])
}

/** Tries each operation as each caller, and reports whoever gets further, or less far, than declared. */
async function matrix(found: Findings, ops: readonly Op[], at?: string): Promise<Set<string>> {
  const reported = new Set<string>()
  await each(ops, async op => {
    for (const who of callersOf(op)) {
      found.checked++
      const caller = at ? new Person(at, who.person.key, who.person.id, who.person.tenantId).unchecked() : who.person
      const may = allowed(op, who)
      const { status, body } = await ask(op, here, caller, { dryRun: may })
      const edge = status === 403 && body?.detail === needed(op, who)
      const entity = namedByParameter(op, op.params.at(-1) ?? '') ?? op.entity ?? ''
      const unseen =
        (status === 404 && theirsOnly.has(op.route)) ||
        ((status === 404 || body?.code === 'unknown-reference') &&
          who.roles.some(role => ownOnly[entity]?.includes(role)))
      const unproved = [400, 404, 422].includes(status) && beyondSeeds.has(op.route)
      const decided = unproved || ([403, 422].includes(status) && !edge && op.route in byRecord)
      if (may ? status < 300 || unseen || decided : edge) continue
      reported.add(op.route)
      found.expect(
        false,
        `${op.route}: ${who.name} ${may ? 'may' : 'may not'}, and gets ${status} ${body?.detail ?? ''}`,
      )
    }
  })
  return reported
}

test('every operation admits the roles that it declares, and no others', async t => {
  const found = new Findings()
  for (const kind of kinds) await here.spare(kind)
  const stored = await digestOf(databaseUrl, ada.tenantId)
  await matrix(found, operations)
  for (const [table, digest] of Object.entries(await digestOf(databaseUrl, ada.tenantId)))
    if (table !== 'container_number')
      found.same(digest, stored[table], `what is stored in ${table} after nothing but refusals and dry runs`)
  t.diagnostic(`${operations.length} operations, ${people.length} people, ${found.checked} calls`)
  found.finish(60)
})

test('a role in one container reaches the records in it, and no others', async t => {
  const found = new Findings()
  const stored = await digestOf(databaseUrl, ada.tenantId)
  await each(operations, async op => {
    for (const who of localCallersOf(op)) {
      const tell = (where: string, { status, body }: Answer) =>
        found.expect(false, `${op.route}: ${who.name}, ${where}, gets ${status} ${body?.detail ?? around(body)}`)
      found.checked++
      const may = allowed(op, who)
      const inside = await ask(op, here, who.person, { placed: true, dryRun: may })
      const edge = inside.status === 403 && inside.body?.detail === needed(op, who)
      const own =
        beyondSeeds.has(op.route) ||
        (inside.status === 403 && op.route in byRecord) ||
        (inside.status === 404 && (theirsOnly.has(op.route) || liesInNone(op)))
      if (may ? inside.status >= 300 && !own : !edge) tell('inside', inside)
      if (!may) continue
      const outside = await ask(op, elsewhere, who.person, { placed: true, dryRun: oneself.has(op.route) })
      if (!kept(op, outside)) tell('outside', outside)
    }
  })
  for (const [table, digest] of Object.entries(await digestOf(databaseUrl, ada.tenantId)))
    if (!['container_number', 'notification_preference'].includes(table))
      found.same(digest, stored[table], `what is stored in ${table}`)
  t.diagnostic(`${found.checked} calls`)
  found.finish(40)
})

/** An answer as text, without the tenant's own fields, which are the same everywhere. */
function textOf(body: unknown): string {
  return JSON.stringify(body, (key, value) => (key === 'Field' ? undefined : value)) ?? ''
}

/** Finds where an answer contains a record from outside of the container. */
function around(body: unknown): string {
  const at = textOf(body).indexOf(elsewhere.canary)
  return at < 0 ? '' : textOf(body).slice(Math.max(0, at - 100), at + 60)
}

/** The operations that return the text they were sent. */
const echoes = new Set(['POST /content-template/preview'])

/** The operations that answer everybody, with what they may see. */
const tables = new Set([
  'POST /insight/query',
  'GET /insight/drill/:token',
  'POST /item/compare',
  'POST /item/count',
  'POST /batch',
  'OPTIONS /file/upload',
])

/** The operations about the caller themselves, whatever role they have. */
const oneself = new Set([
  'POST /notification/inbox/read',
  'POST /notification/inbox/archive',
  'POST /notification/inbox/snooze',
  'PUT /notification/preference',
  'POST /insight/saved',
])

/**
 * Tells whether no record from outside was reached: the call was refused as a whole or row by row, or the list omits
 * it.
 */
function kept({ method, params, route }: Op, { status, body }: Answer): boolean {
  if (echoes.has(route) || oneself.has(route)) return true
  const lists = method === 'GET' || (Array.isArray(body) && !body.some(row => row.outcome))
  const reads = tables.has(route) || (params.length === 0 && lists)
  if (reads) return !textOf(body).includes(elsewhere.canary)
  if (Array.isArray(body)) return body.every(row => row.outcome === 'failed')
  return [403, 404, 422].includes(status)
}

/** Sheets and saved reports lie in no container, so a role in one shows none of others. */
function liesInNone({ path }: Op): boolean {
  return path.startsWith('/time/sheet/') || path.startsWith('/insight/saved')
}

function twentyOf(ops: readonly Op[]): Op[] {
  return ops.filter((_, i) => Math.floor((i * 20) / ops.length) !== Math.floor(((i - 1) * 20) / ops.length))
}

test('self-test: the suite detects every removed permission check', async t => {
  const guarded = operations.filter(
    ({ operation: { permission, placed } }) => !placed && permission.roles.length < everyone.length - 1,
  )
  // A sample of twenty, at even distances.
  const chosen = twentyOf(guarded)
  const open = ({ operation }: Op): Operation => ({
    ...operation,
    permission: { ...operation.permission, roles: everyone },
  })
  const tampered: Routes = Object.fromEntries(chosen.map(op => [op.route, open(op)]))
  const reported = await matrix(new Findings(), chosen, await serveRoutes(home, tampered))
  t.diagnostic(`${reported.size} of ${chosen.length} found: ${chosen.map(op => op.route).join(', ')}`)
  assert.deepEqual(
    chosen.filter(op => !reported.has(op.route)),
    [],
  )
})
