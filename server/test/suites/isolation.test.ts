import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { operatorId } from '../../src/kernel/id.ts'
import type { Answer } from '../support/answer.ts'
import { Builder, seedTenant } from '../support/builder.ts'
import { each, Findings } from '../support/findings.ts'
import { casesOf, isLong } from '../support/form.ts'
import { type Attempt, attemptsOf, essence } from '../support/isolation/attempts.ts'
import {
  digestOf,
  idsOf,
  removedComparisons,
  setRowLevelSecurity,
  withoutTenantComparison,
} from '../support/isolation/tenant-isolation.ts'
import { isRepeated, type KindAddress, kinds, type Op, op, operations } from '../support/operations.ts'
import { Person, serveOn, startTestService } from '../support/people.ts'

// No tenant sees, changes or learns of any data of another tenant. Each call with a foreign id in one place is compared
// with the same call with an id that does not exist: both must get the same answer. Two mechanisms isolate tenants, row
// level security and the comparison with the caller's tenant in every statement.
//
// - Each mechanism suffices alone: with the other one disabled, a super admin tries every operation with every place for
//   an id, at one address of each kind. A place in the body is tried when a record is created with one mechanism, and when it
//   is changed with the other, where both exist; a change is tried at one of its three operations. PUT and PATCH at the
//   address of a record are tried with one mechanism each, because they find it with the same code. So are the filters of a list,
//   by turns: each is one more condition in the statement of the list, which is tried without a filter with both. The direction
//   alternates from place to place, and is reversed for the other mechanism.
// - With both mechanisms, what leaks through neither alone cannot leak. So a super admin tries only the other addresses
//   of the kinds, with every place, and changes at one of their three operations.
// - No credential is special: each operation is tried in its first place for an id, by turns as a member and with an API
//   key. Permissions are checked before any id is read, and the tenant comes from the credential, so further places would
//   show nothing new.
// - Self-test: with both mechanisms disabled, the suite must find the operations that read.
//
// The short form divides the places between the mechanisms: each is tried without row level security or without the
// comparison, and every second operation with both. The long form tries every place as every caller, in both directions, with
// every mechanism.

const { ada, eve, base, databaseUrl, dataDir, person } = await startTestService()
const acme = new Builder(ada, 'ours')
const evil = new Builder(eve, 'theirs')
const { base: strippedBase } = await serveOn(withoutTenantComparison(databaseUrl), dataDir)

interface Side {
  name: string
  ours: Builder
  theirs: Builder
  callers: { name: Caller; person: Person }[]
}

const sides: Side[] = []

before(async () => {
  for (const builder of [acme, evil]) {
    await seedTenant(builder)
    for (const op of operations) for (const param of op.params) await builder.named(op, param)
  }
  for (const [ours, theirs] of [
    [acme, evil],
    [evil, acme],
  ] as const) {
    const member = await person({ name: ours.text() }, ours.person)
    const { RawKey } = await ours.person.post('/admin/api-key', { name: ours.text(), scopes: ['*:admin'] })
    const key = new Person(base, RawKey, ours.person.id, ours.person.tenantId)
    sides.push({
      name: ours.canary,
      ours,
      theirs,
      callers: [
        { name: 'super admin', person: ours.person },
        { name: 'member', person: member },
        { name: 'api key', person: key },
      ],
    })
  }
})

interface Plan {
  /** Selects the attempts. */
  chosen: (candidate: Candidate) => boolean
  /** The address of the service, if it is not the regular one. */
  at?: string
  /** The service is broken on purpose, so its answers need not be as described. */
  broken?: boolean
  ops?: readonly Op[]
}

type Caller = 'super admin' | 'member' | 'api key'

interface Candidate {
  op: Op
  caller: Caller
  slot: string
  /** Filters of lists alternate between the mechanisms. */
  filter: 'first turn' | 'second turn' | undefined
  /** The caller without special rights who tries this place: one of the two for the first place of each operation. */
  plainCaller: Caller | undefined
  /** Alternates the direction: every second attempt is made from the one tenant, the others from the other tenant. */
  isTurn: boolean
  /** The mechanism that the short form removes for this place. */
  removed: 'row level security' | 'comparison'
}

interface Try {
  attempt: Attempt
  name: string
  who: Person
}

const idsIn = (text: string): string[] => text.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? []

/** The operations that were tried on a service with a mechanism that works. */
const tried = new Set<string>()

// A tenant may store any text, including an id of another tenant, so an echo of the request does not count.
const sent = new Set<string>()

/** Lists what an answer contains of the other tenant. */
function leakIn(
  { body, headers }: Answer,
  content: string,
  canary: string,
  foreignIds: ReadonlySet<string>,
): string | undefined {
  const { instance: _, ...rest } = body !== null && typeof body === 'object' && !Array.isArray(body) ? body : { body }
  const text = `${JSON.stringify(rest)} ${[...headers].join(' ')}`.replaceAll(content || '\u0001', '')
  const at = text.indexOf(canary)
  if (at >= 0) return `a text of the other tenant: ${text.slice(Math.max(0, at - 60), at + 60)}`
  const id = idsIn(text).find(one => foreignIds.has(one) && !sent.has(one))
  return id && `an id of the other tenant: ${id}`
}

/** Makes all attempts from one side and reports every leak. */
async function attemptAll(found: Findings, { ours, theirs, callers }: Side, plan: Plan) {
  const foreignIds = await idsOf(databaseUrl, theirs.person.tenantId)
  foreignIds.delete(operatorId) // the system user, which exists in every tenant
  const stored = await digestOf(databaseUrl, theirs.person.tenantId)
  const { chosen, ops = operations } = plan
  const count = { attempts: 0, operations: new Set<string>(), reported: new Set<string>() }
  const tell = (op: string, what: string) => {
    count.reported.add(op)
    found.expect(false, what)
  }
  /** The answer to an id that does not exist. */
  const missedBy = async ({ attempt, who }: Try): Promise<string> => {
    const absent = attempt.absent()
    count.attempts++
    return essence(await attempt.send(who, absent), absent)
  }
  /** The answers of lists that nothing matches, by the list and the caller: they do not depend on the filter. */
  const nothing = new Map<string, Promise<string>>()
  const differs = async (one: Try, alone = false): Promise<string | undefined> => {
    const { attempt, name, who } = one
    const { op, slot, isFilter } = attempt
    const foreign = await attempt.foreign()
    for (const id of idsIn(foreign)) sent.add(id)
    const met = await attempt.send(who, foreign)
    count.attempts++
    count.operations.add(op.route)
    if (!plan.broken) tried.add(op.route)
    const where = `${op.route}, ${slot || 'no id'}, ${name}`
    const leak = leakIn(met, foreign, theirs.canary, foreignIds)
    if (leak) tell(op.route, `${where}: ${met.status} ${leak}`)
    if (leak || slot === '') return undefined
    const list = `${op.route} ${name}`
    const missing = (isFilter && !alone && nothing.get(list)) || missedBy(one)
    if (isFilter) nothing.set(list, missing)
    const [seen, missed] = [essence(met, foreign), await missing]
    if (seen === missed) return undefined
    return `${where}: differs\n  foreign ${seen.slice(0, 400)}\n  absent  ${missed.slice(0, 400)}`
  }
  const attempts = attemptsOf(ours, theirs, ops)
  const all: Try[] = callers.flatMap(({ name, person }) => {
    let filters = 0
    return attempts
      .filter(({ op, slot, isFilter }, i) => {
        const filter = isFilter ? (filters++ % 2 === 0 ? 'first turn' : 'second turn') : undefined
        const isTurn = i % 2 === (ours === acme ? 0 : 1)
        const number = operations.indexOf(op)
        const isFirst = attempts[i - 1]?.op !== op && (isSecondUpdate(op) || number % 4 < 2)
        const plainCaller = isFirst ? (number % 2 === 0 ? 'member' : 'api key') : undefined
        // In pairs, because single places alternate between the directions already.
        const removed = Math.floor(i / 2) % 2 === 0 ? 'row level security' : 'comparison'
        return isLong || chosen({ op, caller: name, slot, filter, plainCaller, isTurn, removed })
      })
      .map(attempt => ({ attempt, name, who: plan.broken ? at(person, plan.at).unchecked() : at(person, plan.at) }))
  })
  const doubtful: Try[] = []
  await each(all, async one => {
    found.checked++
    if (await differs(one)) doubtful.push(one)
  })
  // A conflict with another writer can change an answer, so a suspicious attempt is repeated alone.
  for (const one of doubtful) {
    const difference = await differs(one, true)
    if (difference) tell(one.attempt.op.route, difference)
  }
  for (const [table, digest] of Object.entries(await digestOf(databaseUrl, theirs.person.tenantId)))
    found.same(digest, stored[table], `what the other tenant has stored in ${table}`)
  return count
}

/** What is tried with the other mechanism only. */
interface LeftOut {
  removed: Candidate['removed']
  inBody: 'create' | 'update'
  inPath: 'PUT' | 'PATCH'
  filter: Candidate['filter']
}

/** Selects the attempts that prove that a mechanism suffices alone. */
function isForMechanism({ op, caller, slot, filter, removed }: Candidate, leftOut: LeftOut): boolean {
  if (caller !== 'super admin' || isRepeated(op)) return false
  if (filter) return filter !== leftOut.filter
  const { create, update } = kinds.find(kind => kind.update && (op === kind.create || op === kind.update)) ?? {}
  if (slot.startsWith('body') && (create || isSecondUpdate(op)))
    return !isSecondUpdate(op) && op !== (leftOut.inBody === 'create' ? create : update)
  if (slot.startsWith('path') && kinds.some(isChangedBothWays(op.path))) return op.method !== leftOut.inPath
  return removed !== leftOut.removed
}

/** PUT and PATCH at the address of a record find it with the same code. */
const isChangedBothWays = (path: string) => (kind: KindAddress) => kind.update?.path === path && op(`PATCH ${path}`)

/** PUT with the id in the body and PATCH read the same properties with the same code as PUT at the record's address. */
function isSecondUpdate(op: Op): boolean {
  return kinds.some(
    ({ update, updateByBody, get }) => op === updateByBody || (update && op.method === 'PATCH' && op.path === get.path),
  )
}

function at({ base: own, key, id, tenantId }: Person, other = own): Person {
  return new Person(other, key, id, tenantId)
}

test('no operation leaks another tenant’s data, for any id, caller or direction', async t => {
  const found = new Findings()
  let attempts = 0
  for (const side of sides) {
    const count = await attemptAll(found, side, {
      chosen: ({ op, caller, slot, plainCaller, isTurn }) =>
        isTurn &&
        (caller === plainCaller ||
          (caller === 'super admin' && isRepeated(op) && !(slot.startsWith('body') && isSecondUpdate(op)))),
    })
    attempts += count.attempts
  }
  t.diagnostic(`${attempts} attempts`)
  found.finish()
})

test('without row level security nothing leaks', async t => {
  const found = new Findings()
  await setRowLevelSecurity(databaseUrl, 'off')
  try {
    let attempts = 0
    for (const side of sides)
      attempts += (
        await attemptAll(found, side, {
          chosen: candidate =>
            candidate.isTurn &&
            isForMechanism(candidate, {
              removed: 'comparison',
              inBody: 'create',
              inPath: 'PATCH',
              filter: 'second turn',
            }),
        })
      ).attempts
    t.diagnostic(`${attempts} attempts`)
  } finally {
    await setRowLevelSecurity(databaseUrl, 'on')
  }
  found.finish()
})

test('without the tenant in any comparison nothing leaks', async t => {
  const found = new Findings()
  let attempts = 0
  for (const side of sides)
    attempts += (
      await attemptAll(found, side, {
        at: strippedBase,
        chosen: candidate =>
          !candidate.isTurn &&
          isForMechanism(candidate, {
            removed: 'row level security',
            inBody: 'update',
            inPath: 'PUT',
            filter: 'first turn',
          }),
      })
    ).attempts
  t.diagnostic(`${attempts} attempts, ${removedComparisons.count} comparisons removed`)
  assert.ok(removedComparisons.count > attempts, 'the comparisons were there')
  found.finish()
})

test('every operation was tried', () => {
  assert.deepEqual(
    operations.map(({ route }) => route).filter(route => !tried.has(route)),
    [],
  )
})

test('self-test: without both mechanisms, at least 95 % of the reading operations are found to leak', async t => {
  await setRowLevelSecurity(databaseUrl, 'off')
  try {
    const [side] = sides
    assert.ok(side)
    const { operations: asked, reported } = await attemptAll(new Findings(), side, {
      at: strippedBase,
      broken: true,
      // Every third one shows whether the suite can see; a leak of any of them looks the same.
      ops: casesOf(
        operations.filter(op => op.operation.mode === 'read'),
        3,
      ),
      chosen: ({ caller, slot }) => caller === 'super admin' && !slot.startsWith('query'),
    })
    // An operation without an id in the request and without a list in the answer cannot be asked for foreign records.
    const lists = new Set(operations.filter(op => op.answersList && !op.path.endsWith('/history')).map(op => op.route))
    // A row of a report consists of numbers, which the tests of the report compare.
    const isReport = (route: string) => route.startsWith('POST /insight/report/')
    // These list what is the same for all tenants, or what only a browser makes.
    const constant = [
      ...['GET /meta/codes', 'GET /meta/events', 'GET /meta/changelog', 'GET /admin/setting/registry'],
      ...['GET /user-group/pseudo', 'GET /session/all'],
    ]
    const able = [...asked].filter(
      route => /:\w+/.test(route) || (lists.has(route) && !isReport(route) && !constant.includes(route)),
    )
    const silent = able.filter(route => !reported.has(route))
    t.diagnostic(`${able.length - silent.length} of ${able.length} reported; not: ${silent.join(', ') || 'none'}`)
    assert.ok(silent.length <= able.length * 0.05, `not found: ${silent.join(', ')}`)
  } finally {
    await setRowLevelSecurity(databaseUrl, 'on')
  }
})

test('a key of one tenant is no key of another: idempotency, cursors and places in the log', async () => {
  const found = new Findings()
  const headers = { 'idempotency-key': 'the-same-for-both' }
  const first = await ada.ask('POST', '/clock', { body: { name: 'Both' }, headers })
  const second = await eve.ask('POST', '/clock', { body: { name: 'Both' }, headers })
  found.same([first.status, second.status, second.headers.get('idempotency-replayed')], [201, 201, null], 'idempotency')
  const page = await eve.ask('GET', '/clock?limit=1&sort=name')
  const borrowed = await ada.ask('GET', `/clock?limit=100&sort=name&cursor=${page.headers.get('x-next-cursor')}`)
  found.same([borrowed.status, JSON.stringify(borrowed.body).includes(evil.canary)], [200, false], 'a cursor')
  const [event] = await eve.get('/event?limit=1')
  const log = await ada.ask('GET', `/event?limit=1000&after=${event.seq}`)
  found.expect(
    log.status === 200 && log.body.every((one: { tenantId: string }) => one.tenantId === ada.tenantId),
    'the log',
  )
  found.finish()
})
