import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../../../test/support/engines.ts'
import { sharedTestService } from '../../../test/support/people.ts'
import { sharedReceiver } from '../../../test/support/servers/receiver.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { roleCode } from '../../kernel/access.ts'
import { operator } from '../../language/conditions/operators/operators.ts'
import { csvOf } from '../../language/csv.ts'
import { type Cadence, nextRunAfter } from './cadence.ts'
import { limitMatches } from './limiter.ts'
import { interval, limiter as limiterCode } from './notification-codes.ts'

describe('runs of notifications', async () => {
  const elsewhere = await sharedReceiver()
  const home = await sharedTestService(elsewhere.env)
  const { ada, bob, person, database } = home
  const running = await engines(home, elsewhere.env)
  const carl = await person({ name: 'Carl', email: 'carl@example.com' })
  const desk = await ada.post('/container', { name: 'Desk' })
  const team = await ada.post('/user-group', { name: 'Team', members: [bob.id, carl.id] })

  const urgent = [{ condition: [{ leftSide: 'priority', operator: operator.equals, rightSide: '1' }] }]
  const make = async (values: object = {}) =>
    await ada.post('/notification', {
      name: 'Urgent',
      active: true,
      container: [desk.id],
      interval: interval.daily,
      conditionGroup: urgent,
      recipientUserGroup: [team.id],
      ...values,
    })
  const item = async (values: object = {}) =>
    await ada.post('/item', { title: 'Fire', containerId: desk.id, priority: 1, ...values })

  interface Mail {
    to: string[]
    subject: string
    text: string
    attachments: { text: string }[]
    list: object
  }

  async function query<T>(text: (ctx: Parameters<Parameters<typeof database.single>[1]>[0]) => Promise<T>): Promise<T> {
    return await database.single(tenantCaller(ada.tenantId), text)
  }

  /** Returns the mails queued since the last call. */
  async function mails(): Promise<Mail[]> {
    await running.settle()
    const all = await query(
      ctx =>
        ctx.sql<Mail>`select "to", subject, body_text as text, attachments, list from outbound_mail where tenant_id = ${ada.tenantId} order by id`,
    )
    const fresh = all.slice(counted)
    counted = all.length
    return fresh
  }
  let counted = 0
  const addressees = (sent: Mail[]) => sent.map(mail => mail.to[0]).sort()

  /** Makes the planned run due. */
  async function come(id: string): Promise<void> {
    await running.settle()
    await query(
      ctx => ctx.sql`update queued_job set run_at = now(), payload = jsonb_set(payload, '{planned}', to_jsonb(to_char(now() - interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
        where tenant_id = ${ada.tenantId} and lane = ${`notification key ${id}`}`,
    )
    await running.settle()
  }

  test('each member of the group gets one mail with the records they may see, and nobody an empty one', async () => {
    const secret = await ada.post('/container', { name: 'Secret', private: true })
    const notification = await make({
      container: [desk.id, secret.id],
      recipientEmail: ['Boss@example.com', 'bob@example.com'],
    })
    assert.equal(notification.lastRun, null)
    assert.ok(Date.parse(notification.nextRun) > Date.now())
    await come(notification.id)
    assert.deepEqual(await mails(), [])
    await item({ title: 'Kitchen' })
    await ada.post('/item', { title: 'Vault', containerId: secret.id, priority: 1 })
    await come(notification.id)
    const sent = await mails()
    assert.deepEqual(addressees(sent), ['bob@example.com', 'boss@example.com', 'carl@example.com'])
    for (const mail of sent) {
      const whole = mail.to[0] === 'boss@example.com'
      assert.equal(mail.subject, `Urgent: ${whole ? 2 : 1}`)
      assert.ok(mail.text.includes('Kitchen') && mail.text.includes('You get “Urgent” because'))
      assert.equal(mail.text.includes('Vault'), whole)
      assert.partialDeepStrictEqual(mail.list, { topic: 'notification', key: notification.id })
    }
    const { lastCount, lastRun, nextRun } = await ada.get(`/notification/${notification.id}`)
    assert.equal(lastCount, 2)
    assert.ok(Date.parse(lastRun) < Date.parse(nextRun))
    const [run, empty] = await ada.get(`/notification/${notification.id}/log`)
    assert.deepEqual(
      [run.outcome, run.count, run.sent.map((each: { kind: string; count: number }) => `${each.kind} ${each.count}`)],
      [0, 2, ['email 2', 'user 1', 'user 1']],
    )
    assert.deepEqual([empty.outcome, empty.sent], [1, []])
    await ada.delete(`/notification/${notification.id}`)
    await ada.put(`/item/${(await ada.get('/item?title=Vault'))[0].id}`, { priority: 0 })
  })

  test('a planned time runs once, however often it is attempted', async () => {
    const notification = await make({ limiter: limiterCode.none })
    const planned = new Date(Date.now() - 5000).toISOString()
    for (const lane of ['a', 'b', 'c'])
      await query(
        ctx => ctx.sql`insert into queued_job (tenant_id, lane, id, task, payload) values (${ada.tenantId}, ${lane}, ${crypto.randomUUID()}, 'notification',
          ${JSON.stringify({ id: notification.id, planned })}::jsonb)`,
      )
    assert.deepEqual(addressees(await mails()), ['bob@example.com', 'carl@example.com'])
    assert.equal((await ada.get(`/notification/${notification.id}/log`)).length, 1)
    await ada.delete(`/notification/${notification.id}`)
  })

  test('an inactive notification runs on request only', async () => {
    const notification = await make({ active: false })
    assert.equal(notification.nextRun, null)
    const { body, status } = await ada.ask('POST', `/notification/${notification.id}/run`)
    assert.deepEqual([status, body.count], [202, 1])
    assert.equal((await mails()).length, 2)
    assert.equal((await bob.ask('POST', `/notification/${notification.id}/run`)).status, 403)
    const seen = await ada.post(`/notification/${notification.id}/preview`, undefined)
    assert.deepEqual([seen.count, seen.recipients, seen.messages[0].subject], [1, 2, 'Urgent: 1'])
    assert.deepEqual(await mails(), [])
  })

  test('new matches are reported once, and again after they stopped matching', async () => {
    const notification = await make({
      limiter: limiterCode.newMatches,
      recipientUserGroup: [],
      recipientEmail: ['boss@example.com'],
    })
    const subjects = async () => {
      await come(notification.id)
      return (await mails()).map(mail => mail.subject)
    }
    assert.deepEqual(await subjects(), ['Urgent: 1'])
    assert.deepEqual(await subjects(), [])
    const { id } = await item({ title: 'Cellar' })
    assert.deepEqual(await subjects(), ['Urgent: 1'])
    await ada.put(`/item/${id}`, { priority: 4 })
    assert.deepEqual(await subjects(), [])
    await ada.put(`/item/${id}`, { priority: 1 })
    assert.deepEqual(await subjects(), ['Urgent: 1'])
    await ada.delete(`/notification/${notification.id}`)
  })

  test('a cap limits the list and counts the rest; groups have names; CSV cells are no formulas', async () => {
    for (let i = 0; i < 12; i++)
      await item({ title: i === 0 ? '=cmd()' : `Fire ${i}`, assignees: i < 2 ? [bob.id] : [] })
    const notification = await make({
      limiter: 10,
      format: 2,
      groupBy: 'assignee',
      recipientUserGroup: [],
      recipientEmail: ['boss@example.com'],
    })
    await come(notification.id)
    const [mail] = await mails()
    assert.equal(mail?.subject, 'Urgent: 14')
    assert.match(mail?.text ?? '', /and 4 more/)
    assert.match(mail?.text ?? '', /None \(\d+\)/)
    const lines = mail?.attachments[0]?.text.split('\r\n') ?? []
    assert.deepEqual([lines.length, lines[0]], [11, 'key,title,status,priority,dueDate,assignees,container,updated,id'])
    assert.ok(lines.some(line => line.includes(`"'=cmd()"`)))
    await ada.delete(`/notification/${notification.id}`)
  })

  test('URLs of services are called once', async () => {
    const notification = await make({
      recipientUserGroup: [],
      recipientEndpoint: `${elsewhere.url}/in`,
      recipientSlackId: `${elsewhere.url}/slack`,
      recipientMsTeamsId: `${elsewhere.url}/teams`,
    })
    await come(notification.id)
    await elsewhere.until(got => got.length >= 3)
    await running.settle()
    const by = new Map(elsewhere.got.map(call => [call.path, call.body]))
    assert.equal(elsewhere.got.length, 3)
    assert.deepEqual([by.get('/in').type, by.get('/in').data.record.count], ['notification.ran', 14])
    assert.match(by.get('/slack').text, /^Urgent: notification.ran 14:/)
    assert.equal(by.get('/teams').type, 'message')
    await ada.delete(`/notification/${notification.id}`)
  })

  test('one click unsubscribes a recipient', async () => {
    const notification = await make()
    await come(notification.id)
    const sent = await mails()
    const link = /Unsubscribe: (\S+)/.exec(sent.find(mail => mail.to[0] === 'bob@example.com')?.text ?? '')?.[1] ?? ''
    const path = new URL(link).pathname
    assert.equal((await home.nobody.ask('GET', `/${path}`)).status, 200)
    const clicked = await home.nobody.ask('POST', `/${path}`, {
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    assert.equal(clicked.status, 200)
    await come(notification.id)
    assert.deepEqual(addressees(await mails()), ['carl@example.com'])
    await ada.delete(`/notification/${notification.id}`)
  })

  test('a notification with interval onGain runs after an event', async () => {
    const notification = await make({
      interval: interval.onGain,
      recipientUserGroup: [],
      recipientEmail: ['boss@example.com'],
      limiter: limiterCode.newMatches,
    })
    assert.equal(notification.nextRun, null)
    await item({ title: 'Attic' })
    await running.settle()
    await come(notification.id)
    assert.deepEqual(
      (await mails()).map(mail => mail.subject),
      ['Urgent: 15'],
    )
    await ada.post('/item', { title: 'Calm', containerId: desk.id })
    await come(notification.id)
    assert.deepEqual(await mails(), [])
    await ada.delete(`/notification/${notification.id}`)
  })

  test('nothing is sent after the creator loses access, and the run records the error', async () => {
    const dora = await person({ name: 'Dora', email: 'dora@example.com', role: roleCode.admin })
    const notification = await dora.post('/notification', {
      name: 'Hers',
      active: true,
      interval: interval.daily,
      recipientUserGroup: [team.id],
    })
    await ada.put(`/user/${dora.id}`, { active: false })
    await come(notification.id)
    assert.deepEqual(await mails(), [])
    const [run] = await ada.get(`/notification/${notification.id}/log`)
    assert.deepEqual([run.outcome, run.error], [3, 'the creator of the notification no longer has access'])
  })

  test('a digest is written to the inbox instead of a mail', async () => {
    const notification = await make({ digest: true })
    await come(notification.id)
    assert.deepEqual(await mails(), [])
    const entry = (await bob.get('/notification/inbox')).find(
      (each: { subject: string }) => each.subject === 'Notification',
    )
    assert.deepEqual([entry.text, entry.itemIds.length], ['Urgent: 15', 15])
    await ada.delete(`/notification/${notification.id}`)
  })
})

describe('the next run', () => {
  const anchor = { created: new Date('2026-03-02T10:00:00Z'), timezone: 'Europe/Berlin' }
  const usual: Cadence = { active: true, interval: interval.off, at: '', weekday: '', timezone: '', schedule: '' }
  const next = (values: Partial<Cadence>, after: string, more: object = {}) =>
    nextRunAfter({ ...usual, ...values }, { ...anchor, ...more }, new Date(after))?.toISOString()

  test('follows the interval in local time', () => {
    assert.equal(next({ interval: interval.off }, '2026-03-28T12:00:00Z'), undefined)
    assert.equal(next({ interval: interval.onGain }, '2026-03-28T12:00:00Z'), undefined)
    assert.equal(next({ interval: interval.quarterHourly }, '2026-03-28T12:07:00Z'), '2026-03-28T12:15:00.000Z')
    assert.equal(next({ interval: interval.hourly }, '2026-03-28T12:00:00Z'), '2026-03-28T13:00:00.000Z')
    assert.equal(next({ interval: 20 }, '2026-03-28T12:07:00Z'), '2026-03-28T12:20:00.000Z')
    assert.equal(next({ interval: interval.daily }, '2026-03-28T12:00:00Z'), '2026-03-29T06:00:00.000Z') // summer time begins
    assert.equal(
      next({ interval: interval.daily, timezone: 'UTC' }, '2026-03-28T12:00:00Z'),
      '2026-03-29T08:00:00.000Z',
    )
    assert.equal(next({ interval: interval.workingDay }, '2026-03-27T12:00:00Z'), '2026-03-30T06:00:00.000Z')
    assert.equal(next({ interval: interval.workingDay }, '2026-03-27T12:00:00Z', { worked: () => false }), undefined)
    assert.equal(
      next({ interval: interval.weekly, weekday: 'Wednesday', at: '17:30' }, '2026-03-27T12:00:00Z'),
      '2026-04-01T15:30:00.000Z',
    )
    assert.equal(next({ interval: interval.fortnightly }, '2026-03-16T12:00:00Z'), '2026-03-30T06:00:00.000Z')
    assert.equal(next({ interval: interval.monthly }, '2026-03-27T12:00:00Z'), '2026-04-01T06:00:00.000Z')
    assert.equal(
      next({ interval: interval.quarterly, weekday: 'Mon' }, '2026-03-27T12:00:00Z'),
      '2026-04-06T06:00:00.000Z',
    )
    assert.equal(next({ interval: interval.daily, active: false }, '2026-03-27T12:00:00Z'), undefined)
  })

  test('follows a recurrence rule, but at most every 15 minutes', () => {
    const schedule = 'FREQ=WEEKLY;BYDAY=FR'
    assert.equal(next({ schedule, at: '12:00' }, '2026-03-27T12:00:00Z'), '2026-04-03T10:00:00.000Z')
    assert.equal(next({ schedule: 'FREQ=MINUTELY', at: '00:00' }, '2026-03-27T12:00:00Z'), '2026-03-27T12:15:00.000Z')
    assert.equal(next({ schedule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }, '2026-03-27T12:00:00Z'), undefined)
  })

  test('is not lost at a skipped local time, and comes once at a repeated one', () => {
    assert.equal(next({ interval: interval.daily, at: '02:30' }, '2026-03-28T12:00:00Z'), '2026-03-29T01:30:00.000Z')
    const first = next({ interval: interval.daily, at: '02:30' }, '2026-10-24T12:00:00Z') ?? ''
    assert.equal(first, '2026-10-25T00:30:00.000Z')
    assert.equal(next({ interval: interval.daily, at: '02:30' }, first), '2026-10-26T01:30:00.000Z')
  })
})

describe('the result of a run', () => {
  const now = new Date('2026-03-10T12:00:00Z')
  const match = (id: string, updated = '2026-03-01T00:00:00Z') => ({ id, updated: new Date(updated), version: 2 })
  const told = (limiter: number, notifiedAt: string | null, matching = true, version = 2) =>
    limitMatches(limiter, [match('a'), match('b', '2026-03-10T11:00:00Z')], {
      now,
      timezone: 'UTC',
      lastRun: new Date('2026-03-10T08:00:00Z'),
      known: new Map([['a', { notifiedAt: notifiedAt ? new Date(notifiedAt) : null, matching, version }]]),
    }).join('')

  test('is limited by the limiter', () => {
    assert.equal(told(0, '2026-03-10T08:00:00Z'), 'ab')
    assert.equal(told(1, '2026-03-10T08:00:00Z'), 'b')
    assert.equal(told(1, '2026-03-10T08:00:00Z', false), 'ab')
    assert.equal(told(2, '2026-01-01T08:00:00Z', false), 'b')
    assert.equal(told(3, '2026-03-10T08:00:00Z'), 'b')
    assert.equal(told(3, '2026-03-09T23:59:00Z'), 'ab')
    assert.equal(told(4, '2026-03-09T00:00:00Z'), 'b')
    assert.equal(told(4, '2026-03-08T23:00:00Z'), 'ab')
    assert.equal(told(5, null), 'b')
    assert.equal(told(5, '2026-03-10T08:00:00Z', true, 1), 'ab')
    assert.equal(told(500, null), 'ab')
  })

  test('contains no formulas in CSV, and every value stays in its cell', () => {
    assert.equal(
      csvOf([['=1+1', '+49 30', '-x', '@me', -5, 'a,"b"', null]]),
      `"'=1+1","'+49 30","'-x","'@me",-5,"a,""b""",`,
    )
    assert.equal(csvOf([[' =1+1', '\t=1', 'line\nbreak']]), `"' =1+1","'\t=1","line\nbreak"`)
  })
})
