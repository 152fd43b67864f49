import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../../../../test/support/engines.ts'
import { sharedTestService } from '../../../../test/support/people.ts'
import { action } from '../../../containers/action/action.ts'
import { triggerEvent } from '../../../notify/trigger-event.ts'

describe('a clock that follows the sun', async () => {
  const home = await sharedTestService()
  const { ada, bob } = home
  const running = await engines(home)
  const clockOf = async (values: object) => await ada.post('/clock', { name: 'Clock', ...values })
  const group = async (name: string, members: string[]) => await ada.post('/user-group', { name, members })
  const dayAhead = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

  test('rules assign to the group that is on duty', async () => {
    const { id: containerId } = await ada.post('/container', { name: 'Desk', key: 'SUN' })
    const [open, closed] = [
      await clockOf({}),
      await clockOf({ exceptions: [0, 1].map(days => ({ date: dayAhead(days), intervals: [] })) }),
    ]
    const [busy, idle] = [await group('Busy', [bob.id]), await group('Idle', [ada.id])]
    const clock = await clockOf({
      regions: [
        { name: 'Closed', clockId: closed.id, groupId: idle.id },
        { name: 'Open', clockId: open.id, groupId: busy.id },
      ],
    })
    const empty = await clockOf({ regions: [{ name: 'Closed', clockId: closed.id, groupId: idle.id }] })
    const assignees = async (value: unknown) => {
      const rule = await ada.post('/rule', {
        name: 'Route',
        active: true,
        container: [containerId],
        triggerEvent: triggerEvent['item.created'],
        actionValue: [{ actionType: action.assign, value }],
      })
      assert.deepEqual(rule.check ?? [], [])
      const { id } = await ada.post('/item', { title: 'Whose', containerId })
      await running.settle()
      await ada.must('DELETE', `/rule/${rule.id}`)
      return (await ada.get(`/item/${id}`)).assignees
    }
    assert.deepEqual(await assignees({ clockId: clock.id }), [bob.id])
    assert.deepEqual(await assignees(`onDuty ${busy.id}`), [bob.id], 'of a group, the policy')
    assert.deepEqual(await assignees({ clockId: empty.id }), [])
    const unknown = await ada.post('/rule', {
      name: 'Unknown',
      actionValue: [{ actionType: action.assign, value: { clockId: '00000000-0000-7000-8000-000000000000' } }],
    })
    assert.equal(unknown.check[0].path, '/actionValue/0/value/clockId')
  })
})
