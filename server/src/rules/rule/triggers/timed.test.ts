import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asOwner } from '../../../../test/support/database/database.ts'
import { engines } from '../../../../test/support/engines.ts'
import { sharedTestService } from '../../../../test/support/people.ts'
import { action } from '../../../containers/action/action.ts'
import { annotationKind } from '../../../desk/annotation/annotation.ts'
import { openDatabase } from '../../../kernel/database.ts'
import { operator as operatorCode } from '../../../language/conditions/operators/operators.ts'
import { triggerEvent } from '../../../notify/trigger-event.ts'
import { trigger } from '../rule-codes.ts'
import { readOffset } from './interval.ts'
import { nextDaily, nextOf } from './next-time.ts'

const when = (leftSide: string, operator: number, rightSide = '') => [
  { condition: [{ leftSide, operator, rightSide }] },
]
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

describe('rules that are triggered by time', async () => {
  const home = await sharedTestService()
  const { ada, database, databaseUrl, dataDir } = home
  const running = await engines(home)
  const plus = [{ actionType: action.adjust, field: 'points', value: '+1' }]
  const waiting = async (ruleId: string) => {
    const rows = await database.crossTenantSql<{
      payload: { ruleId: string; plannedAt: string }
    }>`select payload from queued_job where task = 'rule-run'`
    return rows.find(each => each.payload.ruleId === ruleId)?.payload.plannedAt
  }
  /** Makes the planned run due now. */
  const comeNow = async (planned = new Date()) => {
    await database.crossTenantSql`update queued_job set run_at = now(), payload = jsonb_set(payload, '{plannedAt}', to_jsonb(${planned.toISOString()}::text)) where task = 'rule-run'`
    await running.settle()
  }
  const asIf = (statement: string) =>
    asOwner(databaseUrl, undefined, `set local session_replication_role = replica; ${statement}`)
  /** Pretends that the last run was three days ago. */
  const lookedBefore = (ruleId: string) =>
    asIf(`insert into rule_run (tenant_id, rule_id, planned_at, looked_to, began, ended) values ('${ada.tenantId}', '${ruleId}', now() - interval '3 days', now() - interval '3 days', now(), now());
      update rule_run set looked_to = now() - interval '3 days' where rule_id = '${ruleId}'`)
  const pointsOf = async (containerId: string) =>
    (await ada.get(`/item?containerId=${containerId}&sort=number`)).map((each: { points: number }) => each.points)

  test('a schedule runs on all matching items once for each planned time, on any number of nodes', async () => {
    const desk = await ada.post('/container', { name: 'Scheduled' })
    await ada.post(
      '/item/bulk',
      Array.from({ length: 120 }, (_, n) => ({ title: `i${n}`, containerId: desk.id, priority: n % 2 })),
    )
    const { id } = await ada.post('/rule', {
      name: 'Hourly',
      active: true,
      trigger: trigger.schedule,
      triggerInterval: 'PT1H',
      container: [desk.id],
      conditionGroup: when('priority', operatorCode.equals, '1'),
      actionValue: plus,
    })
    const planned = await waiting(id)
    assert.ok(planned && Date.parse(planned) > Date.now())
    const other = openDatabase({ url: databaseUrl, poolSize: 4, queueSize: 100, statementTimeout: 600_000 })
    const second = await engines({ database: other, dataDir })
    await comeNow()
    assert.deepEqual(
      await pointsOf(desk.id),
      Array.from({ length: 120 }, (_, n) => n % 2),
    )
    assert.equal(await waiting(id), planned)
    await second.stop()
    await other.close()
    await ada.put(`/rule/${id}`, { active: false })
    assert.equal(await waiting(id), undefined)
  })

  test('a run of a crashed node continues behind its last commit, and missed times are caught up once', async () => {
    const desk = await ada.post('/container', { name: 'Crashed' })
    for (let n = 0; n < 4; n++) await ada.post('/item', { title: `i${n}`, containerId: desk.id })
    const rows: { id: string }[] = await ada.get(`/item?containerId=${desk.id}&sort=number`)
    const { id } = await ada.post('/rule', {
      name: 'Daily',
      active: true,
      trigger: trigger.schedule,
      triggerInterval: '0 8 * * *',
      timezone: 'Europe/Vienna',
      container: [desk.id],
      actionValue: plus,
    })
    const planned = new Date(Date.now() - 7 * 86_400_000)
    await asIf(`insert into rule_run (tenant_id, rule_id, planned_at, looked_to, began, last_item)
      values ('${ada.tenantId}', '${id}', '${planned.toISOString()}', now(), now(), '${rows[1]?.id}')`)
    await comeNow(planned)
    assert.deepEqual(await pointsOf(desk.id), [0, 0, 1, 1])
    assert.ok(Date.parse((await waiting(id)) ?? '') > Date.now())
    await ada.ask('DELETE', `/rule/${id}`)
  })

  test('a schedule without items runs once', async () => {
    const desk = await ada.post('/container', { name: 'Weekly' })
    const { id } = await ada.post('/rule', {
      name: 'Weekly',
      active: true,
      trigger: trigger.schedule,
      triggerInterval: 'FREQ=WEEKLY;BYDAY=MO',
      actionValue: [{ actionType: action.createItem, value: { title: 'Water the plants', containerId: desk.id } }],
    })
    await comeNow()
    assert.equal((await ada.get(`/item?containerId=${desk.id}`)).length, 1)
    await ada.ask('DELETE', `/rule/${id}`)
  })

  test('rules ignore items in archived containers', async () => {
    const attic = await ada.post('/container', { name: 'Attic' })
    const { id: itemId } = await ada.post('/item', { title: 'Old', containerId: attic.id })
    const rule = { active: true, container: [attic.id], actionValue: plus }
    const timed = await ada.post('/rule', { ...rule, name: 'Daily', trigger: trigger.schedule, triggerInterval: 'P1D' })
    const woken = await ada.post('/rule', { ...rule, name: 'Said', triggerEvent: triggerEvent['annotation.created'] })
    await ada.put(`/container/${attic.id}`, { archived: true })
    await ada.post('/annotation', { itemId, kind: annotationKind.note, body: 'Still talked about' })
    await comeNow()
    for (const { id } of [timed, woken])
      assert.deepEqual(
        (await ada.get(`/rule/${id}/log`)).filter((each: { outcome: number }) => [1, 3].includes(each.outcome)),
        [],
      )
    await ada.put(`/container/${attic.id}`, { archived: false })
    await comeNow(new Date(Date.now() + 1))
    await ada.post('/annotation', { itemId, kind: annotationKind.note, body: 'And again' })
    await running.settle()
    assert.equal((await ada.get(`/item/${itemId}`)).points, 2)
    for (const { id } of [timed, woken]) await ada.delete(`/rule/${id}`)
  })

  test('a rule acts once at its offset from a date, and again when the date changes', async () => {
    const desk = await ada.post('/container', { name: 'Dates' })
    const { key } = await ada.post('/field/date', { name: 'Go live' })
    const soon = await ada.post('/item', { title: 'soon', containerId: desk.id, dueDate: inDays(2) })
    await ada.post('/item', { title: 'late', containerId: desk.id, dueDate: inDays(9) })
    await ada.post('/item', { title: 'custom', containerId: desk.id, Field: [{ key, value: inDays(2) }] })
    const due = await ada.post('/rule', {
      name: 'Due',
      active: true,
      trigger: trigger.dateField,
      triggerInterval: '-P2D@dueDate',
      container: [desk.id],
      timezone: 'UTC',
      actionValue: plus,
    })
    const custom = await ada.post('/rule', {
      name: 'Custom',
      active: true,
      trigger: trigger.dateField,
      triggerInterval: `-P2D@field.${key}`,
      container: [desk.id],
      timezone: 'UTC',
      actionValue: plus,
    })
    assert.deepEqual([due.check, custom.check], [[], []])
    for (const { id } of [due, custom]) await lookedBefore(id)
    await comeNow()
    assert.deepEqual(await pointsOf(desk.id), [1, 0, 1])
    await comeNow()
    assert.deepEqual(await pointsOf(desk.id), [1, 0, 1])
    await ada.put(`/item/${soon.id}`, { dueDate: inDays(1) })
    for (const { id } of [due, custom]) await lookedBefore(id)
    await comeNow()
    assert.deepEqual(await pointsOf(desk.id), [2, 0, 1])
    for (const { id } of [due, custom]) await ada.ask('DELETE', `/rule/${id}`)
    const odd = await ada.post('/rule', { name: 'Odd', trigger: trigger.dateField, triggerInterval: '-P2D@title' })
    assert.equal(odd.check[0].code, 'unknown-path')
  })

  test('an inactive item is found once, and again after new activity', async () => {
    const desk = await ada.post('/container', { name: 'Silent' })
    const ids: string[] = []
    for (const title of ['old', 'spoken', 'fresh'])
      ids.push((await ada.post('/item', { title, containerId: desk.id })).id)
    await asIf(`update item set updated = now() - interval '5 days' where id in ('${ids[0]}', '${ids[1]}')`)
    await ada.post('/annotation', { itemId: ids[1], body: 'Still at it' })
    const { id } = await ada.post('/rule', {
      name: 'Silence',
      active: true,
      trigger: trigger.inactivity,
      triggerInterval: 'P3D',
      container: [desk.id],
      actionValue: [{ actionType: action.addNote, value: 'Anybody?' }],
    })
    await comeNow()
    await comeNow()
    const said = async (n: number) =>
      (await ada.get(`/item/${ids[n]}/annotations`)).filter((each: { body: string }) => each.body === 'Anybody?').length
    assert.deepEqual([await said(0), await said(1), await said(2)], [1, 0, 0])
    await ada.ask('DELETE', `/rule/${id}`)
  })

  test('a dry run returns what the saved rule then does', async () => {
    const desk = await ada.post('/container', { name: 'DryRun' })
    const item = await ada.post('/item', { title: 'Printer', containerId: desk.id })
    const since = new Date().toISOString()
    await ada.put(`/item/${item.id}`, { status: 'Burning' })
    await ada.put(`/item/${item.id}`, { status: 'Out', title: 'Printer, burnt' })
    const rule = {
      name: 'Try',
      triggerEvent: triggerEvent['item.updated'],
      container: [desk.id],
      conditionGroup: when('status', operatorCode.changedTo, 'Burning'),
      actionValue: [
        { actionType: action.setField, field: 'priority', value: 1 },
        { actionType: action.addNote, value: '{{ item.title }} is {{ item.status }}' },
        { actionType: action.sendMail, value: { to: ['someone@example.com'], subject: 'Fire', text: 'Help' } },
      ],
      actionEndpoint: [{ url: 'https://hooks.example.com/in', httpHeader: ['Authorization: x'] }],
    }
    const before = await ada.get('/event?limit=1000')
    const past = await ada.post('/rule/dry-run', { rule, since })
    assert.deepEqual([past.events, past.matched, past.acted, past.complete], [2, 1, 1, true])
    assert.deepEqual(past.days, [{ date: since.slice(0, 10), matched: 1, acted: 1, failed: 0 }])
    assert.deepEqual(past.would[0].actions[0], {
      id: past.would[0].actions[0].id,
      actionType: action.setField,
      field: 'priority',
      before: 0,
      after: 1,
    })
    assert.equal(past.would[0].conditions[0].left, 'Burning')
    assert.deepEqual(
      past.would[0].actions.map((each: { actionType: number }) => each.actionType),
      [action.setField, action.addNote, action.sendMail, action.httpPost],
    )
    assert.deepEqual(await ada.get('/event?limit=1000'), before)
    await running.settle()
    assert.equal((await ada.get(`/item/${item.id}`)).priority, 0)
    const now = { rule: { ...rule, conditionGroup: when('status', operatorCode.equals, 'Out') }, itemId: item.id }
    const would = await ada.post('/rule/dry-run', now)
    const { id } = await ada.post('/rule', { ...now.rule, active: true })
    await ada.put(`/item/${item.id}`, { description: 'Real' })
    await running.settle()
    const [did] = await ada.get(`/rule/${id}/log`)
    const plain = (all: { actionType: number; field?: string; before?: unknown; after?: unknown }[]) =>
      all.slice(0, 1).map(({ actionType, field, before, after }) => [actionType, field, before, after])
    assert.deepEqual([did.outcome, plain(did.actions)], [would.would[0].outcome, plain(would.would[0].actions)])
    assert.deepEqual(
      did.actions.map((each: { actionType: number }) => each.actionType),
      [action.setField, action.addNote, action.sendMail, action.httpPost],
    )
    const unclear = await ada.ask('POST', '/rule/dry-run', { body: { rule } })
    assert.equal(unclear.status, 400)
    await ada.ask('DELETE', `/rule/${id}`)
  })
})

describe('the next run', () => {
  const at = (text: string) => new Date(text)
  const next = (text: string, after: string, timezone = 'Europe/Vienna') =>
    nextOf(text, { began: at('2026-01-31T08:00:00Z'), after: at(after), timezone })?.toISOString()

  test('is counted from the creation of the rule, in its time zone', () => {
    assert.equal(next('PT4H', '2026-03-10T09:30:00Z'), '2026-03-10T12:00:00.000Z')
    assert.equal(next('P1D', '2026-03-29T07:30:00Z'), '2026-03-30T07:00:00.000Z')
    assert.equal(next('P1M', '2026-02-01T00:00:00Z'), '2026-02-28T08:00:00.000Z')
    assert.equal(next('0 8 * * MON-FRI', '2026-03-27T08:00:00Z'), '2026-03-30T06:00:00.000Z')
    assert.equal(next('FREQ=WEEKLY;BYDAY=MO', '2026-03-27T08:00:00Z'), '2026-03-30T07:00:00.000Z')
    assert.equal(next('FREQ=DAILY;COUNT=2', '2026-03-27T08:00:00Z'), undefined)
    assert.equal(next('often', '2026-03-27T08:00:00Z'), undefined)
  })

  test('of a date rule is at a time of the day', () => {
    const offset = (text: string) => readOffset(`${text}@dueDate`)?.offset
    for (const [text, expected] of [
      ['-P2D', '2026-03-10T23:00:00.000Z'],
      ['PT9H', '2026-03-10T08:00:00.000Z'],
      ['-PT4H', '2026-03-10T19:00:00.000Z'],
    ] as const) {
      const given = offset(text)
      assert.ok(given)
      assert.equal(nextDaily(given, at('2026-03-10T07:00:00Z'), 'Europe/Vienna').toISOString(), expected, text)
    }
  })
})
