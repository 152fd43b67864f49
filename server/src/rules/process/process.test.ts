import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { operator } from '../../language/conditions/operators/operators.ts'

describe('processes', async () => {
  const { ada, bob, eve, happened } = await sharedTestService()
  const field = async (name: string) => await ada.post('/field/text', { name })
  const shown = async (containerId: string) =>
    (await ada.get(`/container/${containerId}`)).fields.map((each: { fieldId: string }) => each.fieldId)
  const pointers = (body: { Fields: { Pointer: string }[] }) => body.Fields.map(each => each.Pointer)

  test('a field that is removed from a process is removed from all containers', async () => {
    const [severity, browser] = [await field('Severity'), await field('Browser')]
    const bug = await ada.post('/process', {
      name: 'Bug',
      fields: [
        { fieldId: severity.id, order: 1 },
        { fieldId: browser.id, order: 2 },
      ],
    })
    const desk = await ada.post('/container', { name: 'Desk', processIds: [bug.id] })
    const shop = await ada.post('/container', { name: 'Shop', processIds: [bug.id] })
    const other = await ada.post('/container', { name: 'Other' })
    assert.deepEqual(await shown(shop.id), [severity.id, browser.id])

    await ada.put(`/process/${bug.id}`, { fields: [{ fieldId: browser.id, order: 2, required: true }] })
    for (const { id } of [desk, shop]) {
      const { fields } = await ada.get(`/container/${id}`)
      assert.deepEqual(fields, [{ fieldId: browser.id, order: 2, required: true }])
    }
    assert.deepEqual(await shown(other.id), [])
    assert.deepEqual(await happened(3), ['process.updated', 'container.updated', 'container.updated'])
  })

  test('a removed field leaves the columns, groups and sort order of filters, other fields stay', async () => {
    const [gone, stays] = [await field('Gone'), await field('Stays')]
    const { id } = await ada.post('/process', {
      name: 'Filtered',
      fields: [{ fieldId: gone.id }, { fieldId: stays.key }],
    })
    const inside = await ada.post('/container', { name: 'Inside', processIds: [id] })
    const outside = await ada.post('/container', { name: 'Outside' })
    const wish = {
      name: 'Mine',
      columns: ['title', gone.key, gone.id, stays.key],
      groupBy: gone.key,
      criteria: {
        sortField: gone.id,
        conditionGroup: [{ condition: [{ leftSide: `field.${gone.key}`, operator: operator.equals, rightSide: 'x' }] }],
      },
    }
    const mine = await ada.post(`/container/${inside.id}/filter`, wish)
    const theirs = await ada.post(`/container/${outside.id}/filter`, wish)
    await ada.put('/process', { id, fields: [{ fieldId: stays.id }] })
    const after = await ada.get(`/container/${inside.id}/filter/${mine.id}`)
    assert.deepEqual([after.columns, after.groupBy, after.criteria.sortField], [['title', stays.key], '', ''])
    assert.equal(after.criteria.conditionGroup[0].condition[0].leftSide, `field.${gone.key}`)
    assert.deepEqual((await ada.get(`/container/${outside.id}/filter/${theirs.id}`)).columns, wish.columns)
  })

  test('a field that another process of the container has stays in the container', async () => {
    const both = await field('Both')
    const one = await ada.post('/process', { name: 'One', fields: [{ fieldId: both.id }] })
    const two = await ada.post('/process', { name: 'Two', fields: [{ fieldId: both.id }] })
    const { id } = await ada.post('/container', { name: 'Shared', processIds: [one.id, two.id] })
    const filter = await ada.post(`/container/${id}/filter`, { name: 'All', columns: [both.key] })
    await ada.put(`/process/${one.id}`, { fields: [] })
    assert.deepEqual(await shown(id), [both.id])
    assert.deepEqual((await ada.get(`/container/${id}/filter/${filter.id}`)).columns, [both.key])
    await ada.delete(`/process/${two.id}`)
    assert.deepEqual(await shown(id), [])
    assert.deepEqual((await ada.get(`/container/${id}/filter/${filter.id}`)).columns, [])
  })

  test('a removed process leaves every container', async () => {
    const own = await field('Own')
    const gone = await ada.post('/process', { name: 'Gone', fields: [{ fieldId: own.id }] })
    const kept = await ada.post('/process', { name: 'Kept', fields: [{ fieldId: 'status' }] })
    const desk = await ada.post('/container', {
      name: 'Desk',
      processIds: [gone.id, kept.id],
      defaultProcessId: gone.id,
    })
    const shop = await ada.post('/container', { name: 'Shop', processIds: [gone.id] })
    await ada.delete(`/process/${gone.id}`)
    const { processIds, defaultProcessId, fields } = await ada.get(`/container/${desk.id}`)
    assert.deepEqual([processIds, defaultProcessId], [[kept.id], ''])
    assert.deepEqual(fields, [{ fieldId: 'status', order: 0, required: false }])
    assert.deepEqual((await ada.get(`/container/${shop.id}`)).processIds, [])
    assert.deepEqual(await happened(3), ['container.updated', 'container.updated', 'process.deleted'])

    await ada.must('POST', `/process/${gone.id}/restore`)
    assert.deepEqual((await ada.get(`/container/${shop.id}`)).processIds, [])
  })

  test('a dry run of a deletion changes nothing', async () => {
    const { id } = await ada.post('/process', { name: 'DryRun' })
    const desk = await ada.post('/container', { name: 'Stage', processIds: [id] })
    const { status } = await ada.ask('DELETE', `/process/${id}?dryRun=true`)
    assert.equal(status, 200)
    assert.deepEqual((await ada.get(`/container/${desk.id}`)).processIds, [id])
  })

  test('a stale deletion removes the process from no container', async () => {
    const { id } = await ada.post('/process', { name: 'Stale' })
    const desk = await ada.post('/container', { name: 'Stale desk', processIds: [id] })
    assert.equal((await ada.ask('DELETE', `/process/${id}`, { headers: { 'if-match': '"v7"' } })).status, 412)
    assert.deepEqual((await ada.get(`/container/${desk.id}`)).processIds, [id])
  })

  test('a field is named by its id, its key, or as a property of items', async () => {
    const made = await field('Effort')
    const { fields } = await ada.post('/process', {
      name: 'Named',
      fields: [
        { fieldId: made.key },
        { fieldId: 'status', order: 3, required: true },
        { fieldId: made.id.toUpperCase() },
      ].slice(0, 2),
    })
    assert.deepEqual(fields, [
      { fieldId: made.key, order: 0, required: false },
      { fieldId: 'status', order: 3, required: true },
    ])
    const twice = await ada.ask('POST', '/process', {
      body: { name: 'Twice', fields: [{ fieldId: made.key }, { fieldId: made.id }] },
    })
    assert.deepEqual([twice.status, pointers(twice.body)], [400, ['/fields/1/fieldId']])
  })

  test('an unknown field or group, or one of another tenant, is refused', async () => {
    const foreign = await eve.post('/field/text', { name: 'Foreign' })
    const group = await eve.post('/user-group', { name: 'Foreign' })
    const { status, body } = await ada.ask('POST', '/process', {
      body: {
        name: 'Wrong',
        fields: [{ fieldId: 'title' }, { fieldId: 'nowhere' }, { fieldId: foreign.id }],
        workflow: [
          { fieldId: 'status', value: 'New', userGroup: ['@assignee', group.id] },
          { fieldId: foreign.key, value: 'x', userGroup: ['admins'] },
        ],
      },
    })
    assert.deepEqual([status, body.code], [422, 'unknown-reference'])
    assert.deepEqual(pointers(body), [
      '/fields/1/fieldId',
      '/fields/2/fieldId',
      '/workflow/1/fieldId',
      '/workflow/0/userGroup/1',
      '/workflow/1/userGroup/0',
    ])
  })

  test('a process may keep references to deleted records', async () => {
    const team = await ada.post('/user-group', { name: 'Fleeting' })
    const { id, workflow } = await ada.post('/process', {
      name: 'Old',
      workflow: [{ fieldId: 'status', value: 'New', userGroup: [team.id] }],
    })
    await ada.delete(`/process/${id}`)
    await ada.delete(`/user-group/${team.id}`)
    await ada.must('POST', `/process/${id}/restore`)
    assert.equal((await ada.put(`/process/${id}`, { name: 'Older', workflow })).name, 'Older')
  })

  test('a restored container does not show fields that were removed meanwhile', async () => {
    const [left, stayed] = [await field('Left'), await field('Stayed')]
    const gone = await ada.post('/process', { name: 'Gone', fields: [{ fieldId: left.id }] })
    const kept = await ada.post('/process', { name: 'Kept', fields: [{ fieldId: left.id }, { fieldId: stayed.id }] })
    const { id } = await ada.post('/container', {
      name: 'Away',
      processIds: [gone.id, kept.id],
      defaultProcessId: gone.id,
    })
    await ada.delete(`/container/${id}`)
    await ada.delete(`/process/${gone.id}`)
    await ada.put(`/process/${kept.id}`, { fields: [{ fieldId: stayed.id }] })
    const { processIds, defaultProcessId, fields } = await ada.must('POST', `/container/${id}/restore`)
    assert.deepEqual([processIds, defaultProcessId], [[kept.id], ''])
    assert.deepEqual(fields, [{ fieldId: stayed.id, order: 0, required: false }])
  })

  test('a container that adopts a process concurrently gets its change', async () => {
    const made = await field('Racing')
    for (let round = 0; round < 5; round++) {
      const { id } = await ada.post('/process', { name: 'Racing', fields: [{ fieldId: made.id }] })
      const container = (i: number) =>
        ada.ask('POST', '/container', {
          body: { name: `Racing ${round} ${i}`, key: `R${round}X${i}`, processIds: [id] },
        })
      const change = ada.put(`/process/${id}`, { fields: [] })
      const made4 = await Promise.all([0, 1, 2, 3].map(container))
      await change
      for (const { status, body } of made4) assert.deepEqual([status, await shown(body.id)], [201, []])
      const another = await ada.post('/container', { name: `Racing ${round}`, key: `R${round}` })
      const [taken] = await Promise.all([
        ada.ask('PUT', `/container/${another.id}`, { body: { processIds: [id] } }),
        ada.delete(`/process/${id}`),
      ])
      assert.ok([200, 422].includes(taken.status), JSON.stringify(taken.body))
      assert.deepEqual((await ada.get(`/container/${another.id}`)).processIds, [])
    }
  })

  test('every step has an id, which it keeps when it is sent without one', async () => {
    const states = [
      { fieldId: 'status', value: 'New', next: 'Open' },
      { id: 'open', fieldId: 'status', value: 'Open', next: '*' },
    ]
    const { id, workflow, check } = await ada.post('/process', { name: 'Flow', workflow: states })
    assert.match(workflow[0].id, /^[0-9a-f-]{36}$/)
    assert.deepEqual(workflow[1], { id: 'open', fieldId: 'status', value: 'Open', next: '*', userGroup: [] })
    assert.deepEqual(check, [])
    const again = await ada.put(`/process/${id}`, { workflow: states })
    assert.deepEqual([again.version, again.workflow], [1, workflow])
    const twice = await ada.ask('PUT', `/process/${id}`, { body: { workflow: [{ id: 'a' }, { id: 'a' }] } })
    assert.deepEqual([twice.status, pointers(twice.body)], [400, ['/workflow/1/id']])
  })

  test('a transition to an unknown state is stored with a finding, and refused in strict mode', async () => {
    const body = { name: 'Dangling', workflow: [{ fieldId: 'status', value: 'New', next: 'Nowhere' }] }
    const { id, check } = await ada.post('/process', body)
    assert.deepEqual(
      check.map((each: { path: string; code: string }) => [each.path, each.code]),
      [['/workflow/0/next', 'dangling-next']],
    )
    assert.deepEqual(await ada.get(`/process/${id}/check`), check)
    const strict = await ada.ask('POST', '/process', { body, headers: { prefer: 'handling=strict' } })
    assert.deepEqual([strict.status, pointers(strict.body)], [400, ['/workflow/0/next']])
    const whole = await ada.get(`/process/${id}`)
    assert.equal((await ada.put(`/process/${id}`, whole)).version, 1)
  })

  test('only admins change processes', async () => {
    const { id } = await ada.post('/process', { name: 'Ours' })
    assert.equal((await bob.ask('PUT', `/process/${id}`, { body: { workflow: [] } })).status, 403)
    assert.equal((await bob.ask('DELETE', `/process/${id}`)).status, 403)
    assert.equal((await eve.ask('DELETE', `/process/${id}`)).status, 404)
    assert.equal((await ada.ask('DELETE', '/process/not-an-id')).status, 404)
  })
})
