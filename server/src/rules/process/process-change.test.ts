import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { statementsOf } from '../../../test/support/database/statements.ts'
import { sharedTestService } from '../../../test/support/people.ts'
import { action } from '../../containers/action/action.ts'
import { statusCategory } from '../../containers/status-category.ts'
import { operator } from '../../language/conditions/operators/operators.ts'
import { triggerEvent } from '../../notify/trigger-event.ts'
import { mode } from '../rule/rule-codes.ts'

describe('changing a process that has items', async () => {
  const { ada, bob, eve, happened } = await sharedTestService()
  let made = 0
  const states = (...values: string[]) => values.map(value => ({ id: value, fieldId: 'status', value, next: '*' }))
  const start = async (more: object, ...statuses: string[]) => {
    const process = await ada.post('/process', { name: `Process ${++made}`, ...more })
    const container = await ada.post('/container', {
      name: `Desk ${made}`,
      key: `D${made}`,
      processIds: [process.id],
      defaultProcessId: process.id,
    })
    const items: { id: string }[] = []
    for (const status of statuses)
      items.push(await bob.post('/item', { title: 'Work', containerId: container.id, status }))
    return { path: `/process/${process.id}`, process, container, items }
  }
  const statusOf = async ({ id }: { id: string }) => (await ada.get(`/item/${id}`)).status
  const outOfSight = ({ code }: { code: string }) => code === 'field-not-shown'
  const mapped = (map: object) => `map=${encodeURIComponent(JSON.stringify(map))}`

  test('a state with items can be removed only with a map', async () => {
    const { path, items } = await start({ workflow: states('New', 'Old', 'Older') }, 'New', 'Old', 'Old', 'Older')
    const workflow = states('New', 'Done')
    const refused = await ada.ask('PUT', path, { body: { workflow } })
    assert.deepEqual([refused.status, refused.body.code], [422, 'states-in-use'])
    assert.deepEqual(refused.body.states, [
      { fieldId: 'status', value: 'Old', name: 'Old', count: 2 },
      { fieldId: 'status', value: 'Older', name: 'Older', count: 1 },
    ])
    const half = await ada.ask('PUT', `${path}?${mapped({ Old: 'Done', Older: 'Nowhere' })}`, { body: { workflow } })
    assert.deepEqual([half.status, half.body.states.length], [422, 1])
    await ada.put(`${path}?${mapped({ Old: 'Done', Older: 'New' })}`, { workflow })
    assert.deepEqual(await Promise.all(items.map(statusOf)), ['New', 'Done', 'Done', 'New'])
    assert.deepEqual(await happened(4), ['process.updated', 'item.updated', 'item.updated', 'item.updated'])
  })

  describe('a change that is rolled back, while a rule acts before the commit', () => {
    const before = states('New', 'Old')
    const after = states('New', 'Done')
    const beginning = async (titles: string[]) => {
      const begun = await start({ workflow: before })
      const items: { id: string }[] = []
      for (const title of titles)
        items.push(await bob.post('/item', { title, containerId: begun.container.id, status: 'Old' }))
      // Writing a rule clears the cache of processes, so the process has not been cached since.
      await ada.post('/rule', {
        name: `Before the commit ${made}`,
        active: true,
        container: [begun.container.id],
        mode: mode.beforeCommit,
        triggerEvent: triggerEvent['item.updated'],
        conditionGroup: [],
        actionValue: [{ actionType: action.setField, field: 'priority', value: 3 }],
      })
      return { ...begun, items }
    }
    const waysOf = async ({ id }: { id: string }) =>
      (await ada.get(`/item/${id}/transitions`)).map((each: { to: string }) => each.to).sort()
    const change = `?${mapped({ Old: 'Done' })}`

    test('a dry run does not leak its workflow to other requests', async () => {
      const { path, items } = await beginning(['One'])
      const { would } = await ada.must('PUT', `${path}${change}&dryRun=true`, { body: { workflow: after } })
      assert.deepEqual(
        would.workflow.map((each: { value: string }) => each.value),
        ['New', 'Done'],
      )
      assert.deepEqual(await waysOf(items[0] ?? { id: '' }), ['New'])
    })

    test('a refused change does not leak its workflow either', async () => {
      const { path, items, container } = await beginning(['One', 'Held'])
      await ada.post('/rule', {
        name: `Veto ${made}`,
        active: true,
        container: [container.id],
        mode: mode.beforeCommit,
        order: 2,
        triggerEvent: triggerEvent['item.updated'],
        conditionGroup: [{ condition: [{ leftSide: 'title', operator: operator.equals, rightSide: 'Held' }] }],
        actionValue: [{ actionType: action.veto, value: 'Not this one' }],
      })
      const refused = await ada.ask('PUT', `${path}${change}`, { body: { workflow: after } })
      assert.deepEqual([refused.status, refused.body.code], [422, 'vetoed'])
      assert.deepEqual(await waysOf(items[0] ?? { id: '' }), ['New'])
    })

    test('within the change the rule sees the new workflow', async () => {
      const { path, items } = await beginning(['One'])
      await waysOf(items[0] ?? { id: '' })
      await ada.put(`${path}${change}`, { workflow: after })
      const { status, priority } = await ada.get(`/item/${items[0]?.id}`)
      assert.deepEqual([status, priority], ['Done', 3])
    })
  })

  test('a map that cannot be read is refused', async () => {
    const { path } = await start({})
    for (const map of ['{', '[]', '3', 'null', '{"a":1}']) {
      const { status, body } = await ada.ask('PUT', `${path}?map=${encodeURIComponent(map)}`, { body: { name: 'x' } })
      assert.deepEqual([status, body.Fields[0].Field], [400, 'map'], map)
    }
  })

  test('items keep their status when the whole workflow is removed', async () => {
    const { path, items } = await start({ workflow: states('New', 'Old') }, 'Old')
    await ada.put(path, { workflow: [] })
    assert.equal(await statusOf(items[0] ?? { id: '' }), 'Old')
  })

  test('a state that changes its category changes that of its items', async () => {
    const { path, items } = await start({ workflow: states('New', 'Parked') }, 'Parked', 'New')
    const workflow = states('New', 'Parked').map(each =>
      each.value === 'Parked' ? { ...each, category: statusCategory.cancelled } : each,
    )
    await ada.put(path, { workflow })
    const [parked, fresh] = await Promise.all(items.map(({ id }) => ada.get(`/item/${id}`)))
    assert.deepEqual(
      [parked.statusCategory, parked.closedAt === null, fresh.statusCategory],
      [statusCategory.cancelled, false, statusCategory.unstarted],
    )
  })

  test('states of a custom field are mapped by their labels', async () => {
    const level = await ada.post('/field/select', {
      name: `Level ${++made}`,
      options: [{ label: 'Low' }, { label: 'High' }],
    })
    const of = (...labels: string[]) => labels.map(value => ({ fieldId: level.key, value, next: '*' }))
    const { path, container } = await start({ fields: [{ fieldId: level.id }], workflow: of('Low', 'High') })
    const { id } = await bob.post('/item', {
      title: 'Work',
      containerId: container.id,
      Field: [{ key: level.key, value: 'Low' }],
    })
    const refused = await ada.ask('PUT', path, { body: { workflow: of('High') } })
    assert.deepEqual(
      refused.body.states.map((each: { name: string; count: number }) => [each.name, each.count]),
      [['Low', 1]],
    )
    await ada.put(`${path}?${mapped({ Low: 'High' })}`, { workflow: of('High') })
    assert.equal((await ada.get(`/item/${id}`)).Field[0].value, level.options[1].id)
  })

  test('a successor takes over containers and items', async () => {
    const { path, process, container, items } = await start({ workflow: states('New', 'Old') }, 'New', 'Old', '')
    const heir = await ada.post('/process', {
      name: 'Heir',
      workflow: states('New', 'Done').map(each => ({ ...each, initial: each.value === 'New' })),
    })
    const remove = async (query: string) => await ada.ask('DELETE', `${path}?${query}`)
    assert.equal((await remove(`replaceBy=${process.id}`)).status, 400)
    assert.equal((await remove(`replaceBy=${(await eve.post('/process', { name: 'Foreign' })).id}`)).status, 422)
    const refused = await remove(`replaceBy=${heir.id}`)
    assert.deepEqual([refused.status, refused.body.code, refused.body.states.length], [422, 'states-in-use', 1])
    assert.equal((await remove(`replaceBy=${heir.id}&${mapped({ Old: 'Done' })}`)).status, 204)
    assert.deepEqual(await Promise.all(items.map(statusOf)), ['New', 'Done', 'New'])
    const { processIds, defaultProcessId } = await ada.get(`/container/${container.id}`)
    assert.deepEqual([processIds, defaultProcessId], [[heir.id], heir.id])
    assert.equal((await ada.get(`/item/${items[1]?.id}`)).processId, heir.id)
  })

  test('values of removed fields stay hidden, unless they are purged', async () => {
    const [kept, gone] = [
      await ada.post('/field/text', { name: `Kept ${++made}` }),
      await ada.post('/field/text', { name: `Gone ${made}` }),
    ]
    const { path, container } = await start({ fields: [{ fieldId: kept.id }, { fieldId: gone.id }] })
    const Field = [kept, gone].map(({ id }) => ({ fieldId: id, value: 'x' }))
    const { id } = await bob.post('/item', { title: 'Work', containerId: container.id, Field })
    const shown = async () => (await ada.get(`/item/${id}`)).Field.map((each: { key: string }) => each.key)
    const all = [{ fieldId: kept.id }, { fieldId: gone.id }]
    await ada.put(path, { fields: all.slice(0, 1) })
    assert.deepEqual(await shown(), [kept.key])
    await ada.put(path, { fields: all })
    assert.deepEqual((await shown()).sort(), [kept.key, gone.key].sort())
    await ada.put(`${path}?purgeValues=true`, { fields: all.slice(0, 1) })
    await ada.put(path, { fields: all })
    assert.deepEqual(await shown(), [kept.key])
    const history = await ada.get(`/item/${id}/history`)
    assert.deepEqual(history.at(-1).changes, { [`Field.${gone.id}`]: { from: 'x', to: null } })
  })

  test('a removed field leaves the requires of all steps', async () => {
    const gone = await ada.post('/field/text', { name: `Asked ${++made}` })
    const workflow = [{ id: 'a', fieldId: 'status', value: 'New', next: '', requires: [gone.key, 'points'] }]
    const { path } = await start({ fields: [{ fieldId: gone.id }], workflow })
    const after = await ada.put(path, { fields: [], workflow })
    assert.deepEqual(after.workflow[0].requires, ['points'])
  })

  test('a dry run returns the impact and changes nothing', async () => {
    const gone = await ada.post('/field/text', { name: `Touched ${++made}` })
    const { path, process, container } = await start({ fields: [{ fieldId: gone.id }] }, 'New')
    await bob.post('/item', { title: 'Full', containerId: container.id, Field: [{ fieldId: gone.id, value: 'x' }] })
    const conditionGroup = [
      { condition: [{ leftSide: `field.${gone.key}`, operator: operator.equals, rightSide: 'x' }] },
    ]
    await ada.post(`/container/${container.id}/filter`, { name: 'Columns', columns: [gone.key] })
    await ada.post(`/container/${container.id}/filter`, { name: 'Conditions', criteria: { conditionGroup } })
    await ada.post(`/container/${container.id}/filter`, { name: 'Neither' })
    await ada.post('/rule', { name: 'Named', conditionGroup })
    const touches = {
      containers: [{ id: container.id, key: container.key }],
      items: 2,
      itemsWithValues: 1,
      filters: 2,
      rules: 1,
    }
    const change = await ada.ask('PUT', `${path}?dryRun=true`, { body: { fields: [] } })
    assert.deepEqual([change.status, change.body.would.fields, change.body.touches], [200, [], touches])
    const removal = await ada.ask('DELETE', `${path}?dryRun=true`)
    assert.deepEqual([removal.status, removal.body.touches], [200, touches])
    assert.deepEqual((await ada.get(path)).fields.length, 1)
    assert.deepEqual((await ada.get(`/container/${container.id}`)).processIds, [process.id])
    const nothing = await ada.ask('PUT', `${path}?dryRun=true`, { body: { name: 'Renamed' } })
    assert.deepEqual(nothing.body.touches, { containers: [], items: 2, itemsWithValues: 0, filters: 0, rules: 0 })
  })

  test('a condition on a removed field is kept with a finding', async () => {
    const gone = await ada.post('/field/text', { name: `Condition ${++made}` })
    const { path, container } = await start({ fields: [{ fieldId: gone.id }] })
    const conditionGroup = [
      { condition: [{ leftSide: `field.${gone.key}`, operator: operator.equals, rightSide: 'x' }] },
    ]
    const filter = await ada.post(`/container/${container.id}/filter`, { name: 'Asks', criteria: { conditionGroup } })
    const scope = { name: 'Asks too', container: [container.id], conditionGroup }
    const rule = await ada.post('/rule', scope)
    assert.deepEqual([...filter.check, ...rule.check.filter(outOfSight)], [])
    await ada.put(path, { fields: [] })
    assert.equal((await ada.get(`/rule/${rule.id}`)).check.filter(outOfSight).length, 1)
    const { check, criteria } = await ada.get(`/container/${container.id}/filter/${filter.id}`)
    assert.equal(criteria.conditionGroup[0].condition.length, 1)
    assert.deepEqual(
      check.map((each: { path: string; code: string }) => [each.path, each.code]),
      [['/criteria/conditionGroup/0/condition/0/leftSide', 'field-not-shown']],
    )
  })

  test('a process returns its key and its other properties', async () => {
    const key = `BUG${++made}`
    const body = { name: 'Bug', key, itemNoun: 'bug', order: 3 }
    const { id, itemNoun, order } = await ada.post('/process', body)
    assert.deepEqual([itemNoun, order], ['bug', 3])
    assert.equal((await ada.ask('POST', '/process', { body })).body.code, 'already-taken')
    assert.equal((await eve.ask('POST', '/process', { body })).status, 201)
    await ada.delete(`/process/${id}`)
    assert.equal((await ada.ask('POST', '/process', { body })).status, 201)
  })

  test('entries hold exactly the properties that were given', async () => {
    const team = await ada.post('/user-group', { name: `Team ${++made}` })
    const plain = { id: 'a', fieldId: 'status', value: 'New', next: '', userGroup: [] }
    const full = {
      ...plain,
      id: 'b',
      value: 'Open',
      name: 'Opened',
      color: 'red',
      category: statusCategory.backlog,
      initial: false,
      requires: ['dueDate'],
      conditionGroup: [{ condition: [{ id: 'x', leftSide: 'points', operator: operator.equals, rightSide: '1' }] }],
      pausesClock: true,
      screenId: 'some screen',
    }
    const fields = [
      { fieldId: 'title', order: 1, required: true },
      {
        fieldId: 'points',
        order: 2,
        required: false,
        requiredAt: ['b'],
        readOnlyFor: [team.id],
        hiddenFor: ['@requesters'],
        default: 3,
      },
    ]
    const process = await ada.post('/process', { name: 'Whole', fields, workflow: [plain, full] })
    assert.deepEqual([process.fields, process.workflow, process.check], [fields, [plain, full], []])
    assert.equal((await ada.put(`/process/${process.id}`, process)).version, 1)
    const { status, body } = await ada.ask('POST', '/process', {
      body: {
        name: 'Wrong',
        fields: [{ fieldId: 'title', hiddenFor: ['ghosts'] }],
        workflow: [{ ...plain, requires: ['nothing'] }],
      },
    })
    assert.deepEqual(
      [status, body.Fields.map((each: { Pointer: string }) => each.Pointer)],
      [422, ['/workflow/0/requires/0', '/fields/0/hiddenFor/0']],
    )
    const odd = await ada.post('/process', { name: 'Odd', fields: [{ fieldId: 'dueDate', default: 'someday' }] })
    assert.deepEqual(
      odd.check.map((each: { path: string }) => each.path),
      ['/fields/0/default'],
    )
  })

  test('the number of statements does not depend on the number of containers', async () => {
    const gone = await ada.post('/field/text', { name: `Many ${++made}` })
    const { path, process } = await start({ fields: [{ fieldId: gone.id }] })
    await Promise.all(
      Array.from({ length: 80 }, (_, n) =>
        ada.post('/container', { name: 'Many', key: `M${n}`, processIds: [process.id] }),
      ),
    )
    const changing = await statementsOf(() => ada.put(path, { fields: [] }))
    const removing = await statementsOf(() => ada.delete(path))
    assert.ok(changing < 40 && removing < 40, `${changing} and ${removing} statements`)
    assert.equal((await happened(82)).filter(kind => kind === 'container.updated').length, 81)
  })
})
