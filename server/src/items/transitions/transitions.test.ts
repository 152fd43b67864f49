import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { itemPriority } from '../../containers/item-property/priority.ts'
import { statusCategory } from '../../containers/status-category.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { roleCode } from '../../kernel/access.ts'
import { newId } from '../../kernel/id.ts'
import { operator } from '../../language/conditions/conditions.ts'
import { itemSource } from '../item-codes.ts'

describe('items in a process', async () => {
  const { ada, bob, eve, person, database } = await sharedTestService()
  type Fault = { Field: string; Code: string }
  const fields = (body: { Fields: Fault[] }) => body.Fields.map(each => `${each.Field} ${each.Code}`)
  const flow = [
    {
      id: 'new',
      fieldId: 'status',
      value: 'New',
      next: 'Doing,Dropped',
      initial: true,
      category: statusCategory.unstarted,
    },
    {
      id: 'doing',
      fieldId: 'status',
      value: 'Doing',
      next: 'Done,New',
      name: 'In hand',
      category: statusCategory.started,
      color: '#ff0',
    },
    { id: 'done', fieldId: 'status', value: 'Done', next: '', category: statusCategory.done, requires: ['resolution'] },
    { id: 'dropped', fieldId: 'status', value: 'Dropped', next: '*', category: statusCategory.cancelled },
  ]
  let made = 0
  const process = async (more: object) => await ada.post('/process', { name: `Process ${++made}`, ...more })
  const desk = async (processId: string) =>
    await ada.post('/container', { name: `Desk ${made}`, processIds: [processId], defaultProcessId: processId })
  const start = async (more: object = {}, values: object = {}) => {
    const { id: processId } = await process({ workflow: flow, ...more })
    const container = await desk(processId)
    const item = await bob.post('/item', { title: 'Work', containerId: container.id, ...values })
    return { processId, containerId: container.id, item, path: `/item/${item.id}` }
  }
  const move = async (path: string, status: string, who = bob, more: object = {}) =>
    await who.ask('PATCH', path, { body: { status, ...more } })

  test('a state is found in any case, is stored as the process spells it, and is found in lists', async () => {
    const { containerId, path } = await start()
    const moved = await move(path, 'DOING')
    assert.deepEqual(
      [moved.status, moved.body.status, moved.body.statusCategory],
      [200, 'Doing', statusCategory.started],
    )
    assert.equal((await bob.post('/item', { title: 'Begun', containerId, status: 'doing' })).status, 'Doing')
    for (const kind of ['item', 'item?sort=container.name'])
      assert.equal(
        (await bob.get(`/${kind}${kind.includes('?') ? '&' : '?'}containerId=${containerId}&status=doinG,x`)).length,
        2,
      )
    assert.equal((await bob.get(`/item?containerId=${containerId}&status[ne]=doing`)).length, 0)
    const phase = await ada.post('/field/text', { name: `Phase ${made}` })
    const phases = await process({
      workflow: [
        { id: 'one', fieldId: phase.id, value: 'One', next: 'Two', initial: true },
        { id: 'two', fieldId: phase.id, value: 'Two' },
      ],
      fields: [{ fieldId: phase.id }],
    })
    const inPhase = await bob.post('/item', { title: 'Phased', containerId: (await desk(phases.id)).id })
    const { Field } = await bob.must('PATCH', `/item/${inPhase.id}`, {
      body: { Field: [{ fieldId: phase.id, value: 'two' }] },
    })
    assert.equal(Field[0].value, 'Two')
  })

  test('a new item gets the initial state of its process, with the category that the process defines', async () => {
    const { item, containerId } = await start()
    assert.deepEqual([item.status, item.statusCategory, item.closedAt], ['New', statusCategory.unstarted, null])
    const doing = await bob.post('/item', { title: 'Begun', containerId, status: 'Doing' })
    assert.deepEqual([doing.status, doing.statusCategory], ['Doing', statusCategory.started])
    const dropped = await bob.post('/item', { title: 'Late', containerId, status: 'Dropped' })
    assert.notEqual(dropped.closedAt, null)
    const odd = await bob.ask('POST', '/item', { body: { title: 'Odd', containerId, status: 'Elsewhere' } })
    assert.deepEqual([odd.status, odd.body.code, fields(odd.body)], [422, 'unknown-state', ['status unknown-state']])
    assert.deepEqual(
      odd.body.allowed.map((each: { value: string }) => each.value),
      ['New', 'Doing', 'Done', 'Dropped'],
    )
  })

  test('a workflow without an initial state accepts new items in any state', async () => {
    const { item } = await start({ workflow: [{ fieldId: 'status', value: 'New', next: '' }] }, { status: 'Elsewhere' })
    assert.equal(item.status, 'Elsewhere')
  })

  test('an item changes its state only by transitions of its process', async () => {
    const { path } = await start()
    const refused = await move(path, 'Done')
    assert.deepEqual([refused.status, refused.body.code], [422, 'transition-not-allowed'])
    assert.deepEqual(fields(refused.body), ['status no-way', 'resolution required'])
    assert.deepEqual(refused.body.allowed, [
      { fieldId: 'status', value: 'Doing', name: 'In hand', stepId: 'new' },
      { fieldId: 'status', value: 'Dropped', name: 'Dropped', stepId: 'new' },
    ])
    const { body: doing } = await move(path, 'Doing')
    assert.deepEqual([doing.status, doing.statusCategory], ['Doing', statusCategory.started])
    assert.equal((await ada.get(path)).version, 2)
  })

  test('an item needs the required fields of a state to enter it, and cannot clear them there', async () => {
    const { path } = await start({}, { status: 'Doing' })
    const bare = await move(path, 'Done')
    assert.deepEqual([bare.status, fields(bare.body)], [422, ['resolution required']])
    const { status, body } = await move(path, 'Done', bob, { resolution: 'Fixed' })
    assert.deepEqual([status, body.statusCategory, body.closedAt === null], [200, statusCategory.done, false])
    const cleared = await bob.ask('PATCH', path, { body: { resolution: '' } })
    assert.deepEqual([cleared.status, cleared.body.code], [422, 'required-fields'])
    assert.equal((await bob.ask('PATCH', path, { body: { title: 'Still done' } })).status, 200)
  })

  test('only members of the groups of a transition may perform it', async () => {
    const outer = await ada.post('/user-group', { name: 'Outer' })
    const inner = await ada.post('/user-group', { name: 'Inner', parentId: outer.id })
    const { path, processId } = await start({
      workflow: [
        { id: 'a', fieldId: 'status', value: 'New', next: 'Open', initial: true, userGroup: [outer.id] },
        { id: 'b', fieldId: 'status', value: 'Open', next: 'Shut', userGroup: ['@assignee', '@superAdmins'] },
        { id: 'c', fieldId: 'status', value: 'Shut', next: 'New', userGroup: ['@author'] },
      ],
    })
    const refused = await move(path, 'Open')
    assert.deepEqual([refused.status, fields(refused.body), refused.body.allowed], [422, ['status group'], []])
    assert.equal((await move(path, 'Open', ada)).status, 422)
    await ada.put(`/user-group/${inner.id}`, { members: [bob.id] })
    assert.equal((await move(path, 'Open')).status, 200)
    // A caller cannot get the transition by assigning themselves in the same change.
    assert.equal((await move(path, 'Shut', bob, { assignees: [bob.id] })).status, 422)
    await ada.put(path, { assignees: [bob.id] })
    assert.equal((await move(path, 'Shut')).status, 200)
    assert.equal((await move(path, 'New', ada)).status, 422)
    assert.equal((await move(path, 'New')).status, 200)
    await ada.put(`/process/${processId}`, { workflow: [] })
    assert.equal((await move(path, 'Anything')).status, 200)
  })

  test('the pseudo-groups', async () => {
    const cat = await person({ name: 'Cat', email: 'cat@example.com', role: roleCode.member })
    const open: Record<string, (id: string) => object> = {
      '@everyone': () => ({}),
      '@staff': () => ({}),
      '@requester': id => ({ requesterId: id }),
      '@assignee': id => ({ assignees: [id] }),
    }
    const allowed = async (group: string, values: object) => {
      const { path } = await start(
        { workflow: [{ fieldId: 'status', value: 'New', next: '*', initial: true, userGroup: [group] }] },
        values,
      )
      return (await move(path, 'Gone', cat)).status
    }
    for (const [group, values] of Object.entries(open)) assert.equal(await allowed(group, values(cat.id)), 200, group)
    for (const group of ['@author', '@requester', '@assignee', '@requesters', '@superAdmins', '@watcher', '@nobody'])
      assert.equal(await allowed(group, {}), 422, group)
  })

  test('a user who watches an item, also through a group, belongs to @watcher', async () => {
    const group = await ada.post('/user-group', { name: `Lookers ${++made}`, members: [bob.id] })
    const workflow = [{ fieldId: 'status', value: 'New', next: '*', initial: true, userGroup: ['@watcher'] }]
    for (const { userId = null, groupId = null } of [{ userId: bob.id }, { groupId: group.id }]) {
      const { containerId } = await start({ workflow })
      const { id } = await ada.post('/item', { title: 'Watched', containerId })
      assert.equal((await move(`/item/${id}`, 'Gone')).status, 422)
      await database.single(
        tenantCaller(ada.tenantId),
        ctx =>
          ctx.sql`insert into watch (tenant_id, id, created, created_by, updated, updated_by, owner, owner_id, user_id, user_group_id)
            values (${ada.tenantId}, ${newId()}, now(), ${ada.id}, now(), ${ada.id}, 3, ${id}, ${userId}, ${groupId})`,
      )
      assert.equal((await move(`/item/${id}`, 'Gone')).status, 200)
    }
  })

  test('a guard is evaluated with the new values of the item', async () => {
    const guard = [{ condition: [{ leftSide: 'points', operator: operator.greaterThan, rightSide: '2' }] }]
    const { path } = await start({
      workflow: [
        { id: 'a', fieldId: 'status', value: 'New', next: 'Open', initial: true, conditionGroup: guard },
        { id: 'b', fieldId: 'status', value: 'New', next: 'Open', userGroup: ['@superAdmins'] },
        { id: 'c', fieldId: 'status', value: 'Open', next: '' },
      ],
    })
    const refused = await move(path, 'Open')
    assert.deepEqual([refused.status, fields(refused.body)], [422, ['status guard']])
    const [told] = await bob.get(`${path}/transitions`)
    assert.deepEqual([told.to, told.allowed, told.reasons[0].code], ['Open', false, 'guard'])
    assert.equal((await ada.get(`${path}/transitions`))[0].stepId, 'b')
    assert.equal((await move(path, 'Open', bob, { points: 3 })).status, 200)
  })

  test('super admins can skip the workflow, and the event records it', async () => {
    const { path } = await start()
    assert.equal((await bob.ask('PATCH', `${path}?force=true`, { body: { status: 'Done' } })).status, 403)
    const { status, body } = await ada.ask('PATCH', `${path}?force=true`, { body: { status: 'Done' } })
    assert.deepEqual([status, body.status], [200, 'Done'])
    const [, forced] = await ada.get(`${path}/history`)
    assert.deepEqual(forced.changes.forced, { to: true })
    assert.equal((await move(path, 'New', ada)).status, 422)
  })

  test('the list of transitions contains the reasons against those that are not allowed', async () => {
    const { path, item } = await start()
    const told = await bob.get(`${path}/transitions`)
    assert.deepEqual(
      told.map((each: { to: string; allowed: boolean }) => [each.to, each.allowed]),
      [
        ['Doing', true],
        ['Done', false],
        ['Dropped', true],
      ],
    )
    assert.deepEqual(told[0], {
      fieldId: 'status',
      from: 'New',
      to: 'Doing',
      stepId: 'new',
      name: 'In hand',
      color: '#ff0',
      category: statusCategory.started,
      screenId: '',
      allowed: true,
      reasons: [],
    })
    assert.deepEqual(
      told[1].reasons.map((each: { code: string; fields?: string[] }) => [each.code, each.fields]),
      [
        ['no-way', undefined],
        ['required', ['resolution']],
      ],
    )
    assert.equal((await eve.ask('GET', `${path}/transitions`)).status, 404)
    assert.deepEqual(await bob.get(`/item/${(await bob.post('/item', { title: 'Free' })).id}/transitions`), [])
    assert.equal(item.status, 'New')
  })

  test('an item in a state that the workflow does not define may change to any state', async () => {
    const { path } = await start({ workflow: flow.map(each => ({ ...each, initial: false })) }, { status: 'Legacy' })
    assert.ok((await bob.get(`${path}/transitions`)).every((each: { stepId: string }) => each.stepId === ''))
    assert.equal((await move(path, 'Doing')).status, 200)
  })

  test('of two concurrent transitions of one item, the second is validated against the result of the first', async () => {
    const fork = flow.map(each => (each.id === 'new' ? each : { ...each, next: '' }))
    for (let round = 0; round < 5; round++) {
      const { path } = await start({ workflow: fork })
      const answers = await Promise.all([move(path, 'Doing'), move(path, 'Dropped', ada)])
      assert.deepEqual(answers.map(each => each.status).sort(), [200, 422])
      assert.equal((await ada.get(path)).status, answers[0]?.status === 200 ? 'Doing' : 'Dropped')
    }
  })

  test('the workflow of a custom field applies, too, to the labels and the ids of its options', async () => {
    const level = await ada.post('/field/select', {
      name: `Level ${++made}`,
      options: [{ label: 'Low' }, { label: 'High' }],
    })
    const [low, high] = level.options
    const { item, path } = await start({
      fields: [{ fieldId: level.key }],
      workflow: [
        { fieldId: level.key, value: 'Low', next: 'High', initial: true },
        { fieldId: level.id, value: 'High', next: '' },
      ],
    })
    assert.deepEqual(
      item.Field.map((each: { value: string }) => each.value),
      [low.id],
    )
    const set = async (value: unknown) =>
      await bob.ask('PATCH', path, { body: { Field: [{ fieldId: level.id, value }] } })
    const [told] = await bob.get(`${path}/transitions`)
    assert.deepEqual([told.fieldId, told.to, told.name, told.allowed], [level.id, high.id, 'High', true])
    assert.equal((await set('High')).status, 200)
    const back = await set('Low')
    assert.deepEqual([back.status, fields(back.body)], [422, [`Field.${level.key} no-way`]])
  })

  test('fields that a process requires must be set on creation and cannot be cleared', async () => {
    const browser = await ada.post('/field/text', { name: `Browser ${++made}` })
    const { id: processId } = await process({
      fields: [
        { fieldId: browser.id, required: true },
        { fieldId: 'priority', required: true, default: 3 },
        { fieldId: 'description', requiredAt: ['done'] },
      ],
      workflow: flow,
    })
    const container = await desk(processId)
    const bare = await bob.ask('POST', '/item', { body: { title: 'Bare', containerId: container.id } })
    assert.deepEqual(
      [bare.status, bare.body.code, fields(bare.body)],
      [422, 'required-fields', [`Field.${browser.key} required`]],
    )
    const Field = [{ key: browser.key, value: 'Lynx' }]
    const item = await bob.post('/item', { title: 'Full', containerId: container.id, Field })
    assert.equal(item.priority, itemPriority.medium)
    const path = `/item/${item.id}`
    const cleared = await bob.ask('PATCH', path, { body: { Field: null, priority: null } })
    assert.deepEqual([cleared.status, cleared.body.code], [422, 'required-fields'])
    assert.deepEqual(fields(cleared.body), [`Field.${browser.key} required`, 'priority required'])
    await move(path, 'Doing')
    const done = await move(path, 'Done', bob, { resolution: 'Fixed' })
    assert.deepEqual([done.status, fields(done.body)], [422, ['description required']])
    // Items from mail and imports are accepted without required fields.
    const mailed = await bob.post('/item', { title: 'Mailed', containerId: container.id, source: itemSource.mail })
    assert.ok(mailed.warnings.some((each: string) => each.includes(browser.key)))
    assert.equal((await bob.ask('PATCH', `/item/${mailed.id}`, { body: { title: 'Read' } })).status, 200)
    assert.equal((await bob.ask('POST', '/item', { body: { title: 'Into the inbox' } })).status, 201)
  })

  test('an item that changes its process is validated like a new one', async () => {
    const { path, containerId } = await start()
    const other = await process({
      workflow: [
        { fieldId: 'status', value: 'Idea', next: 'Plan', initial: true },
        { fieldId: 'status', value: 'Plan', next: '' },
      ],
    })
    const { processIds } = await ada.get(`/container/${containerId}`)
    for (const processId of [other.id, '']) {
      const away = await bob.ask('PATCH', path, { body: { processId, status: 'Plan' } })
      assert.deepEqual([away.status, away.body.code], [422, 'process-not-here'])
    }
    await ada.put(`/container/${containerId}`, { processIds: [...processIds, other.id] })
    const lost = await bob.ask('PATCH', path, { body: { processId: other.id } })
    assert.deepEqual([lost.status, lost.body.code], [422, 'unknown-state'])
    assert.equal((await bob.ask('PATCH', path, { body: { processId: other.id, status: 'Plan' } })).status, 200)
  })

  test('the items of a bulk change are validated one by one', async () => {
    const { path, containerId, item } = await start()
    const other = await bob.post('/item', { title: 'Other', containerId, status: 'Doing' })
    const { status, body } = await bob.ask('PATCH', '/item', {
      body: { ids: [item.id, other.id], patch: { status: 'Dropped' } },
    })
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal((await ada.get(path)).status, 'Dropped')
    assert.equal((await ada.get(`/item/${other.id}`)).status, 'Doing')
  })
})
