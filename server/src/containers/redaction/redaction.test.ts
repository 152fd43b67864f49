import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { grantEffect } from '../../identity/grant-effect.ts'
import { roleCode } from '../../kernel/access.ts'
import { operator } from '../../language/conditions/operators/operators.ts'
import { mask } from '../../platform/secrets.ts'
import { trigger } from '../../rules/rule/rule-codes.ts'
import { action } from '../action/action.ts'
import { wipModes } from '../board/board.ts'
import { strip } from './strip.ts'

test('times in a value stay times', () => {
  const none = new Set<string>()
  const at = new Date()
  assert.deepEqual(strip({ at, list: [{ at }] }, { of: () => none, parts: none }), { at, list: [{ at }] })
})

describe('a hidden field', async () => {
  const { ada, bob, person } = await sharedTestService()
  const boss = await person({ name: 'Boss', role: roleCode.admin })
  const wage = await ada.post('/field', { name: 'Wage', key: 'wage' })
  const item = await ada.post('/item', { title: 'Contract', points: 1, Field: [{ key: 'wage', value: 'xylophone' }] })
  await ada.post('/access-control', {
    audience: '@everyone',
    effect: grantEffect.deny,
    permissions: ['field.wage.*'],
  })
  const isSilent = (answer: unknown) => assert.doesNotMatch(JSON.stringify(answer), /xylophone/)

  test('is in no conflict of an undo', async () => {
    const change = { points: 2, Field: [{ fieldId: wage.id, value: 'xylophone two' }] }
    const { headers } = await ada.ask('PATCH', `/item/${item.id}`, { body: change })
    await ada.put(`/item/${item.id}`, { points: 3, Field: [{ key: 'wage', value: 'xylophone three' }] })
    const { status, body } = await boss.ask('POST', `/change/${headers.get('change-set')}/undo`)
    const points = { entity: 'Item', recordId: item.id, property: 'points', expected: 2, current: 3 }
    assert.deepEqual([status, body.conflicts], [409, [points]])
  })

  test('is in no sum over a board or a cycle', async () => {
    const { id: containerId } = await ada.post('/container', { name: 'Sums' })
    const columns = [{ id: 'all', name: 'All', values: ['Open'], wipMode: wipModes.points }]
    const board = await ada.post('/board', {
      name: 'Sums',
      containerIds: [containerId],
      columnField: 'status',
      columns,
    })
    const cycle = await ada.post('/cycle', { name: 'Sums', containerId })
    await ada.post('/item', {
      title: 'x',
      containerId,
      status: 'Open',
      points: 4711,
      estimateMinutes: 4712,
      cycleId: cycle.id,
    })
    await ada.post(`/cycle/${cycle.id}/start`, {})
    const sums = async (who: Person) => [
      (await who.get(`/board/${board.id}/cards`)).columns[0].sum,
      (await who.get(`/cycle/${cycle.id}`)).committed.points,
      (await who.get(`/cycle/${cycle.id}/burndown`)).now.scope.points,
      (await who.get(`/cycle/${cycle.id}/capacity`)).remainingMinutes,
    ]
    const permissions = ['field.points.read', 'field.estimateMinutes.read']
    const denied = await ada.post('/access-control', { userId: bob.id, effect: grantEffect.deny, permissions })
    assert.deepEqual(
      [await sums(ada), await sums(bob)],
      [
        [4711, 4711, 4711, 4712],
        [0, 0, 0, 0],
      ],
    )
    await ada.delete(`/access-control/${denied.id}`)
  })

  describe('that a rule uses', async () => {
    const said = 'xylophone four'
    const rule = await ada.post('/rule', {
      name: 'Raise',
      active: true,
      trigger: trigger.manual,
      conditionGroup: [{ condition: [{ leftSide: 'field.wage', operator: operator.notEquals, rightSide: said }] }],
      actionValue: [
        { actionType: action.setField, field: 'field.wage', value: said },
        { actionType: action.adjust, field: 'points', value: '+1' },
      ],
    })

    test('is neither in the result of a run nor in the log', async () => {
      const run = await bob.post(`/rule/${rule.id}/run`, { itemId: item.id })
      assert.deepEqual(
        run.actions.map((each: { field: string }) => each.field),
        ['points'],
      )
      isSilent(run)
      const value = (await ada.get(`/item/${item.id}`)).Field[0].value
      assert.equal(value, said, 'the rule acts with the rights of its owner')
      const [entry] = await boss.get(`/rule/log?itemId=${item.id}`)
      assert.deepEqual([entry.ruleId, entry.conditions, entry.actions.length], [rule.id, [], 1])
      for (const path of ['/rule', `/rule/${rule.id}/log`, `/rule/${rule.id}/history`, '/event'])
        isSilent(await boss.get(path))
      const [whole] = await ada.get(`/rule/log?itemId=${item.id}`)
      assert.deepEqual([whole.conditions.length, whole.actions.length], [1, 2])
    })

    test('is masked in the rule, and keeps its value when the mask comes back', async () => {
      const shown = await boss.get(`/rule/${rule.id}`)
      assert.equal(shown.actionValue[0].value, mask)
      assert.equal(shown.conditionGroup[0].condition[0].rightSide, mask)
      const { conditionGroup, actionValue, ownerUser } = await ada.get(`/rule/${rule.id}`)
      await boss.put(`/rule/${rule.id}`, { ...shown, name: 'Rise', scopes: undefined })
      const now = await ada.get(`/rule/${rule.id}`)
      assert.deepEqual(
        [now.name, now.conditionGroup, now.actionValue, now.ownerUser],
        ['Rise', conditionGroup, actionValue, ownerUser],
      )
    })

    test('is not added to a condition or an action', async () => {
      const conditionGroup = [{ condition: [{ leftSide: 'field.wage', operator: operator.equals, rightSide: said }] }]
      for (const [path, body] of [
        ['/rule', { name: 'Mine', conditionGroup }],
        ['/rule', { name: 'Mine', actionValue: [{ actionType: action.setField, field: 'wage', value: said }] }],
        ['/constraint', { name: 'Mine', when: conditionGroup, then: [{ kind: 0, field: 'dueDate' }] }],
        ['/access-control', { userId: bob.id, role: roleCode.member, conditionGroup }],
      ] as const) {
        const answer = await boss.ask('POST', path, { body })
        assert.deepEqual([answer.status, path], [403, path])
        assert.match(answer.body.detail, /permission field\.wage\.read/)
      }
    })
  })
})
