import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Person, sharedTestService } from '../../../test/support/people.ts'
import { createTenant } from '../../app/seed-tenant.ts'
import { roleCode } from '../../kernel/access.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { token } from './tokens.ts'

const { ada, bob, eve, database, base } = await sharedTestService()
const text = async (who: Person, query = '') => JSON.stringify(await who.get(`/config/export${query}`))

/** Creates a new tenant and returns its super admin. */
async function newcomer(name: string): Promise<Person> {
  const { RawKey, userId, tenantId } = await createTenant(database, {
    name,
    email: `${name}@example.com`,
    keyName: 'k',
    startHere: false,
  })
  return new Person(base, RawKey, userId, tenantId)
}

/** Creates a realistic configuration, with all forms of references between kinds. */
async function seedTenant(who: Person): Promise<void> {
  const agents = await who.post('/user-group', { name: 'Agents', members: [who.id] })
  await who.post('/user-group', { name: 'Above', description: 'comes first, lies in the other' })
  await who.post('/user-group', { name: 'A child', parentId: agents.id })
  const effort = await who.post('/field', { name: 'Effort', fieldType: 'number' })
  const size = await who.post('/field/select', { name: 'Size', options: [{ label: 'S' }, { label: 'L' }] })
  const process = await who.post('/process', {
    name: 'Bug',
    key: 'bug',
    fields: [{ fieldId: effort.id, required: true }, { fieldId: 'size' }],
    workflow: [
      { fieldId: 'status', value: 'New', next: 'Done', userGroup: [agents.id], initial: true },
      { fieldId: 'status', value: 'Done', next: '', category: 2 },
    ],
  })
  const desk = await who.post('/container', { name: 'Desk', key: 'DESK', kind: 1, processIds: [process.id] })
  const clock = await who.post('/clock', { name: 'Office', timezone: 'Europe/Berlin', container: [desk.id] })
  await who.put(`/container/${desk.id}`, { clockId: clock.id, defaultProcessId: process.id })
  await who.post('/clock', {
    name: 'Always somebody',
    regions: [{ name: 'Berlin', clockId: clock.id, groupId: agents.id }],
  })
  const europe = await who.post('/area', { name: 'Europe', owner: ownerKind.container, ownerId: desk.id })
  await who.post('/area', { name: 'Germany', owner: ownerKind.container, ownerId: desk.id, parentId: europe.id })
  await who.post('/label', { name: 'urgent', color: '#c00' })
  await who.post('/label', { name: 'urgent', owner: ownerKind.container, ownerId: desk.id })
  const screen = await who.post('/screen', {
    name: 'Done',
    moment: 4,
    processId: process.id,
    sections: [{ title: 'How', fields: [{ fieldId: size.id }] }],
  })
  await who.put(`/process/${process.id}`, {
    workflow: process.workflow.map((step: { value: string }) =>
      step.value === 'Done' ? { ...step, screenId: screen.id } : step,
    ),
  })
  await who.post('/constraint', {
    name: 'Dated',
    owner: ownerKind.container,
    ownerId: desk.id,
    then: [{ kind: 0, field: 'dueDate' }],
  })
  await who.post('/content-template', {
    name: 'Hello',
    body: `Hello {{ requester.name }}, ${token('User', 'x')} stays`,
  })
  await who.post('/board', {
    name: 'Board',
    owner: ownerKind.container,
    ownerId: desk.id,
    criteria: { conditionGroup: [{ condition: [{ leftSide: `field.${effort.id}`, operator: 4, rightSide: '3' }] }] },
  })
  for (const active of [true, false])
    await who.post('/rule', {
      name: 'Route',
      active,
      container: [desk.id],
      conditionGroup: [{ condition: [{ leftSide: 'assignee', operator: 28, rightSide: `["${agents.id}"]` }] }],
      actionValue: [{ actionType: 7, value: agents.id }],
    })
  await who.post('/notification', { name: 'Weekly', interval: 5, recipientUserGroup: [agents.id] })
  await who.post('/access-control', {
    userGroupId: agents.id,
    owner: ownerKind.container,
    ownerId: desk.id,
    role: roleCode.member,
  })
  await who.post('/admin/setting', { key: 'ticket.reopenDays', value: 14 })
  await who.post('/admin/setting', { key: 'custom.place', value: { at: desk.id } })
}

await seedTenant(ada)

describe('a configuration', () => {
  test('contains no ids of the tenant, and is the same text each time', async () => {
    const once = await text(ada)
    assert.equal(await text(ada), once)
    const { kinds } = JSON.parse(once)
    for (const entity of ['Process', 'Field', 'Container', 'Area', 'Rule'])
      for (const record of await ada.get(`/${entity.toLowerCase()}`)) assert.ok(!once.includes(record.id), entity)
    assert.ok(!once.includes(ada.tenantId) && !once.includes(ada.id))
    assert.deepEqual(Object.keys(kinds.Area), ['DESK / Europe', 'DESK / Europe / Germany'])
    assert.equal(kinds.Area['DESK / Europe / Germany'].parentId, token('Area', 'DESK / Europe'))
    assert.deepEqual(Object.keys(kinds.Rule), ['Route', 'Route (2)'])
    assert.equal(
      kinds.Board['DESK / Board'].criteria.conditionGroup[0].condition[0].leftSide,
      `field.${token('Field', 'effort')}`,
    )
    assert.equal(kinds.Rule.Route.conditionGroup[0].condition[0].rightSide, `["${token('UserGroup', 'Agents')}"]`)
    assert.ok(kinds.ContentTemplate.Hello.body.includes(`$${token('User', 'x')} stays`))
    assert.equal('members' in kinds.UserGroup.Agents, false)
    const withMembers = await ada.get('/config/export?members=true')
    assert.match(withMembers.kinds.UserGroup.Agents.members[0], /^\$\{User:.+@.+\}$/)
  })

  test('changes nothing when it is applied to its own tenant', async () => {
    const document = await ada.get('/config/export')
    const { steps, warnings } = await ada.post('/config/plan', { document })
    assert.deepEqual([steps, warnings], [[], []])
    const { applied } = await ada.post('/config/apply', { document, remove: true })
    assert.equal(applied, 0)
  })

  test('is reproduced in an empty tenant, and can be reverted there', async () => {
    const zoe = await newcomer('zoe')
    const [document, empty] = [await ada.get('/config/export'), await text(zoe)]
    const plan = await zoe.post('/config/plan', { document })
    assert.ok(
      plan.steps.some((each: { kind: string; action: string }) => each.kind === 'Process' && each.action === 'add'),
    )
    const { status, headers, body } = await zoe.ask('POST', '/config/apply', {
      body: { document, planHash: plan.planHash },
    })
    assert.equal(status, 200, JSON.stringify(body))
    assert.ok((await text(zoe)) === JSON.stringify(document), 'the same text')
    const set = headers.get('change-set')
    const undone = await zoe.ask('POST', `/change/${set}/undo`)
    assert.equal(undone.status, 200, JSON.stringify(undone.body))
    assert.ok((await text(zoe)) === empty, 'the configuration is empty again')
  })

  test('is refused if the plan differs from the reviewed one', async () => {
    const yan = await newcomer('yan')
    const document = { format: 'gantry-configuration', version: 1, kinds: { Label: { late: { name: 'late' } } } }
    const { planHash } = await yan.post('/config/plan', { document })
    await yan.post('/label', { name: 'late', color: 'red' })
    const { status, body } = await yan.ask('POST', '/config/apply', { body: { document, planHash } })
    assert.deepEqual([status, body.code], [409, 'plan-outdated'])
    assert.equal((await yan.ask('POST', '/config/apply', { body: { document } })).status, 200)
  })

  test('has a plan that lists changes, removals and the records that refer to them', async () => {
    const xia = await newcomer('xia')
    await seedTenant(xia)
    const desk = (await xia.get('/container')).find((each: { key: string }) => each.key === 'DESK')
    await xia.post('/item', {
      title: 'One',
      containerId: desk.id,
      dueDate: '2026-12-01',
      Field: [{ fieldId: 'effort', value: 2 }],
    })
    const document = await xia.get('/config/export')
    document.kinds.Process.bug.description = 'What is broken'
    delete document.kinds.Label.urgent
    const { steps } = await xia.post('/config/plan', { document })
    assert.deepEqual(
      steps.map(({ id: _id, ...rest }: { id: string }) => rest),
      [
        {
          kind: 'Process',
          key: 'bug',
          action: 'change',
          changes: { description: { from: '', to: 'What is broken' } },
          affected: [{ entity: 'Item', count: 1 }],
        },
        { kind: 'Label', key: 'urgent', action: 'remove', changes: {}, affected: [] },
      ],
    )
    await xia.post('/config/apply', { document })
    assert.equal((await xia.get('/label')).length, 2)
    await xia.post('/config/apply', { document, remove: true })
    assert.equal((await xia.get('/label')).length, 1)
  })

  test('with faults is refused as a whole, and all faults are reported', async () => {
    const kinds = {
      Label: { a: { name: 1 }, b: { nam: 'x' } },
      Nonsense: {},
      Container: { X: { name: 'X', key: 'X', processIds: [token('Process', 'none')] } },
    }
    const document = { format: 'gantry-configuration', version: 1, kinds }
    for (const path of ['/config/plan', '/config/apply']) {
      const { status, body } = await eve.ask('POST', path, { body: { document } })
      assert.equal(status, 400)
      const pointers = body.Fields.map((each: { Pointer: string }) => each.Pointer)
      for (const wanted of [
        '/document/kinds/Label/a/name',
        '/document/kinds/Label/b/nam',
        '/document/kinds/Nonsense',
        '/document/kinds/Container/X/processIds/0',
      ])
        assert.ok(pointers.includes(wanted), `${wanted} in ${pointers}`)
    }
    const late = {
      format: 'gantry-configuration',
      version: 1,
      kinds: { Label: { ok: { name: 'ok' } }, Container: { x: { name: 'x', key: '9' } } },
    }
    const { status, body } = await eve.ask('POST', '/config/apply', { body: { document: late } })
    assert.deepEqual([status, body.Fields[0].Pointer], [400, '/document/kinds/Container/x/key'])
    assert.equal((await eve.get('/label')).length, 0)
    assert.equal((await eve.ask('POST', '/config/plan', { body: { document: { kinds: {} } } })).status, 400)
  })

  test('contains no secrets: new records are created without them, with a warning', async () => {
    const will = await newcomer('will')
    await will.post('/admin/setting', { key: 'custom.token', secret: true, value: 'c4n4ry' })
    await will.post('/rule', {
      name: 'Call',
      actionEndpoint: [{ actionType: 40, url: 'https://example.com/x', httpHeader: ['Authorization: c4n4ry'] }],
    })
    const document = await will.get('/config/export')
    assert.ok(!JSON.stringify(document).includes('c4n4ry'))
    const vera = await newcomer('vera')
    const { warnings } = await vera.post('/config/apply', { document })
    assert.deepEqual(
      warnings.map((each: { code: string; pointer: string }) => [each.code, each.pointer]),
      [
        ['secret-missing', '/document/kinds/Rule/Call/actionEndpoint/0/httpHeader/0'],
        ['secret-missing', '/document/kinds/AppSetting/custom.token/value'],
      ],
    )
    assert.equal((await will.post('/config/apply', { document })).applied, 0)
  })

  test('is available only to admins', async () => {
    assert.equal((await bob.ask('GET', '/config/export')).status, 403)
    const document = { format: 'gantry-configuration', version: 1, kinds: {} }
    assert.equal((await bob.ask('POST', '/config/plan', { body: { document } })).status, 403)
    assert.equal((await bob.ask('POST', '/config/apply', { body: { document } })).status, 403)
  })
})
