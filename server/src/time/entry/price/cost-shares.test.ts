import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../../test/support/people.ts'
import { tenantCaller } from '../../../identity/tenant-caller.ts'
import { roleCode } from '../../../kernel/access.ts'
import { formatDecimal, unitsOf } from '../../../language/decimal.ts'
import { splitByLargestRemainder } from '../../../language/largest-remainder.ts'

interface Share {
  costCenterId: string
  percent: string
}

interface Part {
  timeId: string
  costCenterId: string
  date: string
  seconds: number
  cost: string | null
  bill: string | null
}

describe('the cost centres of time entries', async () => {
  const { ada, bob, eve, database, person } = await sharedTestService()
  const meg = await person({ name: 'Meg', role: roleCode.manager })
  await ada.put(`/tenant/${ada.tenantId}`, { currency: 'EUR' })
  const center = (body: object = {}) => ada.post('/finance/cost-center', { name: 'Centre', ...body })
  const [a, b, c] = [await center({ code: 'A1' }), await center({ code: 'B2' }), await center({ code: 'C3' })]
  const third: Share[] = [
    { costCenterId: a.id, percent: '33.3333' },
    { costCenterId: b.id, percent: '33.3333' },
    { costCenterId: c.id, percent: '33.3334' },
  ]
  const all = (one: { id: string }): Share[] => [{ costCenterId: one.id, percent: '100.0000' }]
  const place = async (body: object = {}) => {
    const container = await ada.post('/container', { name: 'Project', ...body })
    return await ada.post('/item', { title: 'Work', containerId: container.id })
  }
  const plain = await place()
  const read = async (id: string) => await meg.get(`/time/${id}`)
  const book = async (body: object = {}) => {
    const { id } = await bob.post('/time', { itemId: plain.id, date: '2026-04-08', seconds: 100, ...body })
    return await read(id)
  }
  const charged = ({ costCenterId, costCenterSource, shares }: Record<string, unknown>) => [
    costCenterSource,
    costCenterId,
    shares,
  ]
  const parts = async (): Promise<Part[]> =>
    await database.single(
      tenantCaller(ada.tenantId),
      ctx => ctx.sql<
        Part & Record<string, unknown>
      >`select time_id as "timeId", cost_center_id as "costCenterId", to_char(date, 'YYYY-MM-DD') as date, seconds,
        cost_amount::text as cost, bill_amount::text as bill from time_share where tenant_id = ${ada.tenantId} order by time_id, place`,
    )
  const partsOf = async (id: string) => (await parts()).filter(each => each.timeId === id)

  test('a split must sum to exactly 100, with each cost centre once, in periods that do not overlap', async () => {
    const from = '2026-01-01'
    const theirs = await eve.post('/finance/cost-center', { name: 'Theirs' })
    const half = { costCenterId: a.id, percent: 50 }
    for (const path of [`/user/${bob.id}`, `/container/${plain.containerId}`])
      for (const [split, status, code, pointer] of [
        [[{ from, shares: [half] }], 422, 'split-sum', '/split/0/shares'],
        [[{ from, shares: [] }], 422, 'split-sum', '/split/0/shares'],
        [
          [{ from, shares: [...third.slice(0, 2), { costCenterId: c.id, percent: '33.3335' }] }],
          422,
          'split-sum',
          '/split/0/shares',
        ],
        [[{ from, shares: [half, half] }], 400, 'duplicate', '/split/0/shares/1/costCenterId'],
        [
          [
            { from, shares: third },
            { from, shares: third },
          ],
          400,
          'overlap',
          '/split/1/from',
        ],
        [[{ from, shares: [{ costCenterId: a.id, percent: 0 }] }], 400, 'range', '/split/0/shares/0/percent'],
        [[{ from, shares: all(theirs) }], 422, 'unknown-reference', '/split/0/shares/0/costCenterId'],
      ] as const) {
        const { status: got, body } = await ada.ask('PUT', path, { body: { split } })
        assert.deepEqual([got, body.Fields[0].Code, body.Fields[0].Pointer], [status, code, pointer])
      }
    assert.deepEqual(await parts(), [])
  })

  test('an entry has the one of the body, else of the container, else of the user', async () => {
    assert.deepEqual(charged(await book()), ['', '', []])
    await ada.put(`/user/${bob.id}`, { costCenter: 'a1' })
    assert.deepEqual(charged(await book()), ['user', a.id, []])
    await ada.put(`/user/${bob.id}`, { split: [{ from: '2026-04-01', to: '2026-04-30', shares: third }] })
    const split = await book()
    assert.deepEqual(charged(split), ['user', '', third])
    assert.deepEqual(charged(await book({ date: '2026-03-31' })), ['user', a.id, []])
    assert.deepEqual(charged(await book({ date: '2026-05-01' })), ['user', a.id, []])
    const named = await place({ costCenter: b.id.toUpperCase() })
    assert.deepEqual(charged(await book({ itemId: named.id })), ['container', b.id, []])
    const divided = await place({ costCenter: b.id, split: [{ from: '2026-01-01', shares: all(c) }] })
    assert.deepEqual(charged(await book({ itemId: divided.id })), ['container', c.id, []])
    assert.deepEqual(charged(await book({ itemId: divided.id, costCenterId: a.id })), ['entry', a.id, []])
    assert.deepEqual(
      (await partsOf(split.id)).map(({ seconds }) => seconds),
      [33, 33, 34],
    )
    const inItem = await bob.post('/item', {
      title: 'With time',
      containerId: plain.containerId,
      Time: [{ date: '2026-04-08', minutes: 10 }],
    })
    assert.ok(!('shares' in inItem.Time[0]))
    assert.deepEqual(charged(await read(inItem.Time[0].id)), ['user', '', third])
  })

  test('one that takes no time of the day is passed over, and refused in a body', async () => {
    const late = await center({ validFrom: '2026-05-01' })
    const item = await place({
      split: [
        {
          from: '2026-01-01',
          shares: [
            { costCenterId: late.id, percent: 40 },
            { costCenterId: a.id, percent: 60 },
          ],
        },
      ],
    })
    assert.deepEqual(charged(await book({ itemId: item.id }))[0], 'user')
    assert.deepEqual(charged(await book({ itemId: item.id, date: '2026-05-01' }))[0], 'container')
    const body = { itemId: item.id, date: '2026-04-30', seconds: 60, costCenterId: late.id }
    const refused = await bob.ask('POST', '/time', { body })
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.Fields[0].Pointer],
      [422, 'cost-center-inactive', '/costCenterId'],
    )
    const own = await book({ ...body, date: '2026-05-01' })
    const moved = await bob.ask('PUT', `/time/${own.id}`, { body: { date: '2026-04-30' } })
    assert.deepEqual([moved.status, moved.body.code], [422, 'cost-center-inactive'])
    await ada.put(`/finance/cost-center/${late.id}`, { active: false })
    assert.deepEqual(charged(await book({ itemId: item.id, date: '2026-05-01' }))[0], 'user')
  })

  test('a cost centre of the entry stays until it is cleared; a change set restores the shares', async () => {
    const entry = await book()
    const given = await bob.ask('PUT', `/time/${entry.id}`, { body: { ...entry, costCenterId: b.id } })
    assert.deepEqual(charged(await read(entry.id)), ['entry', b.id, []])
    assert.deepEqual(await partsOf(entry.id), [])
    await bob.put(`/time/${entry.id}`, { date: '2026-04-09' })
    assert.deepEqual(charged(await read(entry.id)), ['entry', b.id, []])
    await bob.put(`/time/${entry.id}`, { costCenterId: '', date: '2026-04-08' })
    assert.deepEqual(charged(await read(entry.id)), ['user', '', third])
    await bob.put(`/time/${entry.id}`, { costCenterId: c.id })
    const last = await bob.ask('PUT', `/time/${entry.id}`, { body: { costCenterId: '' } })
    await bob.post(`/change/${last.headers.get('change-set')}/undo`, {})
    assert.deepEqual(charged(await read(entry.id)), ['entry', c.id, []])
    assert.equal(given.status, 200)
  })

  test('a counter-entry takes the shares back, and a replacement is shared by the day of the work', async () => {
    const entry = await book()
    await ada.post('/time/close', { until: '2026-04-08', reason: 'Reported' })
    const { entries } = await meg.post(`/time/${entry.id}/correct`, { reason: 'Too long', seconds: 50 })
    await ada.post('/time/close', { until: null, reason: 'Open again' })
    const [counter, replacement] = entries
    assert.deepEqual([charged(counter), charged(replacement)], [charged(entry), charged(entry)])
    const seconds = async ({ id }: { id: string }) => (await partsOf(id)).map(each => each.seconds)
    assert.deepEqual(
      [await seconds(counter), await seconds(replacement)],
      [
        [-33, -33, -34],
        [17, 16, 17],
      ],
    )
  })

  test('one with time, as a share or alone, is not deleted', async () => {
    for (const each of [a, c]) {
      const { status, body } = await ada.ask('DELETE', `/finance/cost-center/${each.id}`)
      assert.deepEqual([status, body.code], [422, 'in-use'])
    }
  })

  test('shares sum to their entry, whatever happens to it', async () => {
    const random = numbers(20260408)
    const pick = <T>(some: readonly T[]): T => some[Math.floor(random() * some.length)] as T
    const other = await place({
      split: [
        {
          from: '2026-04-05',
          shares: [
            { costCenterId: a.id, percent: '0.0001' },
            { costCenterId: b.id, percent: '99.9999' },
          ],
        },
      ],
    })
    const rate = await meg.post('/finance/rate', { userId: bob.id, from: '2026-01-01', bill: '97.3371', cost: '41.9' })
    const ids: string[] = []
    let undoable = ''
    const steps: (() => Promise<unknown>)[] = [
      async () => ids.push((await book({ seconds: Math.floor(random() * 9000), itemId: pick([plain, other]).id })).id),
      async () => await bob.put(`/time/${pick(ids)}`, { seconds: Math.floor(random() * 9000) }),
      async () =>
        await bob.put(`/time/${pick(ids)}`, {
          itemId: pick([plain, other]).id,
          date: pick(['2026-04-04', '2026-04-08', '2026-05-02']),
        }),
      async () => await bob.ask('DELETE', `/time/${pick(ids)}`),
      async () => await bob.ask('POST', `/time/${pick(ids)}/restore`),
      async () => await bob.put(`/time/${pick(ids)}`, { costCenterId: pick(['', b.id]) }).catch(() => undefined),
      async () => {
        await meg.put(`/finance/rate/${rate.id}`, { bill: String(Math.floor(random() * 2_000_000) / 10_000) })
        const body = { from: '2026-04-01', to: '2026-05-31', which: 'both' }
        undoable = (await meg.ask('POST', '/time/reprice', { body })).headers.get('change-set') ?? ''
      },
      async () => undoable && (await meg.ask('POST', `/change/${undoable}/undo`, { body: {} })),
      async () =>
        await ada.ask('POST', `/item/${other.id}/move`, { body: { containerId: pick([plain, other]).containerId } }),
    ]
    await steps[0]?.()
    for (let step = 0; step < 40; step++) {
      await pick(steps)().catch(() => undefined) // a deleted entry is refused, which is a step, too
      const shared = Map.groupBy(await parts(), each => each.timeId)
      const entries = await meg.get(`/time?userId=${bob.id}`)
      for (const entry of entries) assert.deepEqual(shared.get(entry.id) ?? [], expected(entry))
    }
    assert.ok((await parts()).some(({ bill }) => bill !== null))
  })
})

/** The parts of an entry by the function that splits amounts everywhere else. */
function expected(entry: {
  id: string
  date: string
  seconds: number
  costAmount: string | null
  billAmount: string | null
  shares: Share[]
}): Part[] {
  if (entry.shares.length === 0) return []
  const weights = entry.shares.map(({ percent }) => unitsOf(percent))
  const money = (amount: string | null) =>
    amount === null
      ? weights.map(() => null)
      : splitByLargestRemainder(unitsOf(amount), weights).map(each => formatDecimal(each))
  const [seconds, cost, bill] = [
    splitByLargestRemainder(BigInt(entry.seconds), weights),
    money(entry.costAmount),
    money(entry.billAmount),
  ]
  return entry.shares.map(({ costCenterId }, i) => ({
    timeId: entry.id,
    costCenterId,
    date: entry.date,
    seconds: Number(seconds[i]),
    cost: cost[i] ?? null,
    bill: bill[i] ?? null,
  }))
}

/** The same numbers from 0 to 1 in every run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}
