import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { demandCode } from '../../containers/constraint/constraint.ts'
import { itemPriority } from '../../containers/item-property/priority.ts'
import { operator as operatorCode } from '../../language/conditions/conditions.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { severities } from '../../time/time-limits.ts'

const { ada, bob, eve } = await sharedTestService()

interface Fault {
  Field: string
  Code: string
  Message: string
}

const says = (leftSide: string, rightSide: string, operator = operatorCode.equals) => [
  { condition: [{ leftSide, rightSide, operator }] },
]
const faults = (body: { Fields: Fault[] }) => body.Fields.map(each => `${each.Field} ${each.Code}`)

let count = 0

/** A container of its own for each test, with a constraint on it. */
async function desk(constraint: object) {
  const container = await ada.post('/container', { name: `Desk ${++count}` })
  const made = await ada.post('/constraint', {
    name: `Rule ${count}`,
    owner: ownerKind.container,
    ownerId: container.id,
    ...constraint,
  })
  const create = (body: object) =>
    ada.ask('POST', '/item', { body: { title: 'Work', containerId: container.id, ...body } })
  return { container, constraint: made, create }
}

describe('a constraint', () => {
  test('requires a field if its conditions hold, on creation and on change', async () => {
    const { create } = await desk({
      when: says('priority', '1'),
      then: [{ kind: demandCode.required, field: 'dueDate' }],
    })
    const refused = await create({ priority: itemPriority.urgent })
    assert.equal(refused.status, 422)
    assert.equal(refused.body.code, 'constraint-broken')
    assert.deepEqual(faults(refused.body), ['dueDate required'])
    assert.equal((await create({ priority: itemPriority.urgent, dueDate: '2026-05-01' })).status, 201)
    const { body: calm } = await create({ priority: itemPriority.medium })
    const changed = await ada.ask('PATCH', `/item/${calm.id}`, { body: { priority: itemPriority.urgent } })
    assert.equal(changed.status, 422)
    assert.equal((await ada.get(`/item/${calm.id}`)).priority, itemPriority.medium)
    assert.equal((await ada.ask('PATCH', `/item/${calm.id}`, { body: { title: 'Still calm' } })).status, 200)
  })

  test('reports all broken demands at once, with its own message', async () => {
    const { create } = await desk({
      message: 'Ask the desk',
      then: [
        { kind: demandCode.required, field: 'assignees' },
        { kind: demandCode.required, field: 'estimateMinutes' },
        { kind: demandCode.pattern, field: 'title', value: '^[A-Z]{3} ' },
      ],
    })
    const { status, body } = await create({ title: 'no code' })
    assert.equal(status, 422)
    assert.deepEqual(faults(body), ['assignees required', 'estimateMinutes required', 'title pattern'])
    assert.deepEqual(new Set(body.Fields.map((each: Fault) => each.Message)), new Set(['Ask the desk']))
    assert.equal(body.constraints.length, 1)
    assert.equal((await create({ title: 'ABC it works', assignees: [bob.id], estimateMinutes: 5 })).status, 201)
  })

  test('only warns with the severity for warnings', async () => {
    const { create } = await desk({
      severity: severities.warn,
      then: [{ kind: demandCode.required, field: 'dueDate' }],
      message: 'No date',
    })
    const { status, body } = await create({})
    assert.equal(status, 201)
    assert.deepEqual(body.warnings, [`Rule ${count}: No date`])
    const again = await ada.ask('PATCH', `/item/${body.id}`, { body: { title: 'Later' } })
    assert.equal(again.status, 200)
    assert.deepEqual(again.body.warnings, [`Rule ${count}: No date`])
  })

  test('allows only the given values', async () => {
    const { create } = await desk({
      then: [
        { kind: demandCode.allowed, field: 'status', value: ['Open', 'Done'] },
        { kind: demandCode.allowed, field: 'Tags', value: ['red', 'blue'] },
        { kind: demandCode.pattern, field: 'points', value: '1..5' },
      ],
    })
    const fine = await create({ status: 'OPEN', Tags: ['Red'], points: 3 })
    assert.equal(fine.status, 201, JSON.stringify(fine.body))
    assert.deepEqual(faults((await create({ status: 'Lost', Tags: ['red', 'green'], points: 8 })).body), [
      'status allowed-values',
      'Tags allowed-values',
      'points pattern',
    ])
    assert.equal((await create({ points: 1 })).status, 201, 'what is empty is not asked')
  })

  test('accepts custom fields by key, and options by id and label', async () => {
    const size = await ada.post('/field/select', {
      name: `Size ${count}`,
      options: [
        { id: 's', label: 'Small' },
        { id: 'l', label: 'Large' },
      ],
    })
    const { create } = await desk({
      then: [
        { kind: demandCode.allowed, field: size.key, value: ['Small'] },
        { kind: demandCode.required, field: `field.${size.key}` },
      ],
    })
    assert.deepEqual(
      faults((await create({})).body),
      [`Field.${size.key} required`].map(each => each.replace('Field.', 'Field.field.')),
    )
    assert.deepEqual(faults((await create({ Field: [{ key: size.key, value: 'l' }] })).body), [
      `Field.${size.key} allowed-values`,
    ])
    assert.equal((await create({ Field: [{ key: size.key, value: 'small' }] })).status, 201)
  })

  test('does not require a field that the container does not have', async () => {
    const field = await ada.post('/field', { name: `Elsewhere ${count}` })
    const process = await ada.post('/process', { name: 'Bug', fields: [] })
    const { container, create } = await desk({ then: [{ kind: demandCode.required, field: field.key }] })
    assert.equal((await create({})).status, 422)
    await ada.put(`/container/${container.id}`, { processIds: [process.id] })
    assert.equal((await create({})).status, 201)
  })

  test('makes a field immutable, always or after a state', async () => {
    const { create } = await desk({
      then: [
        { kind: demandCode.readOnly, field: 'requesterId' },
        { kind: demandCode.immutable, field: 'dueDate', value: ['Done'] },
      ],
    })
    const { status, body: item } = await create({ requesterId: ada.id, dueDate: '2026-05-01' })
    assert.equal(status, 201)
    const taken = await ada.ask('PATCH', `/item/${item.id}`, { body: { requesterId: bob.id } })
    assert.deepEqual(faults(taken.body), ['requesterId read-only'])
    await ada.must('PATCH', `/item/${item.id}`, { body: { dueDate: '2026-05-02', status: 'Done' } })
    const late = await ada.ask('PATCH', `/item/${item.id}`, { body: { dueDate: '2026-05-03' } })
    assert.deepEqual(faults(late.body), ['dueDate immutable'])
    await ada.must('PATCH', `/item/${item.id}`, { body: { status: 'Open' } })
    await ada.must('PATCH', `/item/${item.id}`, { body: { dueDate: '2026-05-03' } })
  })

  test('makes a closed item immutable, except that it can be reopened', async () => {
    const { create } = await desk({ then: [{ kind: demandCode.immutable, field: '*' }] })
    const { body: item } = await create({ status: 'Done' })
    assert.equal((await ada.ask('PATCH', `/item/${item.id}`, { body: { title: 'Other' } })).status, 422)
    await ada.must('PATCH', `/item/${item.id}`, { body: { status: 'Open' } })
    await ada.must('PATCH', `/item/${item.id}`, { body: { title: 'Other' } })
  })

  test('keeps dates in order', async () => {
    const when = await ada.post('/field/date', { name: `Review ${count}` })
    const { create } = await desk({ then: [{ kind: demandCode.order, field: when.key, value: 'dueDate' }] })
    const Field = [{ key: when.key, value: '2026-05-09' }]
    assert.equal((await create({ Field, dueDate: '2026-05-01' })).status, 422)
    assert.equal((await create({ Field, dueDate: '2026-05-09' })).status, 201)
    assert.equal((await create({ Field })).status, 201, 'without one of them there is no order')
  })

  test('applies to its owner only', async () => {
    await desk({ then: [{ kind: demandCode.required, field: 'dueDate' }] })
    await ada.post('/item', { title: 'Elsewhere' })
    const area = await ada.post('/area', { name: 'North', owner: ownerKind.tenant })
    const below = await ada.post('/area', { name: 'Arctic', owner: ownerKind.tenant, parentId: area.id })
    await ada.post('/constraint', {
      name: 'Cold',
      owner: ownerKind.area,
      ownerId: area.id,
      then: [{ kind: demandCode.required, field: 'dueDate' }],
    })
    assert.equal((await ada.ask('POST', '/item', { body: { title: 'Ice', areaId: below.id } })).status, 422)
    assert.equal((await ada.ask('POST', '/item', { body: { title: 'Sand' } })).status, 201)
    assert.equal((await eve.ask('POST', '/item', { body: { title: 'Other tenant' } })).status, 201)
  })

  test('that is deactivated or deleted has no effect from then on', async () => {
    const { create, constraint } = await desk({ then: [{ kind: demandCode.required, field: 'dueDate' }] })
    assert.equal((await create({})).status, 422)
    await ada.put(`/constraint/${constraint.id}`, { active: false })
    assert.equal((await create({})).status, 201)
    await ada.put(`/constraint/${constraint.id}`, { active: true })
    assert.equal((await create({})).status, 422)
    await ada.delete(`/constraint/${constraint.id}`)
    assert.equal((await create({})).status, 201)
  })

  test('only warns about imports, unless it names them, and only for callers who may import', async () => {
    const { container, constraint, create } = await desk({ then: [{ kind: demandCode.required, field: 'dueDate' }] })
    const Meta = { source: 'old', externalId: `${count}` }
    const brought = await create({ Meta })
    assert.equal(brought.status, 201)
    assert.equal(brought.body.warnings.length, 1)
    const body = { title: 'Sneaked in', containerId: container.id, Meta: { source: 'bob', externalId: `${count}` } }
    assert.equal((await bob.ask('POST', '/item', { body })).status, 422)
    await ada.put(`/constraint/${constraint.id}`, { enforceOn: [2] })
    assert.equal((await create({ Meta: { ...Meta, externalId: `${count}b` } })).status, 422)
    assert.equal((await create({})).status, 201, 'enforced on imports alone')
  })

  test('is applied to each item of a bulk change independently', async () => {
    const { container } = await desk({
      when: says('priority', '1'),
      then: [{ kind: demandCode.required, field: 'dueDate' }],
    })
    const rows = [
      { title: 'Fine', containerId: container.id },
      { title: 'Urgent', containerId: container.id, priority: itemPriority.urgent },
      { title: 'Fine too', containerId: container.id },
    ]
    const made = await ada.must('POST', '/item/bulk', { body: rows })
    assert.deepEqual(
      made.map((each: { outcome: string; code?: string }) => each.code ?? each.outcome),
      ['created', 'constraint-broken', 'created'],
    )
    const ids = [made[0].id, made[2].id]
    const changed = await ada.must('PATCH', '/item', { body: { ids, patch: { priority: itemPriority.urgent } } })
    assert.deepEqual(
      changed.map((each: { code: string }) => each.code),
      ['constraint-broken', 'constraint-broken'],
    )
  })
})

describe('a limit', () => {
  test('counts the open items of a status, and keeps items that are already in it', async () => {
    const { create } = await desk({ then: [{ kind: demandCode.limit, value: { limit: 2, by: 'status' } }] })
    const made = [await create({ status: 'Doing' }), await create({ status: 'Doing' })]
    assert.deepEqual(
      made.map(each => each.status),
      [201, 201],
    )
    const third = await create({ status: 'doing' })
    assert.deepEqual([third.status, third.body.Fields[0].Code], [422, 'limit'])
    const { body: other } = await create({ status: 'Open' })
    assert.equal((await ada.ask('PATCH', `/item/${other.id}`, { body: { status: 'Doing' } })).status, 422)
    const [first] = made
    await ada.must('PATCH', `/item/${first?.body.id}`, { body: { title: 'Renamed in a full column' } })
    await ada.must('PATCH', `/item/${first?.body.id}`, { body: { status: 'Done' } })
    await ada.must('PATCH', `/item/${other.id}`, { body: { status: 'Doing' } })
  })

  test('counts for each assignee', async () => {
    const { create } = await desk({ then: [{ kind: demandCode.limit, value: { limit: 1, by: 'assignee' } }] })
    assert.equal((await create({ assignees: [ada.id] })).status, 201)
    assert.equal((await create({ assignees: [bob.id] })).status, 201)
    assert.equal((await create({ assignees: [bob.id, ada.id] })).status, 422)
    assert.equal((await create({})).status, 201)
  })

  test('accepts as many items of a batch as the limit allows', async () => {
    const { container } = await desk({ then: [{ kind: demandCode.limit, value: 3 }] })
    const rows = Array.from({ length: 5 }, (_, i) => ({ title: `Row ${i}`, containerId: container.id }))
    const made = await ada.must('POST', '/item/bulk', { body: rows })
    assert.deepEqual(
      made.map((each: { outcome: string }) => each.outcome),
      ['created', 'created', 'created', 'failed', 'failed'],
    )
  })

  test('is not exceeded by twenty concurrent requests', async () => {
    const { container, create } = await desk({ then: [{ kind: demandCode.limit, value: { limit: 3, by: 'status' } }] })
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ status: 'Doing' })))
    assert.deepEqual(answers.map(each => each.status).sort(), [...Array(3).fill(201), ...Array(17).fill(422)])
    assert.equal((await ada.get(`/item?containerId=${container.id}`)).length, 3)
  })
})

describe('a unique value', () => {
  test('belongs to one item, case-insensitively, and can pass to another', async () => {
    const serial = await ada.post('/field', { name: `Serial ${count}` })
    const { create } = await desk({ then: [{ kind: demandCode.unique, field: serial.key }] })
    const Field = [{ key: serial.key, value: 'AB-1' }]
    const { body: first } = await create({ Field })
    const second = await create({ Field: [{ key: serial.key, value: 'ab-1' }] })
    assert.deepEqual([second.status, second.body.Fields[0].Code], [422, 'unique'])
    assert.equal((await create({})).status, 201)
    assert.equal((await create({})).status, 201, 'nothing is not a value')
    await ada.must('PATCH', `/item/${first.id}`, { body: { title: 'Itself' } })
    await ada.must('PATCH', `/item/${first.id}`, { body: { Field: null } })
    assert.equal((await create({ Field })).status, 201)
  })

  test('is unique within its scope', async () => {
    const serial = await ada.post('/field', { name: `Number ${count}` })
    await ada.post('/constraint', {
      name: 'Once in each container',
      then: [{ kind: demandCode.unique, field: serial.key, value: { scope: 'container' } }],
    })
    const [a, b] = [
      await ada.post('/container', { name: 'Scope A' }),
      await ada.post('/container', { name: 'Scope B' }),
    ]
    const Field = [{ key: serial.key, value: '7' }]
    const at = (containerId: string) => ada.ask('POST', '/item', { body: { title: 'x', containerId, Field } })
    assert.deepEqual([(await at(a.id)).status, (await at(b.id)).status, (await at(a.id)).status], [201, 201, 422])
  })

  test('is accepted for one of twenty concurrent requests', async () => {
    const { create } = await desk({ then: [{ kind: demandCode.unique, field: 'title' }] })
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ title: 'The only one' })))
    assert.equal(answers.filter(each => each.status === 201).length, 1)
    assert.equal(answers.filter(each => each.status === 422).length, 19)
  })

  test('is accepted once in a batch', async () => {
    const { container } = await desk({ then: [{ kind: demandCode.unique, field: 'title' }] })
    const rows = ['a', 'b', 'A'].map(title => ({ title, containerId: container.id }))
    const made = await ada.must('POST', '/item/bulk', { body: rows })
    assert.deepEqual(
      made.map((each: { outcome: string }) => each.outcome),
      ['created', 'created', 'failed'],
    )
  })
})

describe('the evaluation of a constraint', () => {
  test('lists the items that would break a constraint that is not stored', async () => {
    const container = await ada.post('/container', { name: 'Trial' })
    for (const dueDate of ['2026-05-01', null, null])
      await ada.post('/item', { title: 'Same', containerId: container.id, dueDate })
    const trial = (constraint: object) => ada.post('/constraint/dry-run', { constraint, containerId: container.id })
    const dates = await trial({ then: [{ kind: demandCode.required, field: 'dueDate' }] })
    assert.equal(dates.count, 2)
    assert.deepEqual(dates.items[0].broken, [
      { kind: demandCode.required, field: 'dueDate', message: 'dueDate is required' },
    ])
    assert.equal((await trial({ then: [{ kind: demandCode.unique, field: 'title' }] })).count, 3)
    assert.equal((await trial({ then: [{ kind: demandCode.limit, value: 2 }] })).count > 0, true)
    const none = await trial({ when: says('no.such.path', 'x'), then: [{ kind: demandCode.readOnly, field: 'title' }] })
    assert.deepEqual(
      none.findings.map((each: { code: string }) => each.code),
      ['unknown-path', 'changes-only'],
    )
  })

  test('reports whether one item breaks a stored constraint', async () => {
    const { constraint, container } = await desk({
      active: false,
      then: [{ kind: demandCode.required, field: 'dueDate' }],
    })
    const item = await ada.post('/item', { title: 'No date', containerId: container.id })
    assert.equal((await ada.post(`/constraint/${constraint.id}/try`, { itemId: item.id })).count, 1)
    const foreign = await eve.post('/item', { title: 'Foreign' })
    const answer = await ada.ask('POST', `/constraint/${constraint.id}/try`, { body: { itemId: foreign.id } })
    assert.deepEqual([answer.status, answer.body.code], [422, 'unknown-reference'])
  })
})

describe('a part of a constraint without effect', () => {
  test('is reported as a finding and refuses nothing', async () => {
    const { constraint, create } = await desk({
      enforceOn: [9],
      when: says('nothing.like.it', 'x'),
      then: [
        { kind: 99, field: 'title' },
        { kind: demandCode.required, field: 'nothing' },
        { kind: demandCode.limit, value: 'many' },
      ],
    })
    assert.deepEqual(
      constraint.check.map((each: { path: string }) => each.path),
      ['/enforceOn/0', '/when/0/condition/0/leftSide', '/then/0/kind', '/then/1/field', '/then/2/value'],
    )
    assert.equal((await create({})).status, 201)
    const odd = await desk({
      then: [
        { kind: demandCode.pattern, field: 'title', value: '(?=x)' },
        { kind: demandCode.pattern, field: 'points', value: 'x' },
        { kind: demandCode.order, field: 'title', value: 'dueDate' },
      ],
    })
    assert.equal((await odd.create({ points: 3 })).status, 201)
  })
})

describe('limits on time', () => {
  const at = (start: string, end: string) => ({ start: `2026-03-31T${start}:00Z`, end: `2026-03-31T${end}:00Z` })

  test('refuse overlapping time entries of a user', async () => {
    const { container, constraint, create } = await desk({ then: [{ kind: demandCode.noOverlap }] })
    assert.equal((await create({ Time: [at('09:00', '10:00'), at('10:00', '11:00')] })).status, 201)
    const twice = await create({ Time: [at('10:30', '11:30')] })
    assert.deepEqual([twice.status, twice.body.code, faults(twice.body)], [422, 'constraint-broken', ['Time overlap']])
    const { body: item } = await create({})
    const added = await ada.ask('PATCH', `/item/${item.id}`, { body: { Time: [at('09:30', '09:45')] } })
    assert.equal(added.status, 422)
    const booked = await ada.ask('POST', '/time', { body: { itemId: item.id, ...at('10:59', '11:01') } })
    assert.deepEqual([booked.status, booked.body.code], [422, 'constraint-broken'])
    const fine = await ada.post('/time', { itemId: item.id, ...at('11:00', '11:30') })
    assert.equal((await ada.ask('PUT', `/time/${fine.id}`, { body: at('10:30', '11:30') })).status, 422)
    assert.equal((await bob.ask('POST', '/time', { body: { itemId: item.id, ...at('09:00', '12:00') } })).status, 201)
    await ada.delete(`/constraint/${constraint.id}`)
    assert.equal(container.id, item.containerId)
  })

  test('refuse more than the maximum per day, also in concurrent requests', async () => {
    const { create } = await desk({ then: [{ kind: demandCode.maximum, value: { minutes: 60, per: 'day' } }] })
    const { body: item } = await create({})
    const book = () => bob.ask('POST', '/time', { body: { itemId: item.id, date: '2026-03-30', minutes: 20 } })
    const answers = await Promise.all(Array.from({ length: 8 }, book))
    assert.deepEqual(answers.map(each => each.status).sort(), [...Array(3).fill(201), ...Array(5).fill(422)])
    const other = await bob.ask('POST', '/time', { body: { itemId: item.id, date: '2026-03-29', minutes: 60 } })
    assert.equal(other.status, 201)
  })

  test('have findings for parts without effect', async () => {
    const { constraint } = await desk({
      when: says('priority', '1'),
      then: [{ kind: demandCode.noOverlap }, { kind: demandCode.maximum, value: 'much' }],
    })
    assert.deepEqual(
      constraint.check.map((each: { path: string }) => each.path),
      ['/then/0', '/then/1', '/then/1/value'],
    )
  })
})
