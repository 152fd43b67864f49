import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../../../test/support/engines.ts'
import { sharedTestService } from '../../../test/support/people.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Context } from '../../kernel/context.ts'
import { operator } from '../../language/conditions/operators/operators.ts'
import { interval, limiter as limiterCode } from './notification-codes.ts'

describe('limits and repetitions of notifications', async () => {
  const home = await sharedTestService()
  const { ada, database } = home
  const nodes = [await engines(home), await engines(home)]
  const settle = async () => {
    for (const node of nodes) await node.settle()
  }
  const query = async <T>(look: (ctx: Context) => Promise<T>) => await database.single(tenantCaller(ada.tenantId), look)

  const boss = 'boss@example.com'
  const make = async (values: object = {}) => {
    const { id } = await ada.post('/container', { name: 'Desk' })
    const item = async (title: string) => (await ada.post('/item', { title, containerId: id, priority: 1 })).id
    const notification = await ada.post('/notification', {
      ...{ name: 'News', active: true, interval: interval.daily, container: [id], recipientEmail: [boss], ...values },
    })
    return { ...notification, item }
  }

  /** Runs the notification as planned some days ago and returns the mails. */
  async function come(id: string, days = 0): Promise<string[]> {
    await settle()
    await query(
      ctx => ctx.sql`update queued_job set run_at = now(), payload = jsonb_set(payload, '{planned}',
          to_jsonb(to_char(now() - interval '1 second' - ${days} * interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
        where tenant_id = ${ada.tenantId} and lane = ${`notification key ${id}`}`,
    )
    return await subjects()
  }

  let counted = 0
  async function subjects(): Promise<string[]> {
    await settle()
    const all = await query(
      ctx =>
        ctx.sql<{ subject: string }>`select subject from outbound_mail where tenant_id = ${ada.tenantId} order by id`,
    )
    const fresh = all.slice(counted)
    counted = all.length
    return fresh.map(each => each.subject)
  }

  /** Moves the times of all reports back by some days. */
  const ago = async (id: string, days: number) =>
    await query(
      ctx =>
        ctx.sql`update notification_seen set told_at = told_at - ${days} * interval '1 day' where tenant_id = ${ada.tenantId} and notification_id = ${id}`,
    )

  for (const [limiter, days, period] of [
    [3, 1, 'day'],
    [4, 7, 'week'],
  ] as const)
    test(`limiter ${limiter}: each record is reported once a ${period}, also if it stops matching in between`, async () => {
      const urgent = [{ condition: [{ leftSide: 'priority', operator: operator.equals, rightSide: '1' }] }]
      const { id, item } = await make({ limiter, conditionGroup: urgent })
      const one = await item('One')
      assert.deepEqual(await come(id), ['News: 1'])
      await item('Two')
      assert.deepEqual(await come(id), ['News: 1'])
      assert.deepEqual(await come(id), [])
      await ada.put(`/item/${one}`, { priority: 4 })
      assert.deepEqual(await come(id), [])
      await ada.put(`/item/${one}`, { priority: 1 })
      assert.deepEqual(await come(id), [])
      await ago(id, days)
      assert.deepEqual(await come(id), ['News: 2'])
    })

  test('limiter 5: records changed since the last run are reported once, also those whose transaction was open during it', async () => {
    const { id, item } = await make({ limiter: limiterCode.changedOnly })
    const [one, two] = [await item('One'), await item('Two')]
    assert.deepEqual(await come(id), ['News: 2'])
    assert.deepEqual(await come(id), [])
    await ada.put(`/item/${one}`, { title: 'Changed' })
    assert.deepEqual(await come(id), ['News: 1'])
    assert.deepEqual(await come(id), [])
    // Begun before the last run, committed after it.
    await query(
      ctx =>
        ctx.sql`update item set version = version + 1, updated = now() - interval '20 seconds' where tenant_id = ${ada.tenantId} and id = ${two}`,
    )
    assert.deepEqual(await come(id), ['News: 1'])
    assert.deepEqual(await come(id), [])
  })

  test('limiter 6: a list is sent only if it differs from the last one', async () => {
    const { id, item } = await make({ limiter: limiterCode.ifDifferent })
    const one = await item('One')
    assert.deepEqual(await come(id), ['News: 1'])
    await ada.put(`/item/${one}`, { title: 'Same list' })
    assert.deepEqual(await come(id), [])
    const two = await item('Two')
    assert.deepEqual(await come(id), ['News: 2'])
    await ada.delete(`/item/${two}`)
    assert.deepEqual(await come(id), ['News: 1'])
    await ada.delete(`/item/${one}`)
    assert.deepEqual(await come(id), [])
    await ada.post(`/item/${one}/restore`, {})
    assert.deepEqual(await come(id), [])
  })

  test('a cap has no effect where the records do not exceed it', async () => {
    const { id, item } = await make({ limiter: 10 })
    for (let n = 0; n < 10; n++) await item(`Item ${n}`)
    assert.deepEqual(await come(id), ['News: 10'])
    await item('One more')
    await come(id)
    const [mail] = await query(
      ctx =>
        ctx.sql<{
          text: string
        }>`select body_text as text from outbound_mail where tenant_id = ${ada.tenantId} order by id desc limit 1`,
    )
    assert.match(mail?.text ?? '', /and 1 more/)
  })

  test('matches that had no recipient are reported to a later recipient', async () => {
    const { id, item } = await make({ limiter: limiterCode.oncePerRecord, recipientEmail: [] })
    await item('One')
    assert.deepEqual(await come(id), [])
    await ada.put(`/notification/${id}`, { recipientEmail: [boss] })
    assert.deepEqual(await come(id), ['News: 1'])
    assert.deepEqual(await come(id), [])
  })

  test('ten days of missed runs become one run, and the next run lies in the future', async () => {
    const { id, item } = await make({ interval: interval.quarterHourly })
    await item('One')
    assert.deepEqual(await come(id, 10), ['News: 1'])
    const { nextRun } = await ada.get(`/notification/${id}`)
    assert.ok(Date.parse(nextRun) > Date.now())
    assert.equal((await ada.get(`/notification/${id}/log`)).length, 1)
    assert.deepEqual(await subjects(), [])
  })

  test('each recipient gets one mail, also with two nodes and repeated jobs', async () => {
    const members: string[] = []
    for (let n = 0; n < 30; n++)
      members.push((await ada.post('/user', { name: `Reader ${n}`, email: `reader${n}@example.com` })).id)
    const team = await ada.post('/user-group', { name: 'Readers', members })
    const { id, item } = await make({ recipientUserGroup: [team.id] })
    await item('One')
    await settle()
    const planned = new Date(Date.now() - 5000).toISOString()
    const owe = async (task: string, payload: object, times: number) =>
      await query(
        ctx => ctx.sql`insert into queued_job (tenant_id, lane, id, task, payload)
          select ${ada.tenantId}, ${task} || gen_random_uuid(), gen_random_uuid(), ${task}, ${JSON.stringify(payload)}::jsonb from generate_series(1, ${times}) returning 1`,
      )
    await owe('notification', { id, planned }, 6)
    assert.equal((await subjects()).length, 31)
    const [run] = await ada.get(`/notification/${id}/log`)
    const recipients = members.map(to => ({ kind: 'user', to }))
    await owe('notification-send', { runId: run.id, recipients }, 6)
    assert.deepEqual(await subjects(), [])
    assert.equal(run.sent.length, 31)
    assert.equal(new Set(run.sent.map((each: { to: string }) => each.to)).size, 31)
  })

  test('a failing recipient does not delay the others', async () => {
    const { id, item } = await make({ recipientEmail: [], recipientEndpoint: '' })
    await item('One')
    await ada.post(`/notification/${id}/run`, {})
    await settle()
    const [run] = await ada.get(`/notification/${id}/log`)
    const recipients = [
      { kind: 'user', to: 'nobody at all' },
      { kind: 'email', to: boss },
    ]
    await query(
      ctx => ctx.sql`insert into queued_job (tenant_id, lane, id, task, payload)
        values (${ada.tenantId}, 'odd', ${crypto.randomUUID()}, 'notification-send', ${JSON.stringify({ runId: run.id, recipients })}::jsonb)`,
    )
    assert.deepEqual(await subjects(), ['News: 1'])
    await query(ctx => ctx.sql`delete from queued_job where tenant_id = ${ada.tenantId} and lane = 'odd'`)
  })

  test('working days follow the clock of the container, also when a planned day becomes a holiday', async () => {
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    const clock = await ada.post('/clock', {
      name: 'All week',
      timezone: 'UTC',
      weekStart: 'Monday',
      weekEnd: 'Sunday',
      dayStart: '00:00',
      dayEnd: '24:00',
      nonWorkingDay: [day(1)],
    })
    const { id: containerId } = await ada.post('/container', { name: 'Shop', clockId: clock.id })
    await ada.post('/item', { title: 'Open', containerId })
    const values = { container: [containerId], interval: interval.workingDay, at: '00:00', timezone: 'UTC' }
    const { id, nextRun } = await make(values)
    assert.equal(nextRun, `${day(2)}T00:00:00.000Z`)
    assert.deepEqual(await come(id), ['News: 1'])
    await ada.put(`/clock/${clock.id}`, { nonWorkingDay: [day(-1), day(0), day(1)] })
    assert.deepEqual(await come(id), [])
    assert.equal((await ada.get(`/notification/${id}`)).nextRun, `${day(2)}T00:00:00.000Z`)
    assert.equal((await ada.get(`/notification/${id}/log`)).length, 1)
  })
})
