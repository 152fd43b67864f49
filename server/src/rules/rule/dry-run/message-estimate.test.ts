import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../../../../test/support/engines.ts'
import { sharedTestService } from '../../../../test/support/people.ts'
import { eventually } from '../../../../test/support/until.ts'
import { action } from '../../../containers/action/action.ts'
import { roleCode } from '../../../kernel/access.ts'
import { addedMessages, estimateBody } from '../../../notify/noise/noise.ts'
import { triggerEvent } from '../../../notify/trigger-event.ts'
import { dryRunState } from './job/dry-run-job.ts'

describe('the messages that a rule would send', async () => {
  const home = await sharedTestService()
  const { ada, bob, person } = home
  const running = await engines(home)
  const mia = await person({ name: 'Mia', email: 'mia@example.com', role: roleCode.manager })
  const desk = await ada.post('/container', { name: 'Desk', private: true })
  await ada.put(`/container/${desk.id}/member`, { userId: bob.id, role: roleCode.member })
  const since = new Date(Date.now() - 14 * 86_400_000).toISOString()
  const made: { id: string }[] = []
  for (const title of ['One', 'Two', 'Three', 'Four'])
    made.push(await ada.post('/item', { title, containerId: desk.id }))
  const rule = {
    name: 'Loud',
    container: [desk.id],
    triggerEvent: triggerEvent['item.created'],
    actionValue: [
      { actionType: action.notify, value: { to: [ada.id, bob.id, mia.id], text: 'Look' } },
      { actionType: action.sendMail, value: { to: [bob.id, 'out@example.org'], subject: 'Look', text: 'There' } },
    ],
  }
  // Mia does not see the items, so a notice would not reach her.
  const people = [
    { userId: bob.id, count: 8 },
    { userId: ada.id, count: 4 },
  ]

  test('a dry run tells how many in the period and in a week, and to whom', async () => {
    const { acted, messages } = await ada.post('/rule/dry-run', { rule, since })
    assert.equal(acted, 4)
    assert.deepEqual(messages, { count: 12, perWeek: 6, people })
  })

  test('what their readers do not want is not estimated', async () => {
    await bob.put('/notification/preference', { events: [{ event: 'rule.notified', inbox: false, mail: false }] })
    const { messages } = await ada.post('/rule/dry-run', { rule, since })
    assert.equal(messages.count, 8)
    await bob.put('/notification/preference', { events: [] })
  })

  test('on one item there is no week, and nothing was sent', async () => {
    const { messages } = await ada.post('/rule/dry-run', { rule, itemId: made[0]?.id })
    assert.deepEqual([messages.count, messages.perWeek], [3, null])
    await running.settle()
    assert.deepEqual((await ada.get('/notification/noise?scope=all')).sources, [])
  })

  test('a job over the period tells the same', async () => {
    const { id } = await ada.post('/rule/dry-run/job', { rule, since })
    const done = await eventually(
      async () => await ada.get(`/rule/dry-run/job/${id}`),
      job => job.state !== dryRunState.running,
    )
    assert.deepEqual([done.state, done.messages], [dryRunState.done, { count: 12, perWeek: 6, people }])
  })
})

test('a week is estimated by the period, and people are listed by their numbers', () => {
  const at = (day: number) => new Date(Date.UTC(2026, 0, day))
  const counts = addedMessages({ a: 1, b: 2 }, { a: 3 }, {})
  assert.deepEqual(counts, { a: 4, b: 2 })
  assert.deepEqual(estimateBody(6, counts, { since: at(1), until: at(15) }), {
    count: 6,
    perWeek: 3,
    people: [
      { userId: 'a', count: 4 },
      { userId: 'b', count: 2 },
    ],
  })
  assert.equal(estimateBody(6, counts, { since: at(1), until: new Date(at(1).getTime() + 1000) }).perWeek, 42)
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`user ${i}`, i]))
  const { people } = estimateBody(435, many, undefined)
  assert.deepEqual([people.length, people[0]?.count, people.at(-1)?.count], [20, 29, 10])
})
