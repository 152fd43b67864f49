import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { engines } from '../../../../test/support/engines.ts'
import { sharedTestService } from '../../../../test/support/people.ts'
import { until } from '../../../../test/support/until.ts'
import { action } from '../../../containers/action/action.ts'
import { operator } from '../../../language/conditions/operators/operators.ts'
import { triggerEvent } from '../../../notify/trigger-event.ts'
import { outcome } from '../log/log.ts'

interface Entry {
  itemId: string
  at: string
  outcome: number
  changeSetId: string
  conditions: { left: string }[]
}

describe('passes of one tenant that share a transaction', async () => {
  const home = await sharedTestService()
  const { ada } = home
  const running = await engines(home)
  const desk = await ada.post('/container', { name: 'Desk', key: 'DSK' })
  const rule = (name: string, more: object) =>
    ada.post('/rule', { name, active: true, triggerEvent: triggerEvent['item.created'], container: [desk.id], ...more })
  const titles = Array.from({ length: 12 }, (_, n) => `Printer ${n}`)
  const createAll = async (more: object = {}): Promise<{ id: string; title: string }[]> => {
    const rows = titles.map(title => ({ title, containerId: desk.id, ...more }))
    await ada.post('/item/bulk', rows)
    const all = await ada.get(`/item?containerId=${desk.id}&limit=100`)
    return all.slice(-titles.length)
  }

  test('each has its own change set, trace and outcome, and one that fails takes no other with it', async () => {
    const dated = await rule('Dated', {
      order: 1,
      conditionGroup: [{ condition: [{ leftSide: 'title', operator: operator.startsWith, rightSide: 'Printer' }] }],
      actionValue: [
        { actionType: action.setField, field: 'priority', value: 2 },
        { actionType: action.addNote, value: 'The priority is written before this note.' },
        // A title that ends with 3 makes a date that does not exist.
        {
          actionType: action.setField,
          field: 'dueDate',
          value: "{% if item.title contains '3' %}2026-02-30{% else %}2026-02-03{% endif %}",
        },
      ],
    })
    await rule('Second', {
      order: 2,
      conditionGroup: [{ condition: [{ leftSide: 'priority', operator: operator.equals, rightSide: '2' }] }],
      actionValue: [{ actionType: action.setField, field: 'status', value: 'Seen' }],
    })
    const items = await createAll()
    await running.settle()
    const now = await Promise.all(items.map(({ id }) => ada.get(`/item/${id}`)))
    for (const { title, priority, dueDate, status } of now) {
      const fails = title.endsWith('3')
      const wanted = fails ? [0, null, ''] : [2, '2026-02-03', 'Seen']
      assert.deepEqual([priority, dueDate ?? null, status === 'Seen' ? status : ''], wanted, title)
    }
    const log: Entry[] = await ada.get(`/rule/${dated.id}/log?limit=100`)
    const entries = log.filter(each => items.some(({ id }) => id === each.itemId))
    assert.equal(entries.length, titles.length)
    const titleOf = new Map(items.map(({ id, title }) => [id, title]))
    for (const each of entries) assert.equal(each.conditions[0]?.left, titleOf.get(each.itemId))
    const [acted, failed] = [outcome.acted, outcome.failed].map(code => entries.filter(each => each.outcome === code))
    assert.deepEqual([acted?.length, failed?.length], [titles.length - 1, 1])
    assert.equal(new Set(acted?.map(each => each.changeSetId)).size, titles.length - 1)
    assert.ok(new Set(entries.map(each => each.at)).size < titles.length, 'some have shared a transaction')

    const [one] = acted ?? []
    await ada.ask('POST', `/change/${one?.changeSetId}/undo`)
    const undone = await Promise.all(items.map(({ id }) => ada.get(`/item/${id}`)))
    assert.deepEqual(
      undone.filter(each => each.priority === 2).length,
      titles.length - 2,
      'the undo of one run leaves those of the others',
    )
    await ada.put(`/rule/${dated.id}`, { active: false })
  })

  test('a limit per hour counts the passes of the same transaction', async () => {
    const limited = await rule('Limited', {
      maxPerHour: 5,
      actionValue: [{ actionType: action.setField, field: 'severity', value: 2 }],
    })
    const items = await createAll()
    await running.settle()
    const now = await Promise.all(items.map(({ id }) => ada.get(`/item/${id}`)))
    assert.equal(now.filter(each => each.severity === 2).length, 5)
    assert.equal((await ada.get(`/rule/${limited.id}`)).stats.acted, 5)
  })

  test('one that cannot lock its item keeps no other from its end', async () => {
    await rule('Patient', {
      conditionGroup: [{ condition: [{ leftSide: 'severity', operator: operator.equals, rightSide: '1' }] }],
      actionValue: [{ actionType: action.setField, field: 'priority', value: 3 }],
    })
    await running.stop()
    const items = await createAll({ severity: 1 })
    const [locked] = items
    const done = async () =>
      (await Promise.all(items.map(({ id }) => ada.get(`/item/${id}`))))
        .filter(each => each.priority === 3)
        .map(({ id }) => id)
    const others = items.slice(1).map(({ id }) => id)
    const holder = new pg.Client({ connectionString: home.databaseUrl })
    await holder.connect()
    await holder.query('begin')
    await holder.query('select from item where id = $1 for update', [locked?.id])
    const again = await engines(home)
    await until(async () => (await done()).length >= others.length)
    assert.deepEqual(await done(), others)
    await holder.end()
    await again.settle()
    assert.equal((await done()).length, items.length)
  })
})
