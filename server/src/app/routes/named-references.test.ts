import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'

describe('a record is named', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const rita = await person({ name: 'Rita', role: roleCode.requester, kind: userKind.requester })
  const desk = await ada.post('/container', { name: 'Named desk', kind: containerKind.desk })
  const email = 'Named.Bob@example.com'
  await ada.put(`/user/${bob.id}`, { email })
  const parent = await ada.post('/item', { title: 'Parent', containerId: desk.id, assignees: [email.toUpperCase()] })
  const child = await ada.post('/item', { title: 'Child', containerId: desk.id, parentId: parent.key.toLowerCase() })
  const ids = (list: { id: string }[]) => list.map(each => each.id)

  test('by the address of a user and the key of an item in bodies', async () => {
    assert.deepEqual(parent.assignees, [bob.id])
    assert.equal(child.parentId, parent.id)
    const link = await ada.post('/link', { fromId: child.key, toId: parent.key })
    assert.deepEqual([link.fromId, link.toId], [child.id, parent.id])
    const moved = await ada.post('/container', { name: 'Named elsewhere' })
    await ada.post(`/item/${parent.id}/move`, { containerId: moved.id })
    const late = await ada.post('/item', { title: 'Late', containerId: desk.id, parentId: parent.key })
    assert.equal(late.parentId, parent.id, 'also by a former key')
    await ada.post(`/item/${parent.id}/move`, { containerId: desk.id })
  })

  test('by the address, the key or the name in filters', async () => {
    assert.deepEqual(ids(await ada.get(`/item?assignees=${email}&containerId=${desk.key}`)), [parent.id])
    assert.deepEqual(ids(await ada.get(`/item?assignee=${email}&container=Named%20desk`)), [parent.id])
    assert.ok(ids(await ada.get(`/item?parentId=${parent.key}`)).includes(child.id))
    const label = await ada.post('/label', { name: 'Named label' })
    await ada.put(`/item/${child.id}`, { labels: [label.id] })
    assert.deepEqual(ids(await ada.get('/item?labels=named%20label')), [child.id])
  })

  test('and refused if several records have the name', async () => {
    for (let made = 0; made < 2; made++) await ada.post('/container', { name: 'Twin desk' })
    const { status, body } = await ada.ask('GET', '/item?containerId=Twin%20desk')
    assert.deepEqual([status, body.Fields[0].Code], [400, 'ambiguous'])
  })

  test('and unknown if it is of another tenant, hidden or absent, like by its id', async () => {
    const secret = await ada.post('/item', { title: 'Secret', containerId: desk.id, visibility: 'confidential' })
    const refused = async (who: typeof ada, body: object) => {
      const answer = await who.ask('POST', '/item', { body: { title: 'Refused', ...body } })
      return [answer.status, answer.body.code, answer.body.Fields?.[0]?.Message]
    }
    const unknownUser = await refused(ada, { assignees: ['nobody@nowhere.example'] })
    assert.deepEqual(unknownUser, [422, 'unknown-reference', 'there is no such User'])
    const stranger = 'stranger@example.com'
    await eve.post('/user', { name: 'Stranger', email: stranger })
    assert.deepEqual(await refused(ada, { assignees: [stranger] }), unknownUser)
    const unknownItem = await refused(bob, { parentId: 'NOBODY-1' })
    assert.deepEqual(await refused(bob, { parentId: secret.key }), unknownItem)
    assert.deepEqual(await refused(eve, { parentId: parent.key }), unknownItem)
    assert.deepEqual(await eve.get(`/item?parentId=${parent.key}`), [])
    assert.deepEqual(await ada.get('/item?assignees=nobody@nowhere.example'), [])
    await ada.put(`/item/${parent.id}`, { requesterId: rita.id })
    assert.equal((await rita.get(`/item?assignees=${bob.id}`)).length, 1)
    // Requesters do not learn whose address it is, even of those who work for them.
    assert.deepEqual(await rita.get(`/item?assignees=${email}`), [])
  })

  test('a parameter and a property are taken in each of their spellings', async () => {
    const baseline = await ada.post('/plan/baseline', { name: 'One', containerId: desk.id })
    assert.deepEqual(baseline.containerIds, [desk.id])
    const portfolio = await ada.get(`/plan/portfolio?containerId=${desk.id}`)
    assert.deepEqual(portfolio, await ada.get(`/plan/portfolio?containerIds=${desk.id}`))
  })
})
