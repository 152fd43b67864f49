import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import Fastify from 'fastify'
import ICAL from 'ical.js'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { itemVisibility } from '../../items/item/item.ts'
import { statusCategory } from '../../items/status.ts'
import { roleCode } from '../../kernel/access.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { mountCalendarFeeds } from './calendar-feed.ts'
import { iCalendar } from './icalendar.ts'

const { ada, bob, nobody, person, database } = await sharedTestService()

let manager: Person
before(async () => {
  manager = await person({ name: 'Planner', role: roleCode.manager })
})

const now = Date.now()
const inDays = (days: number) => new Date(now + days * 86_400_000).toISOString().slice(0, 10)
const feed = (who: Person, name = 'Phone') => who.post('/user/me/calendar-feed', { name })
const pathOf = ({ url }: { url: string }) => `//${new URL(url).pathname.slice(1)}`
const read = (made: { url: string }, headers: Record<string, string> = {}) =>
  nobody.ask('GET', pathOf(made), { headers })

interface Entry {
  uid: string
  summary: string
  from: string
  /** The day after the last one. */
  end: string
  isDate: boolean
  status: string
}

async function entries(made: { url: string }): Promise<Entry[]> {
  const { status, body } = await read(made)
  assert.equal(status, 200)
  return parsed(body)
}

function parsed(text: string): Entry[] {
  const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
  return events.map(each => {
    const { uid, summary, startDate, endDate } = new ICAL.Event(each)
    const status = String(each.getFirstPropertyValue('status'))
    return { uid, summary, from: startDate.toString(), end: endDate.toString(), isDate: startDate.isDate, status }
  })
}

const titled = (all: Entry[], summary: string) => all.filter(each => each.summary.includes(summary))

describe('a calendar feed', () => {
  test('has the allocations, the leave and the due items of its user, as whole days', async () => {
    const zoe = await person({ name: 'Zoe', timezone: 'Pacific/Auckland' })
    const container = await ada.post('/container', { name: 'Harbour' })
    const item = await ada.post('/item', {
      containerId: container.id,
      title: 'Crane; big, old',
      assignees: [zoe.id],
      dueDate: inDays(5),
    })
    const plan = (more: object) =>
      manager.post('/plan', { userId: zoe.id, from: inDays(1), to: inDays(3), amount: 60, ...more })
    await plan({ owner: ownerKind.item, ownerId: item.id })
    await plan({ owner: ownerKind.container, ownerId: container.id, tentative: true })
    await plan({ note: 'A draft', state: 0 })
    const daily = 'FREQ=DAILY;INTERVAL=3'
    await plan({ note: 'Repeated', from: inDays(10), to: inDays(16), recurrence: daily })
    await zoe.post('/time/leave', { from: inDays(20), to: inDays(20), fromHalf: 2 })
    await ada.post('/item', { containerId: container.id, title: 'Of somebody else', dueDate: inDays(5) })
    const all = await entries(await feed(zoe))
    assert.ok(all.every(each => each.isDate))
    const [work] = all.filter(each => each.summary === `${item.key} Crane; big, old`)
    assert.deepEqual([work?.from, work?.end, work?.status], [inDays(1), inDays(4), 'CONFIRMED'])
    const [tentative] = all.filter(each => each.summary === 'Harbour')
    assert.equal(tentative?.status, 'TENTATIVE')
    const [due] = titled(all, 'Due:')
    assert.deepEqual([due?.from, due?.end, due?.summary], [inDays(5), inDays(6), `Due: ${item.key} Crane; big, old`])
    assert.deepEqual(
      titled(all, 'Planned work').map(each => [each.from, each.end]),
      [10, 13, 16].map(days => [inDays(days), inDays(days + 1)]),
    )
    const [leave] = titled(all, 'Holiday')
    assert.deepEqual([leave?.summary, leave?.from, leave?.end], ['Holiday (afternoon)', inDays(20), inDays(21)])
    assert.equal(new Set(all.map(each => each.uid)).size, all.length)
    assert.equal(all.length, 7)
  })

  test('shows what its user may see now', async () => {
    const max = await person({ name: 'Max' })
    const container = await ada.post('/container', { name: 'Vault' })
    const made = await feed(max)
    const assigned = await ada.post('/item', {
      containerId: container.id,
      title: 'Combination',
      assignees: [max.id],
      dueDate: inDays(2),
    })
    const planned = await ada.post('/item', { containerId: container.id, title: 'Blueprint' })
    const days = { from: inDays(1), to: inDays(1), unit: 0, amount: 60 }
    await manager.post('/plan', { userId: max.id, owner: ownerKind.item, ownerId: planned.id, ...days })
    const seen = async () => (await entries(made)).map(each => each.summary).sort()
    assert.deepEqual(await seen(), [`Due: ${assigned.key} Combination`, `${planned.key} Blueprint`])
    const confidential = { visibility: itemVisibility.confidential }
    await ada.must('PATCH', `/item/${planned.id}`, { body: { ...confidential, assignees: [ada.id] } })
    assert.deepEqual(await seen(), [`Due: ${assigned.key} Combination`, 'Vault'])
    await ada.must('PATCH', `/container/${container.id}`, { body: { private: true } })
    assert.deepEqual(await seen(), ['Planned work'])
    await ada.must('PATCH', `/container/${container.id}`, { body: { private: false } })
    await ada.must('PATCH', `/item/${assigned.id}`, { body: { statusCategory: statusCategory.done } })
    assert.deepEqual(await seen(), ['Vault'])
  })

  test('says which allocations were cancelled lately', async () => {
    const ida = await person({ name: 'Ida' })
    const made = await feed(ida)
    const days = { from: inDays(1), to: inDays(1), unit: 0, amount: 60 }
    const plan = await manager.post('/plan', { userId: ida.id, ...days })
    const [first] = await entries(made)
    await manager.must('DELETE', `/plan/${plan.id}`)
    const [last] = await entries(made)
    assert.deepEqual([first?.status, last?.status, last?.uid], ['CONFIRMED', 'CANCELLED', first?.uid])
  })

  test('is cached privately by its ETag, and is listed without its address', async () => {
    const lea = await person({ name: 'Lea' })
    const made = await feed(lea, 'Laptop')
    const first = await read(made)
    const etag = first.headers.get('etag') ?? ''
    assert.deepEqual(
      [first.headers.get('content-type'), first.headers.get('cache-control')],
      ['text/calendar; charset=utf-8', 'private, no-cache'],
    )
    assert.equal((await read(made, { 'if-none-match': etag })).status, 304)
    await manager.post('/plan', { userId: lea.id, from: inDays(1), to: inDays(1), amount: 60 })
    assert.equal((await read(made, { 'if-none-match': etag })).status, 200)
    const [listed] = await lea.get('/user/me/calendar-feed')
    assert.deepEqual(Object.keys(listed).sort(), ['created', 'id', 'lastUsed', 'name'])
    assert.notEqual(listed.lastUsed, null)
    const token = new URL(made.url).pathname.split('/').at(-1)?.slice(0, -4) ?? ''
    const text = await database.single(tenantCaller(lea.tenantId), async ctx =>
      JSON.stringify(
        await ctx.sql`select name, encode(digest, 'escape') as digest from calendar_feed f
        where f.tenant_id = ${lea.tenantId} and f.user_id = ${lea.id}`,
      ),
    )
    assert.ok(token.length >= 43 && !text.includes(token))
  })

  test('ends when it is revoked, or when its user leaves', async () => {
    const tom = await person({ name: 'Tom' })
    const [kept, revoked] = [await feed(tom, 'Kept'), await feed(tom, 'Lost')]
    assert.equal((await bob.ask('DELETE', `/user/me/calendar-feed/${revoked.id}`)).status, 404)
    await tom.delete(`/user/me/calendar-feed/${revoked.id}`)
    assert.equal((await tom.ask('DELETE', `/user/me/calendar-feed/${revoked.id}`)).status, 404)
    assert.equal((await read(revoked)).status, 404)
    assert.equal((await nobody.ask('GET', '//calendar/nonsense.ics')).status, 404)
    assert.equal((await read(kept)).status, 200)
    await ada.post(`/user/${tom.id}/deactivate`, {})
    assert.equal((await read(kept)).status, 404)
    await ada.post(`/user/${tom.id}/reactivate`, {})
    assert.equal((await read(kept)).status, 404)
  })

  test('is one of at most fifty of a user, also when several are made at once', async () => {
    const ned = await person({ name: 'Ned' })
    const asked = Array.from({ length: 52 }, (_, n) =>
      ned.ask('POST', '/user/me/calendar-feed', { body: { name: `Feed ${n}` } }),
    )
    const answers = await Promise.all(asked)
    const refused = answers.filter(each => each.status !== 201)
    assert.deepEqual(
      refused.map(({ status, body }) => `${status} ${body.code}`),
      ['422 too-many-feeds', '422 too-many-feeds'],
    )
  })
})

test('addresses are tried, and a feed is read, a limited number of times a minute', async () => {
  const lou = await person({ name: 'Lou' })
  const made = await feed(lou)
  const app = Fastify()
  app.setErrorHandler((error: Refusal, _request, reply) => reply.code(error.status).headers(error.headers).send())
  mountCalendarFeeds(app, database, 1)
  const ask = async (path: string) => (await app.inject({ url: path })).statusCode
  const { pathname } = new URL(made.url)
  assert.deepEqual([await ask(pathname), await ask(pathname)], [200, 429])
  assert.deepEqual([await ask('/calendar/unknown.ics'), await ask('/calendar/unknown.ics')], [404, 429])
  await app.close()
})

test('the text has lines of at most 75 bytes, and no control characters', () => {
  const event = {
    uid: 'a@gantry',
    sequence: 1,
    updated: new Date('2026-03-29T01:30:00Z'),
    from: '2026-03-29',
    to: '2026-03-29',
    summary: `${'Überprüfung '.repeat(20)}\u0007\r\nSecond line, with; signs \\ 😀`,
    status: 'CONFIRMED' as const,
    busy: true,
  }
  const text = iCalendar('Ada', [event])
  for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line)
  assert.ok(!/[\u0000-\u0009\u000b\u000c\u000e-\u001f]/.test(text))
  // The day on which summer time begins has 23 hours, and is one day.
  const [read] = parsed(text)
  assert.deepEqual([read?.from, read?.end], ['2026-03-29', '2026-03-30'])
  assert.ok(read?.summary.endsWith('\nSecond line, with; signs \\ 😀'))
  assert.match(text, /DTSTART;VALUE=DATE:20260329\r\nDTEND;VALUE=DATE:20260330/)
})
