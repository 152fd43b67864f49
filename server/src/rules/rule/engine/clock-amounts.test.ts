import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../../../../test/support/engines.ts'
import { sharedTestService } from '../../../../test/support/people.ts'
import { targetKind } from '../../../clocks/clock/target-kind.ts'
import { action } from '../../../containers/action/action.ts'
import { containerKind } from '../../../containers/container-kind.ts'
import { statusCategory } from '../../../containers/status-category.ts'
import { operator as operatorCode } from '../../../language/conditions/operators/operators.ts'
import { interval } from '../../../notify/notification/notification-codes.ts'
import { triggerEvent } from '../../../notify/trigger-event.ts'
import { outcome as ruleOutcome } from '../log/log.ts'
import { trigger } from '../rule-codes.ts'

const [above, below] = [4, 6]
const when = (...all: [string, number, string][]) => [
  { condition: all.map(([leftSide, operator, rightSide]) => ({ leftSide, operator, rightSide })) },
]

describe('rules with conditions on the amounts of a clock', async () => {
  const home = await sharedTestService()
  const { ada, database } = home
  const running = await engines(home)
  let desks = 0
  const desk = async (minutes: number) => {
    const { id } = await ada.post('/container', {
      name: `Desk ${++desks}`,
      key: `AM${desks}`,
      kind: containerKind.desk,
    })
    const clock = await ada.post('/clock', {
      name: 'Promise',
      container: [id],
      targets: [{ kind: targetKind.resolution, minutes }],
    })
    return { id, clockId: clock.id, item: (title: string) => ada.post('/item', { title, containerId: id }) }
  }
  const points = async (id: string) => (await ada.get(`/item/${id}`)).points
  const plus = [{ actionType: action.adjust, field: 'points', value: '+1' }]

  test('conditions see the amounts at that moment', async () => {
    const { id, clockId, item } = await desk(60)
    const left = `clock.${clockId}.remaining`
    await ada.post('/field/number', { name: 'Left' })
    const { id: rule, check } = await ada.post('/rule', {
      name: 'Soon due',
      active: true,
      container: [id],
      triggerEvent: triggerEvent['item.updated'],
      conditionGroup: when([left, below, 'PT1H'], [left, above, '55'], [`Clock.${clockId}.Elapsed`, below, '5']),
      actionValue: [...plus, { actionType: action.copyFrom, field: 'left', value: left }],
    })
    const never = {
      name: 'Long due',
      active: true,
      container: [id],
      triggerEvent: triggerEvent['item.updated'],
      actionValue: plus,
    }
    await ada.post('/rule', { ...never, conditionGroup: when([left, below, '10']) })
    await ada.post('/rule', { ...never, conditionGroup: when([`clock.${id}.remaining`, above, '-9999']) })
    assert.deepEqual(check, [])
    const { id: itemId } = await item('Printer')
    await running.settle()
    await ada.put(`/item/${itemId}`, { title: 'Printer again' })
    await running.settle()
    const after = await ada.get(`/item/${itemId}`)
    assert.equal(after.points, 1)
    const { value } = after.Field.find((each: { key: string }) => each.key === 'left')
    assert.ok(value > 55 && value <= 60, String(value))
    const [acted] = (await ada.get(`/rule/${rule}/log`)).filter(
      (each: { outcome: number }) => each.outcome === ruleOutcome.acted,
    )
    const [remaining] = acted.conditions
    assert.ok(Number(remaining.left) > 55 && Number(remaining.left) <= 60, remaining.left)
  })

  test('a schedule finds items whose clock runs, and evaluates the amounts of each', async () => {
    const [near, far] = [await desk(30), await desk(3000)]
    const [soon, late] = [await near.item('Soon'), await far.item('Late')]
    const done = await near.item('Done')
    await ada.put(`/item/${done.id}`, { status: 'Done', statusCategory: statusCategory.done })
    await running.settle()
    const path = (clockId: string) => `clock.${clockId}.remaining`
    await ada.post('/rule', {
      name: 'Now and then',
      active: true,
      trigger: trigger.schedule,
      triggerInterval: 'PT1H',
      container: [near.id, far.id],
      conditionGroup: [
        ...when([path(near.clockId), below, '60'], ['title', operatorCode.notEquals, 'x']),
        ...when([path(far.clockId), below, '60']),
      ],
      actionValue: plus,
    })
    await database.crossTenantSql`update queued_job set run_at = now(), payload = jsonb_set(payload, '{plannedAt}', to_jsonb(${new Date().toISOString()}::text)) where task = 'rule-run'`
    await running.settle()
    assert.deepEqual([await points(soon.id), await points(late.id), await points(done.id)], [1, 0, 0])
  })

  test('a search by amounts is refused', async () => {
    const { id, clockId, item } = await desk(60)
    await item('Printer')
    const conditionGroup = when([`clock.${clockId}.remaining`, below, '9999'])
    assert.equal((await ada.ask('POST', '/item/search', { body: { container: [id], conditionGroup } })).status, 400)
    const { check } = await ada.post('/notification', {
      name: 'Due',
      container: [id],
      interval: interval.daily,
      conditionGroup,
    })
    assert.deepEqual(
      check.map((each: { code: string }) => each.code),
      ['unknown-path'],
    )
  })
})
