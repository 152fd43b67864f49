import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Listener } from '../../../test/support/listener.ts'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { roleCode } from '../../kernel/access.ts'
import { operator } from '../../language/conditions/operators/operators.ts'

describe('a process that hides a field from a group', async () => {
  const { ada, bob, person } = await sharedTestService()
  const carol = await person({ name: 'Carol', role: roleCode.member })
  const boss = await person({ name: 'Boss', role: roleCode.admin })
  const guests = await ada.post('/user-group', { name: 'Guests', members: [bob.id, boss.id] })
  const margin = await ada.post('/field', { name: 'Margin', key: 'margin' })
  await ada.post('/field/formula', { name: 'Twice', key: 'twice', formula: 'estimateMinutes * 2' })
  const fields = [
    { fieldId: margin.id, hiddenFor: [guests.id], default: 'xylophone zero' },
    { fieldId: 'estimateMinutes', hiddenFor: [guests.id, '@author'] },
    { fieldId: 'points', readOnlyFor: [guests.id] },
  ]
  const deal = await ada.post('/process', { name: 'Deal', fields })
  const task = await ada.post('/process', { name: 'Task', fields: [{ fieldId: margin.id }] })
  const sales = await ada.post('/container', {
    name: 'Sales',
    processIds: [deal.id, task.id],
    defaultProcessId: deal.id,
  })
  const values = { estimateMinutes: 4711, points: 3, Field: [{ key: 'margin', value: 'xylophone' }] }
  const hidden = await ada.post('/item', { title: 'Hidden walrus', containerId: sales.id, ...values })
  const open = await ada.post('/item', { title: 'Open walrus', containerId: sales.id, processId: task.id, ...values })
  const secret = /xylophone|4711|9422/
  const status = async (who: Person, method: string, path: string, body: object) =>
    (await who.ask(method, path, { body })).status
  const ids = (list: { id: string }[]) => list.map(each => each.id).sort()

  test('shows it to its members on the items of other processes only', async () => {
    for (const path of ['', '/history', '/timeline']) {
      assert.doesNotMatch(JSON.stringify(await bob.get(`/item/${hidden.id}${path}`)), secret)
      assert.match(JSON.stringify(await bob.get(`/item/${open.id}${path}`)), secret)
      assert.match(JSON.stringify(await carol.get(`/item/${hidden.id}${path}`)), secret)
    }
    const listed = await bob.get('/item?fields=title,estimateMinutes')
    assert.deepEqual(
      listed.filter((each: { estimateMinutes?: number }) => each.estimateMinutes === 4711),
      listed.filter((each: { id: string }) => each.id === open.id),
    )
    const stream = await Listener.to(bob, '/event/stream?entity=Item')
    await ada.put(`/item/${hidden.id}`, { estimateMinutes: 1, title: 'Hidden walrus' })
    await ada.put(`/item/${hidden.id}`, { estimateMinutes: 4711, description: 'Changed' })
    await stream.count(2)
    assert.doesNotMatch(JSON.stringify(stream.received), /estimateMinutes/)
    stream.hangUp()
  })

  test('does not let them find or order its items by it', async () => {
    const found = (leftSide: string, rightSide: string) => ({
      conditionGroup: [{ condition: [{ leftSide, operator: operator.equals, rightSide }] }],
    })
    for (const asked of [
      found('field.margin', 'xylophone'),
      found('estimateMinutes', '4711'),
      found('field.twice', '9422'),
    ]) {
      assert.deepEqual(ids(await bob.post('/item/search', asked)), [open.id])
      assert.deepEqual(ids(await carol.post('/item/search', asked)), [hidden.id, open.id])
    }
    assert.deepEqual(ids(await bob.get('/item?sort=margin&title[contains]=walrus')), [hidden.id, open.id])
    assert.deepEqual(await bob.get('/search?q=xylophone'), [])
    assert.equal((await bob.ask('GET', '/item?estimateMinutes=4711')).status, 400)
  })

  test('lets them write neither a hidden nor a read-only field, and fills in its defaults', async () => {
    const own = { estimateMinutes: 1, points: 1, Field: [{ key: 'margin', value: 'mine' }] }
    for (const [property, value] of Object.entries(own)) {
      assert.equal(await status(bob, 'PATCH', `/item/${hidden.id}`, { [property]: value }), 403, property)
      assert.equal(await status(bob, 'PATCH', `/item/${open.id}`, { [property]: value }), 200, property)
      const body = { title: 'New', containerId: sales.id, [property]: value }
      assert.equal(await status(bob, 'POST', '/item', body), 403, property)
    }
    const made = await bob.post('/item', { title: 'New', containerId: sales.id })
    assert.doesNotMatch(JSON.stringify(made), secret)
    assert.equal((await ada.get(`/item/${made.id}`)).Field[0].value, 'xylophone zero')
    assert.equal(await status(bob, 'PATCH', `/item/${hidden.id}`, { title: 'Hidden walrus', severity: 2 }), 200)
    assert.equal((await bob.get(`/item/${hidden.id}`)).points, 3)
  })

  test('lets them copy an item, whose copy keeps it and hides it, unless they would see it there', async () => {
    const shown = async (who: Person, id: string) => {
      const { estimateMinutes, points, Field } = await who.get(`/item/${id}`)
      return [estimateMinutes, points, Field[0]?.value]
    }
    const there = await ada.post('/container', { name: 'Elsewhere', processIds: [task.id], defaultProcessId: task.id })
    const far = await bob.post(`/item/${hidden.id}/copy`, { containerId: there.id })
    assert.doesNotMatch(JSON.stringify(far), secret)
    assert.match(far.warnings.join(), /estimateMinutes is hidden from you.*margin is hidden from you/)
    assert.deepEqual(await shown(ada, far.id), [0, 3, undefined])
    const near = await bob.post(`/item/${hidden.id}/copy`, {})
    assert.doesNotMatch(JSON.stringify(near), secret)
    assert.deepEqual([near.warnings, await shown(ada, near.id)], [[], [4711, 3, 'xylophone']])
    const whole = await carol.post(`/item/${hidden.id}/copy`, { containerId: there.id })
    assert.deepEqual([whole.warnings, await shown(bob, whole.id)], [[], [4711, 3, 'xylophone']])
    const crmId = (await ada.post('/finance/crm', { name: 'Xylophone makers' })).id
    await ada.put(`/process/${deal.id}`, { fields: [...fields, { fieldId: 'crmId', hiddenFor: [guests.id] }] })
    await ada.put(`/item/${hidden.id}`, { crmId })
    const part = await bob.post(`/item/${hidden.id}/split`, { title: 'Part' })
    const away = await bob.post(`/item/${hidden.id}/split`, { title: 'Away', containerId: there.id })
    assert.deepEqual([part.warnings, (await ada.get(`/item/${part.id}`)).crmId], [[], crmId])
    assert.match(away.warnings.join(), /crmId is hidden/)
    assert.equal((await ada.get(`/item/${away.id}`)).crmId, '')
    assert.equal(await status(bob, 'POST', `/item/${hidden.id}/move`, { containerId: there.id }), 403)
    await ada.put(`/item/${hidden.id}`, { crmId: '' })
    await ada.put(`/process/${deal.id}`, { fields })
    const lead = await person({ name: 'Lead', role: roleCode.manager })
    await ada.put(`/user-group/${guests.id}`, { members: [bob.id, boss.id, lead.id] })
    const copied = await lead.post(`/container/${sales.id}/copy`, { name: 'Sales again' })
    const [again] = await ada.get(`/item?containerId=${copied.id}&title=${hidden.title}`)
    assert.deepEqual([copied.warnings, await shown(ada, again.id)], [[], [4711, 3, 'xylophone']])
    assert.doesNotMatch(JSON.stringify(await lead.get(`/item/${again.id}`)), secret)
  })

  test('hides it from the author of an item, if it names them', async () => {
    const made = await carol.post('/item', { title: 'Own', containerId: sales.id })
    await ada.put(`/item/${made.id}`, { estimateMinutes: 4711 })
    assert.equal('estimateMinutes' in (await carol.get(`/item/${made.id}`)), false)
    assert.equal((await carol.get(`/item/${hidden.id}`)).estimateMinutes, 4711)
  })

  test('is not left to see the field, nor changed by those whom it binds', async () => {
    assert.equal(await status(bob, 'PATCH', `/item/${hidden.id}`, { processId: task.id }), 403)
    assert.equal(await status(carol, 'PATCH', `/item/${hidden.id}`, { processId: task.id }), 200)
    assert.equal(await status(boss, 'PATCH', `/process/${deal.id}`, { fields: fields.slice(1) }), 403)
    assert.equal(await status(boss, 'PATCH', `/process/${deal.id}`, { name: 'Big deal', fields }), 200)
    assert.equal(await status(ada, 'PATCH', `/process/${deal.id}`, { fields: fields.slice(1) }), 200)
  })
})
