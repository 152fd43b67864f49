import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { Temporal } from 'temporal-polyfill'
import { casesOf, isLong } from '../../../test/support/form.ts'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { clockState, targetKind } from '../../clocks/item-clock/item-clock.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { statusCategory } from '../../items/status.ts'
import { formatDecimal, unitsOf } from '../../language/decimal.ts'
import { reports } from './reports.ts'

// The rows of every report add up to its total, and the totals of successive periods to that of the whole period: in time zones with
// half and quarter hours, with clocks that change by half an hour, and where a day begins at one o’clock. Records lie at the edges
// of the days of all zones.

const zones = [
  'Europe/Berlin',
  'America/Santiago',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'America/St_Johns',
]

/** The measures of each report that are sums; the others are means, percentiles, ratios and numbers of different records. */
const sums: Readonly<Record<string, readonly string[]>> = {
  'lead-time': ['items', 'measured'],
  'cycle-time': ['items', 'measured'],
  'time-in-status': ['stays', 'hours'],
  'backlog-age': ['items'],
  'sla-attainment': ['met', 'metLate', 'breached', 'decided', 'cancelled'],
  'first-response': ['tickets', 'answered', 'unanswered'],
  satisfaction: ['closed', 'answers', 'good'],
  utilisation: ['capacity', 'worked', 'billable'],
  audit: ['events'],
}
/** A stay that lies in two periods is one of each, and hours of parts of stays are rounded; what is open now belongs to no period. */
const undivided = ['time-in-status', 'backlog-age']

/** Days on which the clocks of some zone change, between others. */
const edges = ['2025-03-01', '2025-03-09', '2025-03-30', '2025-03-31', '2025-04-06', '2025-04-07']
const last = '2025-04-30'
const whole: Days = { first: '2025-03-01', last }
const parts: Days[] = [
  { first: '2025-03-01', last: '2025-03-29' },
  { first: '2025-03-30', last: '2025-04-05' },
  { first: '2025-04-06', last },
]
const calendar = ['day', 'week', 'month', 'quarter', 'year']

interface Days {
  first: string
  last: string
}

/** Only parts of the calendar depend on the zone: each zone has days and one of the others. The first has all values. */
const dependsOn = (zone: string, dimension: string) =>
  zone === zones[0] || dimension === 'day' || dimension === calendar[zones.indexOf(zone) % calendar.length]

const startOf = (date: string, zone: string) => Temporal.PlainDate.from(date).toZonedDateTime(zone).toInstant()
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)

describe(`the sums of reports (SEED=${seed})`, async () => {
  const { ada, bob, person, databaseUrl } = await sharedTestService()
  const nora = await person({ name: 'Nora' })
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  after(() => client.end())

  /** A moment within a second of the beginning of a day in some zone. */
  const moment = fc
    .tuple(fc.constantFrom(...zones), fc.constantFrom(...edges, '2025-05-01'), fc.constantFrom(-1, 0, 1, 86_400))
    .map(([zone, date, seconds]) => startOf(date, zone).add({ seconds }).toString())
  const category = fc.constantFrom(...Object.values(statusCategory))
  const flow = fc.array(fc.record({ category, at: moment }), { minLength: 1, maxLength: 4 })
  const { started, done } = statusCategory
  const certain = { category: started, at: '2025-03-10T12:00:00Z' }
  const histories = [
    [certain],
    [certain, { category: done, at: '2025-04-10T12:00:00Z' }],
    ...fc.sample(flow, { seed, numRuns: isLong ? 38 : 14 }).map(each => each.sort((a, b) => (a.at < b.at ? -1 : 1))),
  ]
  const closed = new Set<number>([statusCategory.done, statusCategory.cancelled])

  const { id: desk } = await ada.post('/container', { name: 'Desk', kind: containerKind.desk, billable: true })
  const clock = await ada.post('/clock', { name: 'Promise' })
  for (const [i, history] of histories.entries()) {
    const [begin, ...later] = history
    const present = history.at(-1) ?? { category: 0, at: '' }
    const { id } = await ada.post('/ticket', {
      title: `Ticket ${i}`,
      containerId: desk,
      assignees: i % 3 === 0 ? [bob.id, nora.id] : [bob.id],
      remainingMinutes: 60,
      priority: i % 4,
    })
    const closedAt = closed.has(present.category) ? present.at : null
    await client.query(
      'update item set created = $2, status = $3, status_category = $4, closed_at = $5 where id = $1',
      [id, begin?.at, `S${present.category}`, present.category, closedAt],
    )
    await client.query('delete from item_stay where item_id = $1', [id])
    for (const [n, next] of later.entries())
      await client.query(
        `insert into item_stay (tenant_id, item_id, n, status, category, container_id, from_at, to_at) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [ada.tenantId, id, n + 1, `S${history[n]?.category}`, history[n]?.category, desk, history[n]?.at, next.at],
      )
    await client.query(
      `insert into item_clock (tenant_id, item_id, lane, cycle, clock_id, target_id, kind, version, state, started_at, ended_at) values ($1, $2, 'x', 9, $3, 'first', $4, 1, $5, $6, $7)`,
      [
        ada.tenantId,
        id,
        clock.id,
        targetKind.firstResponse,
        i % 2 ? clockState.met : clockState.metLate,
        begin?.at,
        present.at,
      ],
    )
    await client.query(`update ticket set first_reply_at = $2, satisfaction = $3 where id = $1`, [
      id,
      i % 2 ? present.at : null,
      JSON.stringify(i % 3 ? { score: 1 + (i % 5), at: present.at } : {}),
    ])
  }
  // The events of the seeding itself lie at the edges of days, too.
  const moments = histories.flat().map(each => each.at)
  await client.query(
    `update event e set at = m.at from (select id, ($2::timestamptz[])[1 + (row_number() over (order by id)) % cardinality($2::timestamptz[])] as at from event where tenant_id = $1) m
     where e.tenant_id = $1 and e.id = m.id`,
    [ada.tenantId, moments],
  )
  await ada.post('/finance/rate', { from: '2025-01-01', bill: '33.3333', cost: '7.1111', currency: 'EUR' })
  const item = await ada.post('/item', { title: 'Work', containerId: desk })
  const entry = fc.record({ date: fc.constantFrom(...edges, last), seconds: fc.integer({ min: 1, max: 3599 }) })
  const booked = fc.sample(entry, { seed, numRuns: isLong ? 30 : 12 })
  for (const [i, each] of booked.entries()) await (i % 2 ? bob : nora).post('/time', { ...each, itemId: item.id })

  const report = async (
    name: string,
    zone: string,
    { first, last: end }: Days,
    body: object = {},
    who: Person = ada,
  ) => {
    const noon = (date: string) => startOf(date, zone).add({ hours: 12 }).toString()
    const dates = name === 'backlog-age' ? {} : { startDate: noon(first), endDate: noon(end) }
    return await who.post(`/insight/report/${name}`, { ...dates, timezone: zone, ...body })
  }
  /** The sum of a measure over rows, in units of 10⁻⁴. */
  const sumOf = (rows: Record<string, number>[], measure: string) =>
    rows.reduce((sum, row) => sum + unitsOf(String(row[measure] ?? 0)), 0n)

  for (const { name, operation } of reports) {
    const measures = sums[name]
    if (!measures) continue
    const enumerated = operation.body?.schema.properties?.groupBy?.items?.enum ?? []
    // A record with two assignees counts for both.
    const dimensions = enumerated.map(String).filter(each => each !== 'assignee')
    test(`of ${name}: rows and periods add up to the whole`, async () => {
      let counted = 0n
      for (const zone of casesOf(zones, 3)) {
        const total = await report(name, zone, whole, { groupBy: [] })
        for (const dimension of dimensions.filter(each => dependsOn(zone, each))) {
          const rows = await report(name, zone, whole, { groupBy: [dimension] })
          for (const each of measures)
            assert.equal(sumOf(rows, each), sumOf(total, each), `${each} by ${dimension} in ${zone}`)
        }
        if (!undivided.includes(name)) {
          const pieces = (await Promise.all(parts.map(days => report(name, zone, days, { groupBy: [] })))).flat()
          for (const each of measures)
            assert.equal(sumOf(pieces, each), sumOf(total, each), `${each} of parts in ${zone}`)
        }
        counted += measures.reduce((sum, each) => sum + sumOf(total, each), 0n)
      }
      assert.ok(counted > 0n, 'something is counted')
    })
  }

  test('of the flow: the categories of a day are the items that existed then, and burn is the same', async () => {
    for (const zone of casesOf(zones, 3)) {
      const flowed: { date: string; category: number; items: number }[] = await report('cumulative-flow', zone, whole)
      const burned: { date: string; scope: { count: number } }[] = await report('burn', zone, whole)
      const { rows } = await client.query<{ created: Date }>('select created from item where tenant_id = $1', [
        ada.tenantId,
      ])
      for (const { date, scope } of burned) {
        const until = Temporal.PlainDate.from(date).add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds
        const existed = rows.filter(row => row.created.getTime() < until).length
        const there = flowed.filter(each => each.date === date)
        assert.equal(
          there.reduce((sum, each) => sum + each.items, 0),
          existed,
          `${date} in ${zone}`,
        )
        const cancelled = there.find(each => each.category === statusCategory.cancelled)?.items ?? 0
        assert.equal(scope.count, existed - cancelled, `${date} in ${zone}`)
      }
    }
  })

  test('of timesheets and of workload: rows are the entries and the work, with any grouping', async () => {
    const seconds = booked.reduce((sum, each) => sum + each.seconds, 0)
    const total = (rows: { seconds: number }[]) => rows.reduce((sum, row) => sum + row.seconds, 0)
    for (const zone of casesOf(zones, 3)) {
      assert.equal(total(await report('team-timesheet', zone, whole)), seconds, zone)
      const divided = await Promise.all(parts.map(days => report('team-timesheet', zone, days)))
      assert.equal(total(divided.flat()), seconds, zone)
      const [{ worked }] = await report('utilisation', zone, whole, { groupBy: [] })
      assert.equal(worked, seconds, zone)
      const load: { remaining: number }[] = await report('workload', zone, whole)
      const open = histories.filter(each => !closed.has(each.at(-1)?.category ?? 0)).length
      assert.equal(
        load.reduce((sum, row) => sum + row.remaining, 0),
        open * 60,
        zone,
      )
    }
    const year = { startDate: '2025-01-01T12:00:00Z', endDate: '2025-12-31T12:00:00Z' }
    const own = [bob, nora].map(({ id }) => ada.post('/insight/report/user-timesheet', { userId: id, ...year }))
    assert.equal(total((await Promise.all(own)).flat()), seconds)
  })

  test('of money are decimal: the rows of a query add up to its total and to the entries, to the last digit', async () => {
    const entries: { billAmount: string }[] = await ada.get('/time?limit=1000')
    const expected = formatDecimal(entries.reduce((sum, each) => sum + unitsOf(each.billAmount), 0n))
    for (const zone of casesOf(zones, 3)) {
      const body = {
        entity: 'Time',
        timezone: zone,
        groupBy: [{ field: 'userId' }, { field: 'date', bucket: 'week' }],
        measures: [{ op: 'sum', field: 'billAmount', as: 'amount' }],
      }
      const response = await fetch(`${ada.base}/api/insight/query`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ada.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const amounts = [...(await response.text()).matchAll(/"amount" ?: ?"(-?[\d.]+)"/g)].map(([, text = '']) => text)
      const total = amounts.pop()
      assert.ok(amounts.length > 2)
      assert.equal(total, expected)
      assert.equal(formatDecimal(amounts.reduce((sum, each) => sum + unitsOf(each), 0n)), expected, zone)
    }
  })
})
