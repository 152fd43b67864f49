import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asOwner } from '../../../test/support/database/database.ts'
import { startTestService } from '../../../test/support/people.ts'
import { action, unnamedCall } from '../../containers/action/action.ts'
import { operator } from '../../language/conditions/operators/operators.ts'
import { triggerEvent } from '../../notify/trigger-event.ts'
import { openSecrets } from '../../platform/secrets.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { trigger } from './rule-codes.ts'

/** A code without a meaning. */
const noAction = 77
const url = 'https://hooks.example.com/in'

describe('rules', async () => {
  const { ada, bob, eve, happened, databaseUrl, dataDir } = await startTestService()
  const secrets = openSecrets({ dataDir })

  /** The decrypted secrets of a rule: header and value. */
  async function kept(ruleId: string): Promise<string[]> {
    const rows = await asOwner<{ name: string; sealed: Buffer }>(
      databaseUrl,
      undefined,
      'select name, sealed from secret where owner_id = $1',
      [ruleId],
    )
    return rows
      .map(({ name, sealed }) => `${JSON.parse(name)[2]}: ${secrets.openFor(ada.tenantId, ruleId, name, sealed)}`)
      .sort()
  }
  const endpointOf = (httpHeader: string[], more = {}) => ({ url, httpHeader, ...more })
  const faults = (body: { Fields: { Pointer: string; Code: string }[] }) =>
    body.Fields.map(({ Pointer, Code }) => `${Pointer} ${Code}`)
  const check = (body: { check: { path: string; code: string }[] }) =>
    body.check.map(({ path, code }) => `${path} ${code}`)

  test('a rule is returned completely, each entry with an id', async () => {
    const desk = await ada.post('/container', { name: 'Desk' })
    const rule = await ada.post('/rule', {
      name: 'Escalate',
      description: 'Tell somebody',
      active: true,
      owner: ownerKind.container,
      ownerId: desk.id,
      trigger: trigger.event,
      triggerEvent: triggerEvent['item.updated'],
      triggerInterval: '',
      container: [desk.id],
      conditionGroup: [
        {
          condition: [
            { leftSide: 'priority', operator: operator.equals, rightSide: '1' },
            { id: 'mine', leftSide: 'status', operator: operator.changed, rightSide: '' },
          ],
        },
      ],
      actionValue: [
        { actionType: action.setField, field: 'status', value: { deep: [1, null] } },
        { id: 'second', field: 'title', active: false },
      ],
      actionEndpoint: [endpointOf([])],
    })
    assert.deepEqual(rule.check, [])
    assert.deepEqual(
      rule.conditionGroup[0].condition.map((each: { id: string }) => each.id),
      ['c1', 'mine'],
    )
    const [first, second] = rule.actionValue
    assert.deepEqual(first, {
      id: first.id,
      actionType: action.setField,
      field: 'status',
      value: { deep: [1, null] },
      active: true,
    })
    assert.deepEqual(second, { id: 'second', actionType: action.setField, field: 'title', value: null, active: false })
    assert.deepEqual(rule.actionEndpoint[0], {
      id: rule.actionEndpoint[0].id,
      actionType: unnamedCall,
      url,
      httpHeader: [],
      active: true,
    })
    const again = await ada.put('/rule', rule)
    assert.equal(again.version, 1)
    assert.deepEqual(
      (await ada.get('/rule')).find((each: { id: string }) => each.id === rule.id),
      rule,
    )
  })

  test('the value of a header is never exposed: not in replies, lists, history, events or tables', async () => {
    const canary = 'Bearer canary-5ecre7'
    const { id, actionEndpoint } = await ada.post('/rule', {
      name: 'Secret',
      actionEndpoint: [endpointOf([`Authorization: ${canary}`, 'X-Team:ops'])],
    })
    assert.deepEqual(actionEndpoint[0].httpHeader, ['Authorization: ***', 'X-Team: ***'])
    assert.deepEqual(await kept(id), [`authorization: ${canary}`, 'x-team: ops'])
    await ada.put('/rule', {
      id,
      actionEndpoint: [{ ...actionEndpoint[0], httpHeader: [`Authorization: ${canary}2`, 'X-Team: ***'] }],
    })
    await ada.ask('PUT', '/rule', {
      body: { id, actionEndpoint: [endpointOf([`Authorization: ${canary}`, `Host: ${canary}`])] },
    })
    const seen = await Promise.all(
      [`/rule/${id}`, '/rule', `/rule/${id}/history`, '/event?limit=1000'].map(path => ada.get(path)),
    )
    assert.ok(!JSON.stringify(seen).includes('canary'))
    for (const table of ['rule', 'event', 'secret', 'idempotency']) {
      const [row] = await asOwner<{ found: number }>(
        databaseUrl,
        undefined,
        `select count(*)::int as found from ${table} t where t::text like '%canary%' or t::text like '%' || $1 || '%'`,
        [Buffer.from('canary').toString('hex')],
      )
      assert.equal(row?.found, 0, table)
    }
  })

  test('sending the mask back keeps the value, also when the endpoint moves in the list', async () => {
    const { id, actionEndpoint } = await ada.post('/rule', {
      name: 'Moved',
      actionEndpoint: [
        endpointOf(['A: one', 'B: two'], { id: 'x' }),
        endpointOf(['A: three'], { id: 'y', url: `${url}/2` }),
      ],
    })
    const [x, y] = actionEndpoint
    const moved = await ada.put('/rule', {
      id,
      actionEndpoint: [y, { ...x, url: `${url}/other`, httpHeader: ['B: ***', 'A: ***'] }],
    })
    assert.deepEqual(
      moved.actionEndpoint.map((each: { id: string }) => each.id),
      ['y', 'x'],
    )
    assert.deepEqual(await kept(id), ['a: one', 'a: three', 'b: two'])
    await ada.put('/rule', { id, actionEndpoint: [{ ...x, url: `${url}/other`, httpHeader: ['A: ***', 'B: new'] }] })
    assert.deepEqual(await kept(id), ['a: one', 'b: new'])
    await ada.put('/rule', { id, name: 'Only the name' })
    assert.deepEqual(await kept(id), ['a: one', 'b: new'])
    await ada.put('/rule', { id, actionEndpoint: null })
    assert.deepEqual(await kept(id), [])
  })

  test('a client that drops the ids keeps its values', async () => {
    const { id } = await ada.post('/rule', { name: 'No ids', actionEndpoint: [endpointOf(['A: one', 'A: two'])] })
    await ada.put('/rule', { id, actionEndpoint: [endpointOf(['A: ***', 'A: ***'])] })
    assert.deepEqual(await kept(id), ['a: one', 'a: two'])
  })

  test('a mask without a stored value is refused', async () => {
    const { status, body } = await ada.ask('POST', '/rule', {
      body: { name: 'Blank', actionEndpoint: [endpointOf(['A: x', 'B: ***'])] },
    })
    assert.deepEqual([status, faults(body)], [400, ['/actionEndpoint/0/httpHeader/1 no-value']])
  })

  test('a stored value is not sent to another host', async () => {
    const { id, actionEndpoint } = await ada.post('/rule', {
      name: 'Thief',
      actionEndpoint: [endpointOf(['Authorization: mine'])],
    })
    const [{ id: endpointId }] = actionEndpoint
    const stolen = { id: endpointId, url: 'https://evil.example.net/in', httpHeader: ['Authorization: ***'] }
    const { status, body } = await ada.ask('PUT', '/rule', { body: { id, actionEndpoint: [stolen] } })
    assert.deepEqual([status, faults(body)], [400, ['/actionEndpoint/0/httpHeader/0 other-host']])
    const theirs = { id, actionEndpoint: [{ ...stolen, httpHeader: ['Authorization: theirs'] }] }
    const { headers } = await ada.ask('PUT', '/rule', { body: theirs })
    const undone = await ada.ask('POST', `/change/${headers.get('change-set')}/undo`)
    assert.deepEqual([undone.status, undone.body.conflicts[0].property], [409, 'actionEndpoint'])
    assert.deepEqual(await kept(id), ['authorization: theirs'])
  })

  test('a new value with the same mask appears in the history, the same value does not', async () => {
    const { id, actionEndpoint } = await ada.post('/rule', {
      name: 'Rotated',
      actionEndpoint: [endpointOf(['A: one'])],
    })
    const wish = (value: string) => ({ id, actionEndpoint: [{ ...actionEndpoint[0], httpHeader: [`A: ${value}`] }] })
    assert.equal((await ada.put('/rule', wish('one'))).version, 1)
    assert.equal((await ada.put('/rule', wish('two'))).version, 2)
    assert.deepEqual(await happened(1), ['rule.updated'])
    assert.deepEqual(await kept(id), ['a: two'])
    const [, changed] = await ada.get(`/rule/${id}/history`)
    assert.deepEqual(changed.changes.actionEndpoint.to[0].httpHeader, ['A: ***'])
    await ada.must('PUT', '/rule?dryRun=true', { body: wish('three') })
    assert.deepEqual(await kept(id), ['a: two'])
  })

  test('a restored rule has its values', async () => {
    const { id } = await ada.post('/rule', { name: 'Back', actionEndpoint: [endpointOf(['A: one'])] })
    await ada.delete(`/rule/${id}`)
    await ada.must('POST', `/rule/${id}/restore`)
    assert.deepEqual(await kept(id), ['a: one'])
  })

  test('internal addresses and connection headers are refused together, and values are not echoed', async () => {
    const { status, body } = await ada.ask('POST', '/rule', {
      body: {
        name: 'Attack',
        actionEndpoint: [
          endpointOf(['Host: inner', 'A: b\r\nC: d', 'no colon', 'webhook-signature: x', 'Fine: yes'], {
            url: 'http://example.com/',
          }),
          endpointOf([], { url: 'https://127.0.0.1/' }),
          endpointOf([], { url: 'https://user:pass@example.com/' }),
          endpointOf([], { url: 'ftp://example.com/' }),
          endpointOf([], { url: '' }),
          endpointOf([], { url: '#ops', actionType: action.slack }),
        ],
      },
    })
    assert.equal(status, 400)
    assert.deepEqual(faults(body), [
      '/actionEndpoint/0/url url',
      '/actionEndpoint/0/httpHeader/0 header',
      '/actionEndpoint/0/httpHeader/1 header',
      '/actionEndpoint/0/httpHeader/2 header',
      '/actionEndpoint/0/httpHeader/3 header',
      '/actionEndpoint/1/url url',
      '/actionEndpoint/2/url url',
      '/actionEndpoint/3/url url',
    ])
    assert.ok(body.Fields.slice(1, 5).every((each: object) => !('Value' in each)))
  })

  test('unknown codes are stored with a finding and have no effect', async () => {
    const rule = await ada.post('/rule', {
      name: 'Odd',
      active: true,
      trigger: 99,
      triggerEvent: -3,
      actionValue: [
        { actionType: noAction, field: 'x' },
        { actionType: action.httpPost, field: 'x' },
        { actionType: action.clearField },
        { actionType: action.close },
      ],
      actionEndpoint: [
        { actionType: action.addToList, url },
        { actionType: action.httpPut, url },
        { actionType: action.httpPost },
      ],
      conditionGroup: [
        {
          condition: [
            { leftSide: 'nothing.like.it', operator: 99, rightSide: '' },
            { leftSide: 'change.status.to', operator: operator.equals, rightSide: 'Open' },
          ],
        },
      ],
    })
    assert.deepEqual([rule.trigger, rule.triggerEvent, rule.actionValue[0].actionType], [99, -3, noAction])
    assert.deepEqual(check(rule), [
      '/trigger unknown-code',
      '/conditionGroup/0/condition/0/leftSide unknown-path',
      '/conditionGroup/0/condition/0/operator unknown-operator',
      '/actionValue/0/actionType unknown-code',
      '/actionValue/1/actionType unknown-code',
      '/actionValue/2/field no-field',
      '/actionEndpoint/0/actionType unknown-code',
      '/actionEndpoint/2/url no-url',
    ])
    const strict = await ada.ask('PUT', '/rule', {
      body: { id: rule.id, name: 'Odder' },
      headers: { prefer: 'handling=strict' },
    })
    assert.equal(strict.status, 400)
  })

  test('an event or an interval that does not fit the trigger has a finding', async () => {
    const told = async (values: object) => check(await ada.post('/rule', { name: 'When', active: true, ...values }))
    assert.deepEqual(await told({ triggerEvent: 26 }), ['/triggerEvent unknown-code'])
    assert.deepEqual(await told({ trigger: trigger.schedule, triggerInterval: 'now and then' }), [
      '/triggerInterval unreadable-interval',
    ])
    assert.deepEqual(await told({ trigger: trigger.schedule, triggerInterval: '0 8 * * MON-FRI' }), [])
    assert.deepEqual(await told({ trigger: trigger.dateField, triggerInterval: '-P2D@dueDate' }), [])
    assert.deepEqual(await told({ trigger: trigger.manual, triggerEvent: 26 }), [])
  })

  test('a rule that is not active says so', async () => {
    const rule = await ada.post('/rule', { name: 'Later' })
    assert.deepEqual(check(rule), ['/active inactive'])
    assert.deepEqual(check(await ada.put(`/rule/${rule.id}`, { active: true })), [])
  })

  test('a strict request creates a rule without findings, and is refused for findings', async () => {
    const strict = async (actionValue: object[]) =>
      await ada.ask('POST', '/rule', {
        body: { name: 'Strict', active: true, actionValue },
        headers: { prefer: 'handling=strict' },
      })
    assert.equal((await strict([{ actionType: action.setField, field: 'priority', value: 1 }])).status, 201)
    const refused = await strict([{ actionType: action.setField, field: 'Colour', value: 1 }])
    assert.deepEqual([refused.status, refused.body.Fields[0].Code], [400, 'unknown-field'])
  })

  test('what conditions and actions name and nobody has is a finding', async () => {
    const process = await ada.post('/process', {
      name: 'Work',
      workflow: ['Open', 'Done'].map(value => ({ fieldId: 'status', value })),
    })
    const place = { name: 'Works', processIds: [process.id], defaultProcessId: process.id }
    const [works, gone] = [await ada.post('/container', place), await ada.post('/container', { name: 'Gone' })]
    const group = await ada.post('/user-group', { name: 'Works' })
    const text = await ada.post('/content-template', { name: 'Hello', body: 'Hello' })
    const theirs = await eve.post('/user-group', { name: 'Theirs' })
    const about = (leftSide: string, rightSide: string) => ({ leftSide, operator: operator.in, rightSide })
    const told = async (actionValue: object[], condition: object[] = [], more = {}) => {
      const values = { container: [works.id], conditionGroup: [{ condition }], actionValue, ...more }
      return check(await ada.post('/rule', { name: 'Names', active: true, ...values }))
    }
    const known = [
      { actionType: action.setField, field: 'Priority', value: 1 },
      { actionType: action.copyFrom, field: 'title', value: 'change.title.from' },
      { actionType: action.transition, value: 'Done' },
      { actionType: action.assign, value: `leastLoaded ${group.id}` },
      { actionType: action.assign, value: { groupId: group.id, policy: 'roundRobin' } },
      { actionType: action.assign, value: 'lastAssignee' },
      { actionType: action.move, value: gone.id },
      { actionType: action.addNote, value: text.id },
      { actionType: action.addNote, value: 'Hello {{ item.title }}' },
      { actionType: action.createItem, value: { title: '{{ item.title }}', relation: 'child' } },
      { actionType: action.link, value: { type: 'Blocks', to: 'OPS-1' } },
      { actionType: action.addWatcher, value: `@requester ${bob.id} {{ item.key }}` },
      { actionType: action.notify, value: { to: ['@assignees'], text: 'Look' } },
    ]
    const ofBob = about('assignee', JSON.stringify([bob.id, '@me']))
    assert.deepEqual(await told(known, [about('status', '["open", "Done"]'), ofBob]), [])
    // A container without a workflow has any state.
    const free = { container: [gone.id] }
    assert.deepEqual(await told([{ actionType: action.transition, value: 'Odd' }], [about('status', 'Odd')], free), [])

    const unknown = [
      { actionType: action.setField, field: 'Colour', value: 1 },
      { actionType: action.copyFrom, field: 'title', value: 'nothing.like.it' },
      { actionType: action.transition, value: 'Odd' },
      { actionType: action.assign, value: theirs.id },
      { actionType: action.move, value: 'nowhere' },
      { actionType: action.addNote, value: 'Hello {{ item.title' },
      { actionType: action.createItem, value: { titel: 'x', containerId: theirs.id } },
      { actionType: action.link, value: { type: 'adores', to: theirs.id } },
      { actionType: action.addWatcher, value: '@boss' },
      { actionType: action.clockStart, value: group.id },
      { actionType: action.assign, value: { groupId: group.id, policy: 'tallest' } },
      { actionType: action.assign, value: `tallest ${group.id}` },
    ]
    const wrong = [about('status', 'Odd'), about('assignee', theirs.id), about('container', works.id)]
    assert.deepEqual(await told(unknown, wrong), [
      '/conditionGroup/0/condition/1/rightSide unknown-reference',
      '/conditionGroup/0/condition/0/rightSide unknown-state',
      '/actionValue/0/field unknown-field',
      '/actionValue/1/value unknown-path',
      '/actionValue/2/value unknown-state',
      '/actionValue/3/value unknown-reference',
      '/actionValue/4/value unknown-reference',
      '/actionValue/5/value template',
      '/actionValue/6/value/containerId unknown-reference',
      '/actionValue/6/value/titel unknown-field',
      '/actionValue/7/value/type unknown-link-type',
      '/actionValue/7/value/to unknown-reference',
      '/actionValue/8/value unknown-person',
      '/actionValue/9/value unknown-reference',
      '/actionValue/10/value/policy unknown-policy',
      '/actionValue/11/value unknown-policy',
    ])
    const rule = await ada.post('/rule', { name: 'Gone', active: true, container: [gone.id] })
    await ada.ask('DELETE', `/container/${gone.id}`)
    assert.deepEqual(check(await ada.get(`/rule/${rule.id}`)), ['/container/0 unknown-reference'])
  })

  test('a rule has at most 100 conditions and 50 actions', async () => {
    const condition = { leftSide: 'status', operator: operator.isEmpty, rightSide: '' }
    const groups = (count: number) => Array.from({ length: count }, () => ({ condition: Array(10).fill(condition) }))
    const closing = { actionType: action.close }
    await ada.post('/rule', {
      name: 'Full',
      conditionGroup: groups(10),
      actionValue: Array(30).fill(closing),
      actionEndpoint: Array(20).fill({ url }),
    })
    const conditions = await ada.ask('POST', '/rule', { body: { name: 'More', conditionGroup: groups(11) } })
    assert.deepEqual([conditions.status, conditions.body.code], [422, 'too-many-conditions'])
    const actions = await ada.ask('POST', '/rule', {
      body: { name: 'More', actionValue: Array(30).fill(closing), actionEndpoint: Array(21).fill({ url }) },
    })
    assert.deepEqual([actions.status, actions.body.code], [422, 'too-many-actions'])
  })

  test('an unknown owner, or one of another tenant, is refused', async () => {
    const theirs = await eve.post('/container', { name: 'Theirs' })
    const status = async (owner: number, ownerId: string) =>
      (await ada.ask('POST', '/rule', { body: { name: 'Owned', owner, ownerId } })).status
    assert.equal(await status(0, ''), 201)
    assert.equal(await status(0, ada.tenantId), 201)
    assert.equal(await status(0, eve.tenantId), 422)
    assert.equal(await status(1, theirs.id), 422)
    assert.equal(await status(4, bob.id), 201)
    assert.equal(await status(4, 'nobody'), 422)
    assert.equal(await status(4711, 'whatever'), 201)
    const { status: foreign } = await ada.ask('POST', '/rule', { body: { name: 'There', container: [theirs.id] } })
    assert.equal(foreign, 422)
  })

  test('two entries of a list cannot share an id', async () => {
    const { status, body } = await ada.ask('POST', '/rule', {
      body: { name: 'Same', actionValue: [{ id: 'a' }, { id: 'a' }], actionEndpoint: [{ id: 'b' }, { id: 'b' }] },
    })
    assert.deepEqual([status, faults(body)], [400, ['/actionValue/1/id duplicate', '/actionEndpoint/1/id duplicate']])
  })

  test('a condition needs a right side if its operator compares with one', async () => {
    const post = (name: keyof typeof operator) =>
      ada.ask('POST', '/rule', {
        body: {
          name,
          active: true,
          conditionGroup: [{ condition: [{ leftSide: 'status', operator: operator[name] }] }],
        },
      })
    for (const name of ['changed', 'notChanged', 'isEmpty', 'isNotEmpty'] as const) {
      const { status, body } = await post(name)
      assert.deepEqual([status, body.conditionGroup?.[0].condition[0].rightSide, body.check], [201, '', []], name)
    }
    const { status, body } = await post('equals')
    assert.deepEqual([status, faults(body)], [400, ['/conditionGroup/0/condition/0/rightSide required']])
  })

  test('members may read rules but not write them', async () => {
    const { id } = await ada.post('/rule', { name: 'Ours' })
    assert.equal((await bob.get(`/rule/${id}`)).name, 'Ours')
    assert.equal((await bob.ask('PUT', '/rule', { body: { id, active: true } })).status, 403)
    assert.equal((await eve.ask('PUT', '/rule', { body: { id, active: true } })).status, 404)
  })
})

describe('rules, where the operator allows internal addresses', async () => {
  const { ada } = await startTestService({ OUTBOUND_ALLOW: 'hooks.internal:9000', OUTBOUND_HTTP: 'true' })

  test('an allowed internal address is accepted, others are not', async () => {
    const status = async (given: string) =>
      (await ada.ask('POST', '/rule', { body: { name: 'In', actionEndpoint: [{ url: given }] } })).status
    assert.equal(await status('http://hooks.internal:9000/a'), 201)
    assert.equal(await status('http://hooks.internal:9001/a'), 400)
    assert.equal(await status('http://example.com/a'), 201)
  })
})
