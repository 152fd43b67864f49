import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { type Person, sharedTestService } from '../../../../test/support/people.ts'
import { clockState, targetKind } from '../../../clocks/item-clock/item-clock.ts'
import { containerKind } from '../../../containers/container-kind.ts'
import { grantEffect } from '../../../identity/grant-effect.ts'
import { userKind } from '../../../identity/user-kind.ts'
import { itemVisibility } from '../../../items/item/item.ts'
import { roleCode } from '../../../kernel/access.ts'

describe('a report on a service desk', async () => {
  const { ada, bob, eve, person, databaseUrl } = await sharedTestService()
  const nora = await person({ name: 'Nora' })
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  after(() => client.end())
  const { id: desk } = await ada.post('/container', { name: 'Desk', kind: containerKind.desk })
  const clock = await ada.post('/clock', { name: 'Promise' })
  const ticket = async (title: string, created: string, values: object = {}) => {
    const { id } = await ada.post('/ticket', { title, containerId: desk, ...values })
    await client.query('update item set created = $2 where id = $1', [id, created])
    return id
  }
  const march = { startDate: '2026-03-01T00:00:00Z', endDate: '2026-03-31T00:00:00Z', timezone: 'UTC', groupBy: [] }
  const read = async (who: Person, name: string, body: object = march) =>
    (await who.post(`/insight/report/${name}`, body))[0]

  /** Stores one cycle of a target. */
  const cycle = (itemId: string, n: number, state: number, values: Record<string, unknown> = {}) => {
    const row = {
      tenant_id: ada.tenantId,
      item_id: itemId,
      lane: 'x',
      cycle: n,
      clock_id: clock.id,
      target_id: 'first',
      kind: targetKind.firstResponse,
      version: 1,
      state,
      started_at: '2026-03-01T00:00:00Z',
      ...values,
    }
    const names = Object.keys(row)
    return client.query(
      `insert into item_clock (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
      Object.values(row),
    )
  }

  test('counts cycles by their end, and those that are overdue, running or paused apart', async () => {
    const id = await ticket('Promised', '2026-03-01T00:00:00Z')
    const secret = await ticket('Secret', '2026-03-01T00:00:00Z')
    await ada.put(`/item/${secret}`, { visibility: itemVisibility.confidential })
    const [inMarch, inApril] = [{ ended_at: '2026-03-10T00:00:00Z' }, { ended_at: '2026-04-10T00:00:00Z' }]
    await cycle(id, 1, clockState.met, inMarch)
    await cycle(id, 2, clockState.met, inMarch)
    await cycle(id, 3, clockState.met, inMarch)
    await cycle(id, 4, clockState.metLate, { ...inMarch, breached_at: '2026-03-09T00:00:00Z' })
    await cycle(id, 5, clockState.metLate, { ...inApril, breached_at: '2026-03-09T00:00:00Z' })
    await cycle(id, 6, clockState.cancelled, inMarch)
    await cycle(id, 7, clockState.red, { breached_at: '2026-03-31T23:59:00Z' })
    await cycle(id, 8, clockState.red, { due_at: '2026-03-20T00:00:00Z' }) // the job has not published it yet
    await cycle(id, 9, clockState.green, { due_at: '2999-03-20T00:00:00Z' })
    await cycle(id, 10, clockState.paused)
    await cycle(secret, 1, clockState.met, inMarch)
    const expected = {
      met: 3,
      metLate: 1,
      breached: 2,
      decided: 6,
      attainment: 0.5,
      cancelled: 1,
      running: 1,
      paused: 1,
    }
    const { drill, ...row } = await read(nora, 'sla-attainment')
    assert.deepEqual(row, expected)
    assert.deepEqual(
      (await nora.get(`/insight/drill/${drill}`)).map((each: { title: string }) => each.title),
      ['Promised'],
    )
    assert.equal((await read(ada, 'sla-attainment')).met, 4)
    assert.equal((await read(eve, 'sla-attainment')).attainment, null)
    const { clock: by, clockLabel } = await read(nora, 'sla-attainment', { ...march, groupBy: ['clock'] })
    assert.deepEqual([by, clockLabel], [clock.id, 'Promise'])
  })

  test('measures the first answer, elapsed and in working time, and counts what nobody answered', async () => {
    const may = { ...march, startDate: '2026-05-01T00:00:00Z', endDate: '2026-05-31T00:00:00Z' }
    const [one, two] = [await ticket('One', '2026-05-04T00:00:00Z'), await ticket('Two', '2026-05-05T00:00:00Z')]
    await ticket('Unanswered', '2026-05-06T00:00:00Z')
    await client.query(`update ticket set first_reply_at = '2026-05-04T10:00:00Z' where id = $1`, [one])
    await client.query(`update ticket set first_reply_at = '2026-05-07T00:00:00Z' where id = $1`, [two])
    await cycle(one, 1, clockState.met, { elapsed: 7200, ended_at: '2026-05-04T10:00:00Z' })
    const { tickets, answered, unanswered, average, p50, workingP50 } = await read(nora, 'first-response', may)
    assert.deepEqual([tickets, answered, unanswered, average, p50, workingP50], [3, 2, 1, 29, 29, 2])
  })

  test('divides good answers by answers, and answers by what was closed', async () => {
    const rita = await person({
      name: 'Rita',
      email: 'rita@example.com',
      role: roleCode.requester,
      kind: userKind.requester,
    })
    for (const [title, score] of [
      ['Good', 5],
      ['Fair', 4],
      ['Bad', 1],
      ['Silent', 0],
    ] as const) {
      const id = await ticket(title, '2026-06-01T00:00:00Z', { requester: { userId: rita.id } })
      await ada.put(`/ticket/${id}`, { status: 'Closed' })
      if (score > 0) await rita.post(`/ticket/${id}/csat`, { score })
      await client.query(`update item set closed_at = '2026-06-02' where id = $1`, [id])
    }
    const june = { ...march, startDate: '2026-06-01T00:00:00Z', endDate: '2026-06-30T00:00:00Z' }
    const { drill: _, ...row } = await read(nora, 'satisfaction', june)
    assert.deepEqual(row, {
      closed: 4,
      answers: 3,
      good: 2,
      satisfaction: 0.6667,
      answerRate: 0.75,
      averageScore: 3.3333,
    })
    const { satisfaction, answerRate } = await read(nora, 'satisfaction', {
      ...march,
      startDate: '2026-01-01T00:00:00Z',
      endDate: '2026-01-02T00:00:00Z',
    })
    assert.deepEqual([satisfaction, answerRate], [null, null])
    await ada.post('/access-control', {
      userId: bob.id,
      effect: grantEffect.deny,
      permissions: ['field.satisfaction.*'],
    })
    assert.equal((await bob.ask('POST', '/insight/report/satisfaction', { body: june })).status, 403)
  })
})
