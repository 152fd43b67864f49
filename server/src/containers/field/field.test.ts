import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { newId } from '../../kernel/id.ts'
import { placement as placementCode, usage as usageCode } from './field-codes.ts'

const { ada, bob, eve, database, happened } = await sharedTestService()

const give = (key: string, value: unknown, more: object = {}) =>
  ada.post('/item', { title: 'Holds a value', Field: [{ key, value }], ...more })

describe('a custom time field', () => {
  test('is created, changed by the id in the body, and has the specified properties', async () => {
    const made = await ada.post('/field/time', {
      name: 'Effort',
      allowDay: true,
      allowHour: true,
      defaultValue: '2h',
      prompt: 'How long?',
      description: 'Until done.',
      isFeature: true,
      featureName: 'planning',
      placement: [placementCode.everywhere, placementCode.listColumn],
      usage: [usageCode.item],
      listEditable: true,
    })
    assert.equal(made.entity, 'Field')
    assert.equal(made.fieldType, 'time')
    assert.equal(made.key, 'effort')
    assert.deepEqual(made.check, [])
    const changed = await ada.put('/field/time', { ...made, name: 'Estimate', allowMinute: true })
    assert.equal(changed.name, 'Estimate')
    assert.equal(changed.key, 'effort')
    assert.equal(changed.version, 2)
    const {
      allowDay,
      allowHour,
      allowMinute,
      defaultValue,
      prompt,
      description,
      isCore,
      isFeature,
      featureName,
      placement,
      usage,
      listEditable,
      min,
      max,
    } = changed
    assert.deepEqual(
      {
        allowDay,
        allowHour,
        allowMinute,
        defaultValue,
        prompt,
        description,
        isCore,
        isFeature,
        featureName,
        placement,
        usage,
        listEditable,
        min,
        max,
      },
      {
        allowDay: true,
        allowHour: true,
        allowMinute: true,
        defaultValue: '2h',
        prompt: 'How long?',
        description: 'Until done.',
        isCore: false,
        isFeature: true,
        featureName: 'planning',
        placement: [placementCode.everywhere, placementCode.listColumn],
        usage: [usageCode.item],
        listEditable: true,
        min: null,
        max: null,
      },
    )
    assert.deepEqual(await happened(2), ['field.created', 'field.updated'])
    assert.deepEqual((await ada.get(`/field/time/${made.id}`)).id, made.id)
    assert.deepEqual((await ada.get(`/field/${made.id}`)).id, made.id)
    assert.equal((await ada.get(`/field/${made.id}/history`)).length, 2)
  })

  test('of another tenant does not exist, whether its id is in the body or in the path', async () => {
    const { id } = await ada.post('/field/time', { name: 'Ours' })
    const foreign = await eve.ask('PUT', '/field/time', { body: { id, name: 'Theirs' } })
    const unknown = await eve.ask('PUT', '/field/time', { body: { id: newId(), name: 'Theirs' } })
    assert.equal(foreign.status, 404)
    assert.equal(foreign.body.detail, unknown.body.detail)
    assert.equal((await eve.ask('GET', `/field/time/${id}`)).status, 404)
    assert.equal((await ada.get(`/field/${id}`)).name, 'Ours')
  })

  test('is changed by admins only', async () => {
    const { id } = await ada.post('/field/time', { name: 'Guarded' })
    assert.equal((await bob.ask('PUT', '/field/time', { body: { id, name: 'Mine' } })).status, 403)
    assert.equal((await bob.ask('POST', '/field/time', { body: { name: 'Mine' } })).status, 403)
    assert.equal((await bob.ask('GET', `/field/time/${id}`)).status, 200)
  })

  test('needs its id in the body if the path has none', async () => {
    const { status, body } = await ada.ask('PUT', '/field/time', { body: { name: 'Which?' } })
    assert.equal(status, 400)
    assert.equal(body.Fields[0].Field, 'id')
    assert.equal((await ada.ask('PUT', '/field/time', { body: { id: 'time', name: 'Which?' } })).status, 404)
  })

  test('accepts an invalid default and reports a finding', async () => {
    const made = await ada.post('/field/time', {
      name: 'Lenient',
      defaultValue: 'string',
      placement: [99],
      usage: [usageCode.item, -1],
    })
    assert.deepEqual(
      made.check.map((each: { path: string; code: string }) => `${each.path} ${each.code}`),
      ['/placement/0 unknown-code', '/usage/1 unknown-code', '/defaultValue unreadable'],
    )
    assert.deepEqual(await ada.get(`/field/${made.id}/check`), made.check)
    const strict = await ada.ask('POST', '/field/time', {
      body: { name: 'Strict', placement: [99] },
      headers: { prefer: 'handling=strict' },
    })
    assert.equal(strict.status, 400)
    assert.equal(strict.body.Fields[0].Pointer, '/placement/0')
  })
})

describe('the type of a field', () => {
  test('comes from the path, where an unknown type in the body is ignored', async () => {
    assert.equal((await ada.post('/field/time', { name: 'Span', fieldType: 'CustomTime' })).fieldType, 'time')
    assert.equal((await ada.post('/field/dateTime', { name: 'When' })).fieldType, 'dateTime')
    const { status, body } = await ada.ask('POST', '/field/time', { body: { name: 'Odd', fieldType: 'text' } })
    assert.equal(status, 400)
    assert.equal(body.Fields[0].Code, 'mismatch')
  })

  test('comes from the body on the path of all fields, case-insensitively; the default is text', async () => {
    assert.equal((await ada.post('/field', { name: 'Many', fieldType: 'MULTISELECT' })).fieldType, 'multiSelect')
    assert.equal((await ada.post('/field', { name: 'Plain' })).fieldType, 'text')
    const { status, body } = await ada.ask('POST', '/field', { body: { name: 'Odd', fieldType: 'colour' } })
    assert.equal(status, 400)
    assert.equal(body.Fields[0].Field, 'fieldType')
  })

  test('decides under which path a field is available', async () => {
    const { id } = await ada.post('/field/number', { name: 'Points' })
    const listed = async (path: string) => (await ada.get(path)).some((each: { id: string }) => each.id === id)
    assert.equal(await listed('/field'), true)
    assert.equal(await listed('/field/number'), true)
    assert.equal(await listed('/field/time'), false)
    for (const [method, path] of [
      ['GET', `/field/time/${id}`],
      ['DELETE', `/field/time/${id}`],
    ] as const)
      assert.equal((await ada.ask(method, path)).status, 404)
    for (const [method, path] of [
      ['PUT', `/field/time/${id}`],
      ['PATCH', `/field/time/${id}`],
      ['PUT', '/field/time'],
    ] as const) {
      assert.equal((await ada.ask(method, path, { body: { id, name: 'Moved' } })).status, 404)
    }
    assert.equal((await ada.ask('GET', `/field/${id}`)).status, 200)
  })

  test('can change as long as no record has a value of the field', async () => {
    const { id } = await ada.post('/field', { name: 'Undecided' })
    assert.equal((await ada.put(`/field/${id}`, { fieldType: 'user' })).fieldType, 'user')
    assert.equal((await ada.put(`/field/${id}`, { fieldType: 'text' })).fieldType, 'text')
    await give('undecided', 'red')
    const { status, body } = await ada.ask('PUT', `/field/${id}`, { body: { fieldType: 'user' } })
    assert.equal(status, 422)
    assert.equal(body.code, 'type-change-unsafe')
    assert.match(body.detail, /create a new field/)
    assert.equal((await ada.put(`/field/${id}`, { fieldType: 'Text', name: 'Decided' })).name, 'Decided')
  })
})

describe('the key of a field', () => {
  test('is derived from the name, with a number if it is taken', async () => {
    const keys = []
    for (const name of ['Größe (in cm)', 'Groesse', 'größe in CM', '2nd line', '漢字', '---', '漢'])
      keys.push((await ada.post('/field', { name })).key)
    assert.deepEqual(keys, ['grosse-in-cm', 'groesse', 'grosse-in-cm-2', 'nd-line', 'field', 'field-2', 'field-3'])
  })

  test('never changes', async () => {
    const made = await ada.post('/field', { name: 'Colour', key: 'Colour_1' })
    assert.equal(made.key, 'Colour_1')
    assert.equal((await ada.put(`/field/${made.id}`, { key: 'Colour_1', name: 'Color' })).name, 'Color')
    assert.equal((await ada.put(`/field/${made.id}`, { key: null, name: 'Hue' })).key, 'Colour_1')
    const { status, body } = await ada.ask('PUT', `/field/${made.id}`, { body: { key: 'color' } })
    assert.equal(status, 422)
    assert.equal(body.code, 'immutable')
  })

  test('is unique in the tenant, case-insensitively', async () => {
    await ada.post('/field', { name: 'One', key: 'only' })
    const { status, body } = await ada.ask('POST', '/field/number', { body: { name: 'Two', key: 'ONLY' } })
    assert.equal(status, 422)
    assert.equal(body.Fields[0].Field, 'key')
    assert.equal((await eve.post('/field', { name: 'One', key: 'only' })).key, 'only')
  })

  test('can be used in a condition', async () => {
    for (const key of ['a b', 'a.b', '1st', 'ä', newId(), `a${newId()}`.slice(1)]) {
      const { status, body } = await ada.ask('POST', '/field', { body: { name: 'Odd', key } })
      assert.equal(status, 400, key)
      assert.equal(body.Fields[0].Code, 'pattern')
    }
  })
})

describe('the options of a field', () => {
  test('get defaults, and keep their ids when their labels are sent again', async () => {
    const made = await ada.post('/field/select', {
      name: 'Severity',
      options: [{ label: 'Low' }, { id: 'hi', label: 'High', color: 'red', order: 5, active: false }],
    })
    const [low, high] = made.options
    assert.match(low.id, /^[0-9a-f-]{36}$/)
    assert.deepEqual({ ...low, id: '' }, { id: '', label: 'Low', color: '', order: 0, active: true, parentId: '' })
    assert.deepEqual(high, { id: 'hi', label: 'High', color: 'red', order: 5, active: false, parentId: '' })
    const again = await ada.put(`/field/${made.id}`, { options: [{ label: 'HIGH' }, { label: 'low' }] })
    assert.deepEqual(
      again.options.map((each: { id: string }) => each.id),
      ['hi', low.id],
    )
    const same = await ada.put(`/field/${made.id}`, { options: [{ label: 'HIGH' }, { label: 'low' }] })
    assert.equal(same.version, again.version)
  })

  test('have unique ids and labels', async () => {
    const options = [
      { id: 'a', label: 'One' },
      { id: 'A', label: 'Two' },
      { id: 'c', label: ' one ' },
    ]
    const { status, body } = await ada.ask('POST', '/field/select', { body: { name: 'Twins', options } })
    assert.equal(status, 400)
    assert.deepEqual(
      body.Fields.map((each: { Pointer: string }) => each.Pointer),
      ['/options/1/id', '/options/2/label'],
    )
  })

  test('are reported as a finding if they are missing', async () => {
    assert.equal((await ada.post('/field/select', { name: 'Empty' })).check[0].code, 'no-options')
  })
})

describe('a field', () => {
  test('refuses invalid limits and patterns, all at once', async () => {
    const { status, body } = await ada.ask('POST', '/field/number', {
      body: { name: 'Odd', min: 5, max: 1, pattern: '(?=a)b' },
    })
    assert.equal(status, 400)
    assert.deepEqual(
      body.Fields.map((each: { Field: string; Code: string }) => `${each.Field} ${each.Code}`),
      ['max range', 'pattern regex'],
    )
    const made = await ada.post('/field/number', { name: 'Bounded', min: -1.5, max: 0 })
    assert.deepEqual([made.min, made.max], [-1.5, 0])
    assert.equal((await ada.put(`/field/${made.id}`, { max: null })).max, null)
  })

  test('cannot be made a core field by a request', async () => {
    const made = await ada.post('/field', { name: 'Humble', isCore: true })
    assert.equal(made.isCore, false)
    assert.equal((await ada.put(`/field/${made.id}`, { isCore: true })).isCore, false)
  })

  test('that is a core field cannot be deleted and keeps its type', async () => {
    const { id } = await ada.post('/field', { name: 'Core' })
    await database.transaction(
      tenantCaller(ada.tenantId, ada.id),
      ctx => ctx.sql`update field set is_core = true where tenant_id = ${ada.tenantId} and id = ${id}`,
    )
    for (const answer of [
      await ada.ask('DELETE', `/field/${id}`),
      await ada.ask('PUT', `/field/${id}`, { body: { fieldType: 'number' } }),
    ]) {
      assert.equal(answer.status, 422)
      assert.equal(answer.body.code, 'core-field')
    }
    assert.equal((await ada.put(`/field/${id}`, { name: 'Kernel' })).name, 'Kernel')
  })

  test('that a process uses cannot be deleted', async () => {
    const { id, key } = await ada.post('/field', { name: 'Shown' })
    const caller = tenantCaller(ada.tenantId, ada.id)
    const processId = newId()
    await database.transaction(
      caller,
      ctx => ctx.sql`insert into process (tenant_id, id, created, created_by, updated, updated_by, name, fields)
      values (${ada.tenantId}, ${processId}, now(), ${ada.id}, now(), ${ada.id}, 'Bug', ${JSON.stringify([{ fieldId: key }])}::jsonb)`,
    )
    const { status, body } = await ada.ask('DELETE', `/field/${id}`)
    assert.equal(status, 409)
    assert.equal(body.code, 'in-use')
    assert.deepEqual(body.usedBy, [{ entity: 'Process', id: processId, name: 'Bug' }])
    await database.transaction(
      caller,
      ctx => ctx.sql`update process set deleted = true where tenant_id = ${ada.tenantId} and id = ${processId}`,
    )
    await ada.delete(`/field/${id}`)
    assert.equal((await ada.ask('GET', `/field/${id}`)).status, 404)
    assert.equal((await ada.must('POST', `/field/${id}/restore`)).key, key)
  })
})
