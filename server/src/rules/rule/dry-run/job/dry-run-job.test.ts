import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { engines } from '../../../../../test/support/engines.ts'
import { type Person, sharedTestService } from '../../../../../test/support/people.ts'
import { action } from '../../../../containers/action/action.ts'
import { tenantCaller } from '../../../../identity/tenant-caller.ts'
import { itemVisibility } from '../../../../items/item/item.ts'
import { roleCode } from '../../../../kernel/access.ts'
import { appendEvents } from '../../../../kernel/events.ts'
import { operator } from '../../../../language/conditions/operators/operators.ts'
import { triggerEvent } from '../../../../notify/trigger-event.ts'
import { outcome } from '../../log/log.ts'
import { forgetRuleLog } from '../../log/log-retention.ts'
import { trigger } from '../../rule-codes.ts'
import { dryRunState } from './dry-run-job.ts'

const hour = 3_600_000

describe('the dry run of a rule over a period', async () => {
  const home = await sharedTestService()
  const { ada, bob, eve, person, database, databaseUrl } = home
  const running = await engines(home)
  const owner = new pg.Client({ connectionString: databaseUrl })
  await owner.connect()
  after(() => owner.end())
  let containers = 0
  const container = async () =>
    (await ada.post('/container', { name: `Tried ${++containers}`, key: `TR${containers}` })).id
  const condition = (leftSide: string, code: number, rightSide: string) => ({ leftSide, operator: code, rightSide })
  const since = new Date(Date.now() - 30 * 24 * hour).toISOString()

  /** Begins a dry run, and waits until it has ended. */
  const tried = async (rule: object, period: object = { since }, by: Person = ada) => {
    const begun = await by.post('/rule/dry-run/job', { rule: { name: 'Tried', ...rule }, ...period })
    await running.settle()
    return await by.get(`/rule/dry-run/job/${begun.id}`)
  }
  const resultsOf = async ({ id }: { id: string }, query = '') =>
    await ada.get(`/rule/dry-run/job/${id}/result${query}`)
  /** Moves the events of an item back in time, and the item with them. */
  const ago = async (id: string, ms: number) => {
    const shift = `interval '${ms} milliseconds'`
    await owner.query(`update event set at = at - ${shift} where record_id = $1`, [id])
    await owner.query(`update item set created = created - ${shift}, updated = updated - ${shift} where id = $1`, [id])
  }
  /**
   * What every table has, but the jobs and the dry runs themselves. The number of a new item is reserved outside of its
   * transaction, so that an item which is not created leaves a gap (`items/create/item-numbers.ts`).
   */
  const contents = async () => {
    const { rows } = await owner.query<{ name: string }>(
      `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind in ('r', 'p')
        and c.relname not in ('rule_dry_run', 'rule_dry_run_result', 'queued_job', 'job', 'lease', 'api_key', 'container_number') order by 1`,
    )
    const found: Record<string, string> = {}
    for (const { name } of rows) {
      const { rows: sums } = await owner.query(
        `select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) as sum from "${name}" t`,
      )
      found[name] = sums[0].sum
    }
    return found
  }
  const jobs = async () => (await owner.query('select count(*)::int as n from queued_job')).rows[0].n

  test('tells what matched and what each action would do, each item as it was then, and writes nothing', async () => {
    const containerId = await container()
    const items = []
    for (const priority of [1, 1, 3]) {
      const item = await ada.post('/item', { title: `P${priority}`, containerId, priority })
      items.push(item)
      await new Promise(resolve => setTimeout(resolve, 5))
      await ada.must('PATCH', `/item/${item.id}`, { body: { priority: 4, title: 'Later' } })
    }
    await running.settle()
    const before = await contents()
    const draft = {
      container: [containerId],
      triggerEvent: triggerEvent['item.created'],
      conditionGroup: [
        {
          condition: [condition('priority', operator.equals, '1'), condition('title', operator.startsWith, 'P')],
        },
      ],
      actionValue: [
        { actionType: action.setField, field: 'severity', value: 2 },
        { actionType: action.addNote, value: 'Was {{ item.title }}' },
        { actionType: action.sendMail, value: { to: ['somebody@example.com'], subject: 'Hello', text: 'There' } },
        { actionType: action.createItem, value: { title: 'Another', containerId } },
      ],
      actionEndpoint: [{ actionType: action.httpPost, url: 'https://example.com/hook', active: true }],
    }
    const job = await tried(draft)
    assert.deepEqual(
      [job.state, job.triggered, job.matched, job.acted, job.failed, job.listed, job.progress, job.error],
      [dryRunState.done, 3, 2, 2, 0, 2, 1, ''],
    )
    assert.deepEqual(
      job.conditions.map((each: { leftSide: string; held: number }) => [each.leftSide, each.held]),
      [
        ['priority', 2],
        ['title', 3],
      ],
    )
    const results = await resultsOf(job)
    assert.deepEqual(
      results.map((each: { n: number; itemId: string; outcome: number }) => [each.n, each.itemId, each.outcome]),
      [
        [0, items[0].id, outcome.acted],
        [1, items[1].id, outcome.acted],
      ],
    )
    assert.deepEqual(
      results[0].conditions.map((each: { left: string; outcome: boolean }) => [each.left, each.outcome]),
      [
        ['1', true],
        ['P1', true],
      ],
    )
    assert.deepEqual([results[0].actions[0].field, results[0].actions[0].after], ['severity', 2])
    assert.equal((await resultsOf(job, '?after=0&limit=1'))[0].n, 1)
    assert.equal((await resultsOf(job, `?outcome=${outcome.failed}`)).length, 0)
    for (const wrong of ['limit=x', 'limit=0', 'after=1e3', 'outcome=odd']) {
      const { status } = await ada.ask('GET', `/rule/dry-run/job/${job.id}/result?${wrong}`)
      assert.equal(status, 400, wrong)
    }
    assert.equal((await ada.ask('GET', '/rule/dry-run/job?limit=101')).status, 400)
    assert.deepEqual(await contents(), before)
    assert.equal(await jobs(), 0, 'no mail, no call, and nothing else is left to do')
  })

  test('finds thresholds of clocks, schedules, dates and inactivity', async () => {
    const containerId = await container()
    const item = await ada.post('/item', { title: 'Old', containerId, priority: 1 })
    await database.transaction(tenantCaller(ada.tenantId), ctx =>
      appendEvents(ctx, [{ kind: 'clock.breached', entity: 'Item', recordId: item.id, changes: {} }]),
    )
    await ago(item.id, 10 * hour)
    const rule = {
      container: [containerId],
      actionValue: [{ actionType: action.setField, field: 'severity', value: 2 }],
    }
    const now = Date.now() // once: a millisecond more between the two moments would be one more run
    const period = (from: number, to: number) => ({
      since: new Date(now - from * hour).toISOString(),
      until: new Date(now - to * hour).toISOString(),
    })
    const clock = await tried({ ...rule, trigger: trigger.clock }, period(11, 1))
    assert.deepEqual([clock.matched, clock.acted], [1, 1])
    // The item exists since ten hours, so that the first hours find nothing. The period ends between two full hours.
    const schedule = await tried({ ...rule, trigger: trigger.schedule, triggerInterval: 'PT1H' }, period(12.5, 5))
    assert.deepEqual([schedule.matched, schedule.acted, schedule.state], [5, 5, dryRunState.done])
    const silent = await tried({ ...rule, trigger: trigger.inactivity, triggerInterval: 'PT2H' }, period(12, 1))
    assert.deepEqual([silent.matched, (await resultsOf(silent))[0].event], [1, 'rule.silence'])
    const dated = await tried({ ...rule, trigger: trigger.dateField, triggerInterval: 'PT3H@created' }, period(12, 1))
    assert.deepEqual([dated.matched, dated.acted], [1, 1])
    const manual = { rule: { name: 'Button', trigger: trigger.manual }, since }
    const refused = await ada.ask('POST', '/rule/dry-run/job', { body: manual })
    assert.deepEqual([refused.status, refused.body.Fields[0].Pointer], [400, '/rule/trigger'])
  })

  test('tells what the saved rules would do in turn, and names a circle', async () => {
    const containerId = await container()
    const on = (field: string) => ({
      active: true,
      container: [containerId],
      triggerEvent: triggerEvent['item.updated'],
      conditionGroup: [{ condition: [condition(field, operator.changed, '')] }],
    })
    const back = await ada.post('/rule', {
      ...on('severity'),
      name: 'Back',
      actionValue: [{ actionType: action.setField, field: 'points', value: 5 }],
    })
    const again = await ada.post('/rule', {
      ...on('points'),
      name: 'Again',
      actionValue: [{ actionType: action.setField, field: 'priority', value: 4 }],
    })
    const item = await ada.post('/item', { title: 'Round', containerId })
    await ada.must('PATCH', `/item/${item.id}`, { body: { priority: 2 } })
    await running.settle()
    const job = await tried({
      ...on('priority'),
      name: 'Forth',
      actionValue: [{ actionType: action.setField, field: 'severity', value: 2 }],
    })
    const [result] = await resultsOf(job)
    assert.deepEqual(
      result.next.map((each: { name: string; depth: number; outcome: number; loop: string[] }) => [
        each.name,
        each.depth,
        each.outcome,
        each.loop,
      ]),
      [
        ['Back', 1, outcome.acted, []],
        ['Again', 2, outcome.acted, []],
        ['Forth', 3, outcome.skipped, ['Forth', 'Back', 'Again', 'Forth']],
      ],
    )
    assert.deepEqual([result.next[0].ruleId, result.next[0].actions[0].after], [back.id, 5])
    for (const { id } of [back, again]) await ada.must('DELETE', `/rule/${id}`)
  })

  test('is seen by who began it, with the items that they may see, and one runs at a time', async () => {
    const containerId = await container()
    const carl = await person({ name: 'Carl', role: roleCode.admin })
    const open = await ada.post('/item', { title: 'Open', containerId })
    await ada.post('/item', { title: 'Secret', containerId, visibility: itemVisibility.confidential })
    const draft = {
      name: 'Seen',
      container: [containerId],
      triggerEvent: triggerEvent['item.created'],
      actionValue: [{ actionType: action.setField, field: 'severity', value: 2 }],
    }
    const job = await tried(draft, { since }, carl)
    const listed = await carl.get(`/rule/dry-run/job/${job.id}/result`)
    assert.deepEqual([job.triggered, listed.map((each: { itemId: string }) => each.itemId)], [1, [open.id]])
    for (const [who, path] of [
      [ada, `/rule/dry-run/job/${job.id}`],
      [eve, `/rule/dry-run/job/${job.id}`],
      [ada, `/rule/dry-run/job/${job.id}/result`],
    ] as const)
      assert.equal((await who.ask('GET', path)).status, 404)
    assert.equal((await ada.ask('POST', `/rule/dry-run/job/${job.id}/cancel`)).status, 404)
    assert.equal((await bob.ask('POST', '/rule/dry-run/job', { body: { rule: draft, since } })).status, 403)
    assert.deepEqual(
      (await carl.get('/rule/dry-run/job')).map((each: { id: string }) => each.id),
      [job.id],
    )
    await running.stop()
    const waiting = await carl.post('/rule/dry-run/job', { rule: draft, since })
    const second = await carl.ask('POST', '/rule/dry-run/job', { body: { rule: draft, since } })
    assert.deepEqual([second.status, second.body.code], [409, 'dry-run-running'])
    const cancelled = await carl.post(`/rule/dry-run/job/${waiting.id}/cancel`, {})
    assert.deepEqual([cancelled.state, cancelled.progress], [dryRunState.cancelled, 0])
    await owner.query(`update rule_dry_run set began = began - interval '8 days' where id = $1`, [job.id])
    await forgetRuleLog(database).run(new AbortController().signal)
    assert.equal((await carl.ask('GET', `/rule/dry-run/job/${job.id}`)).status, 404, 'its time is over')
    assert.equal((await carl.ask('GET', `/rule/dry-run/job/${waiting.id}`)).status, 200)
    const wrong = await carl.ask('POST', '/rule/dry-run/job', { body: { rule: draft, since: '2999-01-01T00:00:00Z' } })
    assert.deepEqual([wrong.status, wrong.body.Fields[0].Field], [400, 'since'])
  })
})
