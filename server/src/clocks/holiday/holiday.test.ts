import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, beforeEach, describe, test } from 'node:test'
import { engines } from '../../../test/support/engines.ts'
import { startTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { operatorId } from '../../kernel/id.ts'
import { operator } from '../../language/conditions/operators/operators.ts'
import { targetKind } from '../clock/target-kind.ts'

const office = { timezone: 'Europe/Berlin', dayStart: '09:00', dayEnd: '17:00', weekStart: 'Mon', weekEnd: 'Fri' }
const year = new Date().getUTCFullYear()
const strict = { prefer: 'handling=strict' }
const hour = 3_600_000

/** A foreign server that publishes a calendar. */
async function publisher() {
  const made = {
    url: '',
    env: {} as Record<string, string>,
    asked: [] as IncomingHttpHeaders[],
    status: 200,
    headers: {} as Record<string, string>,
    body: '',
  }
  const server = createServer(({ headers }, response) => {
    made.asked.push(headers)
    const known = made.headers.etag !== undefined && headers['if-none-match'] === made.headers.etag
    response.writeHead(known ? 304 : made.status, made.headers).end(known ? '' : made.body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  made.url = `http://127.0.0.1:${port}/holidays.ics`
  made.env = { OUTBOUND_HTTP: 'true', OUTBOUND_ALLOW: `127.0.0.1:${port}` }
  return made
}

const calendar = (days: Record<string, string>, more = '') =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${Object.entries(days)
    .map(
      ([date, name]) =>
        `BEGIN:VEVENT\r\nUID:${date}\r\nDTSTART;VALUE=DATE:${date.replaceAll('-', '')}\r\nSUMMARY:${name}\r\nEND:VEVENT\r\n`,
    )
    .join('')}${more}END:VCALENDAR\r\n`

interface Told {
  path: string
  code: string
}

describe('holidays from a country or a feed', async () => {
  const there = await publisher()
  const home = await startTestService(there.env)
  const { ada, bob, eve, database } = home
  const running = await engines(home, there.env)
  const clockOf = async (values: object) => await ada.post('/clock', { name: 'Office', ...office, ...values })
  const minutes = async (id: string, from: string, to: string) =>
    (await ada.post(`/clock/${id}/calc`, { from, to })).minutes
  const codes = (clock: { check: Told[] }) => clock.check.map(each => `${each.path} ${each.code}`)
  const fromFeed = (clock: { holidays: { date: string; source: string }[] }) =>
    clock.holidays.filter(each => each.source === 'feed').map(each => each.date)
  const read = async (id: string) => await ada.get(`/clock/${id}`)

  beforeEach(async () => {
    await running.settle()
    Object.assign(there, { status: 200, headers: {}, body: calendar({}) })
    there.asked.length = 0
  })

  test('the holidays of a country are not working days, in every computation', async () => {
    const plain = await clockOf({})
    const bavarian = await clockOf({ holidayCountry: 'de-by' })
    assert.equal(bavarian.holidayCountry, 'de-by')
    assert.deepEqual(bavarian.check, [])
    assert.ok(bavarian.holidays.length > 70)
    // Epiphany 2027 is a Wednesday.
    const wednesday = ['2027-01-06T00:00:00Z', '2027-01-07T00:00:00Z'] as const
    assert.deepEqual([await minutes(plain.id, ...wednesday), await minutes(bavarian.id, ...wednesday)], [480, 0])
    const { to } = await ada.post(`/clock/${bavarian.id}/calc`, { from: '2027-01-05T15:00:00Z', minutes: 120 })
    assert.equal(to, '2027-01-07T09:00:00.000Z')
  })

  test('an exception opens a holiday, and a day off of the clock stays', async () => {
    const clock = await clockOf({
      holidayCountry: 'DE-BY',
      exceptions: [{ date: '2027-01-06', intervals: [{ start: '10:00', end: '12:00' }] }],
      nonWorkingDay: ['2027-01-07'],
    })
    assert.equal(await minutes(clock.id, '2027-01-06T00:00:00Z', '2027-01-08T00:00:00Z'), 120)
  })

  test('an unknown country is stored with a finding, and refused in strict mode', async () => {
    for (const holidayCountry of ['XX', 'DE-XX', 'nowhere']) {
      const clock = await clockOf({ holidayCountry })
      assert.deepEqual([clock.holidayCountry, clock.holidays], [holidayCountry, []])
      assert.deepEqual(codes(clock), ['/holidayCountry unknown-country'])
      assert.deepEqual(codes({ check: await ada.get(`/clock/${clock.id}/check`) }), ['/holidayCountry unknown-country'])
    }
    const { status, body } = await ada.ask('POST', '/clock', {
      body: { name: 'Strict', holidayCountry: 'XX' },
      headers: strict,
    })
    assert.deepEqual([status, body.Fields[0].Pointer], [400, '/holidayCountry'])
    const known = { name: 'Strict', holidayCountry: 'AT' }
    assert.equal((await ada.ask('POST', '/clock', { body: known, headers: strict })).status, 201)
  })

  test('only the service sets holidays', async () => {
    const clock = await clockOf({ holidays: [{ date: '2027-01-06', name: 'Mine', source: 'feed' }] })
    assert.deepEqual(clock.holidays, [])
    const changed = await ada.put(`/clock/${clock.id}`, { ...clock, holidayCountry: 'AT' })
    assert.ok(changed.holidays.length > 70)
    assert.deepEqual((await ada.put(`/clock/${clock.id}`, { holidayCountry: null })).holidays, [])
  })

  test('another country counts from now on, and a dry run shows its effect', async () => {
    const desk = await ada.post('/container', { name: 'Bavaria', key: 'BAV', kind: containerKind.desk })
    const holidays: { date: string }[] = (await clockOf({ holidayCountry: 'US' })).holidays
    const clock = await clockOf({
      container: [desk.id],
      timezone: 'UTC',
      schedule: [1, 2, 3, 4, 5, 6, 7].map(day => ({ day, intervals: [{ start: '00:00', end: '02:00' }] })),
      targets: [{ kind: targetKind.resolution, minutes: 120 * 400 }],
    })
    const item = await ada.post('/item', { title: 'Long', containerId: desk.id })
    await running.settle()
    const [before] = await ada.get(`/item/${item.id}/clock`)
    const seen = await ada.post(`/clock/${clock.id}/preview`, { holidayCountry: 'US' })
    assert.deepEqual([seen.total, seen.due], [1, 1])
    assert.deepEqual((await read(clock.id)).holidays, [])
    await ada.put(`/clock/${clock.id}`, { holidayCountry: 'US' })
    await running.settle()
    const [after] = await ada.get(`/item/${item.id}/clock`)
    const within = holidays.filter(({ date }) => date > new Date().toISOString() && date <= after.dueAt.slice(0, 10))
    assert.ok(within.length >= 10, `${within.length} holidays`)
    const days = (Date.parse(after.dueAt) - Date.parse(before.dueAt)) / (24 * hour)
    assert.equal(days, new Set(within.map(each => each.date)).size)
    assert.equal(seen.worst[0].dueAfter, after.dueAt)
  })

  test('the explanation of a clock names the holiday that did not count', async () => {
    const desk = await ada.post('/container', { name: 'Told', key: 'TOLD', kind: containerKind.desk })
    const today = new Date().toISOString().slice(0, 10)
    there.body = calendar({ [today]: 'Founders’ day' })
    const clock = await clockOf({
      container: [desk.id],
      timezone: 'UTC',
      dayStart: '',
      dayEnd: '',
      weekEnd: 'Sun',
      holidayFeed: there.url,
      targets: [{ kind: targetKind.resolution, minutes: 60 }],
    })
    await running.settle()
    const item = await ada.post('/item', { title: 'Told', containerId: desk.id })
    await running.settle()
    const [told] = await ada.get(`/item/${item.id}/clock/${clock.id}/explain`)
    assert.deepEqual(
      told.intervals.map((each: { counted: boolean; reason: string }) => [each.counted, each.reason]),
      [[false, 'holiday: Founders’ day']],
    )
    assert.deepEqual(
      told.ahead.map((each: { counted: boolean; reason: string }) => [each.counted, each.reason]),
      [
        [false, 'holiday: Founders’ day'],
        [true, 'working time'],
      ],
    )
    assert.equal(told.ahead.at(-1).to, told.dueAt)
  })

  test('a feed is fetched after the clock is saved, and then once a day', async () => {
    there.body = calendar({ [`${year}-03-03`]: 'Carnival', [`${year + 1}-03-03`]: 'Carnival' })
    const clock = await clockOf({ holidayFeed: there.url })
    assert.deepEqual([clock.holidays, clock.holidayFeedState.fetchedAt], [[], null])
    await running.settle()
    const fetched = await read(clock.id)
    assert.deepEqual(fetched.holidays, [
      { date: `${year}-03-03`, name: 'Carnival', source: 'feed' },
      { date: `${year + 1}-03-03`, name: 'Carnival', source: 'feed' },
    ])
    const { fetchedAt, ...state } = fetched.holidayFeedState
    assert.ok(Date.parse(fetchedAt) >= Date.parse(clock.created))
    assert.deepEqual(state, { lastError: '', days: 2, ignored: 0 })
    assert.equal(there.asked.length, 1)
    const [job] = await database.crossTenantSql<{ wait: number }>`
      select extract(epoch from run_at - now())::int as wait from queued_job where task = 'clock-holidays' and payload ->> 'clockId' = ${clock.id}`
    assert.ok(Math.abs((job?.wait ?? 0) - 86_400) < 60, `${job?.wait} s`)
  })

  test('a changed feed is one change of hours by the service, an unchanged feed is none', async () => {
    const desk = await ada.post('/container', { name: 'Changed', key: 'CHA', kind: containerKind.desk })
    there.body = calendar({ [`${year - 1}-03-03`]: 'Carnival' })
    const { id } = await clockOf({
      ...{ timezone: 'UTC', dayStart: '', dayEnd: '', weekEnd: 'Sun', container: [desk.id] },
      targets: [{ kind: targetKind.resolution, minutes: 3 * 24 * 60 }],
      holidayFeed: there.url,
    })
    const item = await ada.post('/item', { title: 'Open', containerId: desk.id })
    await running.settle()
    const due = async () => Date.parse((await ada.get(`/item/${item.id}?include=clock`)).clock[0].dueAt)
    const [first, before] = [await read(id), await due()]
    await ada.post(`/clock/${id}/refresh`, undefined)
    assert.equal((await read(id)).version, first.version)
    const tomorrow = new Date(Date.now() + 24 * hour).toISOString().slice(0, 10)
    there.body = calendar({ [tomorrow]: 'Carnival' })
    await database.crossTenantSql`update queued_job set run_at = now(), payload = payload || '{"planned": "2026-01-01T00:00:00Z"}' where task = 'clock-holidays'`
    await running.settle()
    const second = await read(id)
    assert.deepEqual(fromFeed(second), [tomorrow])
    assert.equal((await due()) - before, 24 * hour)
    const events = await ada.get(`/clock/${id}/history`)
    const { type, actor, changes } = events.at(-1)
    assert.deepEqual([type, actor.id, Object.keys(changes)], ['clock.updated', operatorId, ['holidays']])
    const { state, version, changed } = await ada.get(`/clock/${id}/recalculation`)
    assert.deepEqual([state, version, changed], ['done', second.version, 1])
  })

  test('a feed that answers 304 keeps its holidays', async () => {
    there.headers = { etag: '"one"', 'last-modified': 'Sun, 01 Nov 2026 10:00:00 GMT' }
    there.body = calendar({ [`${year + 1}-03-03`]: 'Carnival' })
    const { id } = await clockOf({ holidayFeed: there.url })
    await running.settle()
    const again = await ada.post(`/clock/${id}/refresh`, undefined)
    assert.deepEqual([again.holidayFeedState.days, again.holidayFeedState.lastError], [1, ''])
    const [, asked] = there.asked
    assert.deepEqual(
      [asked?.['if-none-match'], asked?.['if-modified-since']],
      ['"one"', 'Sun, 01 Nov 2026 10:00:00 GMT'],
    )
    assert.deepEqual(fromFeed(again), [`${year + 1}-03-03`])
    // The validators of the previous feed are not sent to another address.
    await ada.put(`/clock/${id}`, { holidayFeed: `${there.url}?other` })
    await running.settle()
    assert.equal(there.asked.at(-1)?.['if-none-match'], undefined)
  })

  test('a feed that fails keeps its holidays, shows the reason, and is retried', async () => {
    there.body = calendar({ [`${year + 1}-03-03`]: 'Carnival' })
    const { id } = await clockOf({ holidayFeed: there.url })
    await running.settle()
    for (const [wrong, why] of [
      [{ status: 500 }, /answered 500/],
      [{ status: 301, headers: { location: there.url } }, /answered 301/],
      [{ status: 200, body: '<html>Sign in</html>' }, /not an iCalendar/],
      [{ status: 200, body: `BEGIN:VCALENDAR\r\nX:${'x'.repeat(1_100_000)}\r\nEND:VCALENDAR` }, /larger than 1 ?\w+/],
    ] as const) {
      Object.assign(there, { headers: {}, ...wrong })
      const told = await ada.post(`/clock/${id}/refresh`, undefined)
      assert.match(told.holidayFeedState.lastError, why)
      assert.deepEqual([fromFeed(told), codes(told)], [[`${year + 1}-03-03`], ['/holidayFeed feed-failed']])
    }
    await ada.put(`/clock/${id}`, { holidayFeed: `${there.url}?moved` })
    await running.settle()
    const [job] = await database.crossTenantSql<{ attempts: number; error: string; wait: number }>`
      select attempts, last_error as error, extract(epoch from run_at - now())::int as wait from queued_job
      where task = 'clock-holidays' and payload ->> 'clockId' = ${id}`
    assert.deepEqual([job?.attempts, job?.error.includes('larger')], [1, true])
    assert.ok((job?.wait ?? 0) > 30 && (job?.wait ?? 0) < 100, `${job?.wait} s`)
    assert.deepEqual(fromFeed(await read(id)), [`${year + 1}-03-03`])
    Object.assign(there, { status: 200, body: calendar({ [`${year + 1}-03-05`]: 'Carnival' }) })
    await database.crossTenantSql`update queued_job set run_at = now() where task = 'clock-holidays' and payload ->> 'clockId' = ${id}`
    await running.settle()
    const well = await read(id)
    assert.deepEqual([fromFeed(well), well.check, well.holidayFeedState.lastError], [[`${year + 1}-03-05`], [], ''])
  })

  test('events with a time of day are not holidays, and a finding counts them', async () => {
    there.body = calendar({}, 'BEGIN:VEVENT\r\nUID:t\r\nDTSTART:20270303T100000Z\r\nSUMMARY:Meeting\r\nEND:VEVENT\r\n')
    const { id } = await clockOf({ holidayFeed: there.url })
    await running.settle()
    const clock = await read(id)
    assert.deepEqual([clock.holidays, codes(clock)], [[], ['/holidayFeed timed-events']])
    assert.equal(clock.holidayFeedState.ignored, 1)
  })

  test('a feed that would leave a clock without open hours is refused', async () => {
    const first = new Date()
    const days = Array.from({ length: 500 }, (_, i) => new Date(first.getTime() + (i - 2) * 24 * hour))
    there.body = calendar(Object.fromEntries(days.map(day => [day.toISOString().slice(0, 10), 'Closed'])))
    const { id } = await clockOf({ holidayFeed: there.url })
    await running.settle()
    const clock = await read(id)
    assert.deepEqual(clock.holidays, [])
    assert.match(clock.holidayFeedState.lastError, /no working minute/)
  })

  test('country and feed are independent, and the holidays of each go with it', async () => {
    there.body = calendar({ [`${year + 1}-01-01`]: 'A long night', [`${year + 1}-03-03`]: 'Carnival' })
    const { id } = await clockOf({ holidayFeed: there.url, holidayCountry: 'AT' })
    await running.settle()
    const both = await read(id)
    assert.deepEqual(fromFeed(both), [`${year + 1}-01-01`, `${year + 1}-03-03`])
    const without = await ada.put(`/clock/${id}`, { holidayCountry: '' })
    assert.deepEqual(
      without.holidays,
      both.holidays.filter((each: { source: string }) => each.source === 'feed'),
    )
    const none = await ada.put(`/clock/${id}`, { holidayFeed: null })
    assert.deepEqual([none.holidays, none.holidayFeedState.days], [[], 0])
    await running.settle()
    const left =
      await database.crossTenantSql`select 1 from queued_job where task = 'clock-holidays' and payload ->> 'clockId' = ${id}`
    assert.equal(left.length, 0)
  })

  test('a clock without country and feed has no refresh job', async () => {
    const { id, version } = await clockOf({})
    assert.equal((await ada.post(`/clock/${id}/refresh`, undefined)).version, version)
    const planned =
      await database.crossTenantSql`select 1 from queued_job where task = 'clock-holidays' and payload ->> 'clockId' = ${id}`
    assert.deepEqual([planned.length, there.asked.length], [0, 0])
  })

  test('a deleted clock has no refresh job, and a restored clock has one again', async () => {
    const { id } = await clockOf({ holidayFeed: there.url })
    await running.settle()
    await ada.delete(`/clock/${id}`)
    await running.settle()
    assert.equal((await ada.ask('POST', `/clock/${id}/refresh`)).status, 404)
    there.asked.length = 0
    await ada.must('POST', `/clock/${id}/restore`)
    await running.settle()
    assert.equal(there.asked.length, 1)
  })

  test('a webcal address is fetched by https, and an internal address is refused', async () => {
    const webcal = await clockOf({ holidayFeed: 'webcal://calendar.example.com/holidays.ics' })
    assert.equal(webcal.holidayFeed, 'webcal://calendar.example.com/holidays.ics')
    for (const holidayFeed of ['ftp://example.com/x.ics', 'file:///etc/passwd', 'webcal://localhost/x.ics', 'x']) {
      const { status, body } = await ada.ask('POST', '/clock', { body: { name: 'x', holidayFeed } })
      assert.deepEqual([status, body.Fields[0].Pointer], [400, '/holidayFeed'], holidayFeed)
    }
    await ada.delete(`/clock/${webcal.id}`)
  })

  test('refreshing needs the permission to update clocks', async () => {
    const { id } = await clockOf({ holidayFeed: there.url })
    assert.equal((await bob.ask('POST', `/clock/${id}/refresh`)).status, 403)
    assert.equal((await eve.ask('POST', `/clock/${id}/refresh`)).status, 404)
  })

  test('concurrent refreshes make one change', async () => {
    const { id } = await clockOf({ holidayFeed: there.url })
    await running.settle()
    const { version } = await read(id)
    there.body = calendar({ [`${year + 1}-03-03`]: 'Carnival' })
    await Promise.all([1, 2, 3, 4].map(() => ada.post(`/clock/${id}/refresh`, undefined)))
    assert.equal((await read(id)).version, version + 1)
  })

  test('the operator inWorkingTime respects holidays', async () => {
    const desk = await ada.post('/container', { name: 'Conditions', key: 'CON', kind: containerKind.desk })
    const always = await clockOf({ timezone: 'UTC', dayStart: '', dayEnd: '', weekEnd: 'Sun', holidayFeed: there.url })
    await ada.post('/item', { title: 'Now', containerId: desk.id })
    const condition = [{ leftSide: 'created', operator: operator.inWorkingTime, rightSide: always.id }]
    const found = async () =>
      (await ada.post('/item/search', { container: [desk.id], conditionGroup: [{ condition }] })).length
    assert.equal(await found(), 1)
    there.body = calendar({ [new Date().toISOString().slice(0, 10)]: 'Today' })
    await ada.post(`/clock/${always.id}/refresh`, undefined)
    assert.equal(await found(), 0)
  })
})
