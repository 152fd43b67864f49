import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { Builder, type Made, seedTenant } from '../support/builder.ts'
import { each, Findings } from '../support/findings.ts'
import { isLong } from '../support/form.ts'
import {
  askAbout,
  logAnswers,
  onePersonPerRole,
  type RoleName,
  reading,
  roles,
  Secrets,
} from '../support/isolation/leak-search.ts'
import { kinds } from '../support/operations.ts'
import { type Person, sharedTestService } from '../support/people.ts'
import type { Body } from '../support/seeds/seeds.ts'

// Puts unique texts (canaries) into a private container, into confidential items, internal notes, private rooms and absences, and
// calls every operation that reads as six roles, in the short form as two of them by turns. No answer may contain a canary that
// is hidden from the caller: no list, record, search, report, history, event, change set, stream or refusal.

const home = await sharedTestService()
const { ada, person } = home

const withoutAdmins: ReadonlySet<RoleName> = new Set(['readOnly', 'requester', 'member', 'manager'])
const everybody: ReadonlySet<RoleName> = new Set(roles)

const inPrivate = new Builder(ada, 'private')
const ofConfidential = new Builder(ada, 'confidential')
const secrets = new Secrets(['private', 'confidential', 'spoken'])
let people = new Map<RoleName, Person>()
/** The change sets that made the records with secrets. */
const changeSets = new Set<string>()

before(async () => {
  people = await onePersonPerRole(home)
  await hideContainers()
  await hideItems()
  await speakInPrivate()
  await fallIll()
})

/** Creates a record of every kind, and makes the containers private afterwards: admins see them, other roles do not. */
async function hideContainers(): Promise<void> {
  const made = await seedTenant(inPrivate)
  const containers = idsOf(await ada.get('/container'), inPrivate.canary)
  for (const id of containers) await ada.must('PATCH', `/container/${id}`, { body: { private: true } })
  const items = idsOf(await ada.get('/item'), inPrivate.canary, item => containers.has(item.containerId))
  await keepSecret(made, new Set([...containers, ...items]), withoutAdmins, ['/field'])
}

/** Creates a record of every kind, and makes the items confidential afterwards: no role sees them. */
async function hideItems(): Promise<void> {
  const made = await seedTenant(ofConfidential)
  const items = idsOf(await ada.get('/item'), ofConfidential.canary)
  for (const id of items)
    await ada.must('PATCH', `/item/${id}`, { body: { visibility: 2, assignees: [], restrictedTo: [] } })
  await keepSecret(made, items, everybody, ['/field', '/label'])
}

/** Writes the reason of an absence, which colleagues must not read. */
async function fallIll(): Promise<void> {
  const note = new Builder(ada, 'spoken').text()
  const made = await ada.ask('POST', '/user', {
    body: { name: 'Ill', absence: [{ from: '2026-03-01', kind: 1, note }] },
  })
  changeSets.add(made.headers.get('change-set') ?? '')
  secrets.keep(note, 'absence', withoutAdmins)
}

/** Writes an internal note about a requester's own item, and messages in a room with other members. */
async function speakInPrivate(): Promise<void> {
  const text = new Builder(ada, 'spoken')
  const requester = people.get('requester')
  const friend = await person({ name: 'Friend' })
  const item = await ada.post('/item', { title: 'Printer', requesterId: requester?.id })
  const note = await ada.post('/annotation', { itemId: item.id, kind: 0, body: text.text() })
  for (const token of secrets.tokens(note)) secrets.keep(token, 'internal note', new Set(['requester']))
  const room = await ada.post('/chat', { name: text.text(), topic: text.text(), members: [ada.id, friend.id] })
  const said = await ada.post(`/chat/${room.id}/message`, { body: text.text() })
  for (const token of secrets.tokens([room, said])) secrets.keep(token, 'private room', everybody)
}

function idsOf(list: Body[], canary: string, also: (record: Body) => boolean = () => true): Set<string> {
  return new Set(list.filter(record => JSON.stringify(record).includes(canary) && also(record)).map(({ id }) => id))
}

/**
 * The texts of the records that are, or belong to, one of these are secret, unless another record has them too: the names
 * of fields and labels are those of the tenant.
 */
async function keepSecret(
  made: readonly Made[],
  ids: ReadonlySet<string>,
  hiddenFrom: ReadonlySet<RoleName>,
  openLists: readonly string[],
): Promise<void> {
  const isSecret = ({ record }: Made) => [...ids].some(id => JSON.stringify(record).includes(id))
  const open = new Set(made.filter(each => !isSecret(each)).flatMap(({ record }) => secrets.tokens(record)))
  for (const path of openLists) for (const token of secrets.tokens(await ada.get(path))) open.add(token)
  for (const each of made.filter(isSecret)) {
    changeSets.add(each.answer.headers.get('change-set') ?? '')
    for (const [property, value] of Object.entries(each.record))
      for (const token of secrets.tokens(value))
        if (!open.has(token)) secrets.keep(token, `${each.kind.entity}.${property}`, hiddenFrom)
  }
}

/** The operations that show what is hidden elsewhere, with the reason. */
const sanctioned: Record<string, string> = {
  'GET /tenant/export superAdmin': 'a tenant is moved or kept as a whole',
}

test('no operation that reads shows what is hidden from the caller', async t => {
  const found = new Findings()
  await each([...reading.entries()], async ([number, op]) => {
    // An operation that names no record answers the same for both. Admins see what is private.
    const alike = op.params.length === 0 && !op.operation.body
    for (const builder of alike ? [ofConfidential] : [inPrivate, ofConfidential])
      for (const [role, who] of people) {
        if (`${op.route} ${role}` in sanctioned) continue
        if (builder === inPrivate && !withoutAdmins.has(role)) continue
        if (!isLong && roles.indexOf(role) % 3 !== number % 3) continue
        const shown = secrets.leaks(await askAbout(op, builder, who), role)
        found.expect(shown.length === 0, `${op.route}: ${role} reads ${shown.slice(0, 5).join(', ')}`)
      }
  })
  t.diagnostic(`${reading.length} operations × ${people.size} roles, ${secrets.all.size} secrets`)
  found.finish(100)
})

test('no change set shows what is hidden from the caller', async () => {
  const found = new Findings()
  await each([...changeSets], async id => {
    for (const [role, who] of people) {
      const shown = secrets.leaks(await who.ask('GET', `/change/${id}`), role)
      found.expect(shown.length === 0, `GET /change/:id: ${role} reads ${shown.slice(0, 5).join(', ')}`)
    }
  })
  found.finish(100)
})

test('neither the log nor the stream shows what is hidden from the caller', async () => {
  const found = new Findings()
  for (const [role, who] of people)
    for await (const [path, answer] of logAnswers(who)) {
      const shown = secrets.leaks(answer, role)
      found.expect(shown.length === 0, `GET ${path}: ${role} reads ${shown.slice(0, 5).join(', ')}`)
    }
  found.finish(100)
})

test('self-test: whoever made the records reads their texts, so that a leak would be found', async () => {
  const read = new Set<string>()
  const plain = new Set(kinds.flatMap(({ list, get }) => [list, get]))
  await each([...reading.filter(op => plain.has(op) || op.route === 'GET /tenant/export')], async op => {
    for (const builder of [inPrivate, ofConfidential])
      for (const token of secrets.tokens((await askAbout(op, builder, ada)).body)) read.add(token)
  })
  assert.deepEqual(
    [...secrets.all].filter(([token]) => !read.has(token)).map(([, { where }]) => where),
    [],
  )
})
