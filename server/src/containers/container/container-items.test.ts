import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'

describe('deleting a container', async () => {
  const { ada, bob } = await sharedTestService()

  async function filled(name: string) {
    const container = await ada.post('/container', { name })
    const [open, done, gone] = [
      await ada.post('/item', { title: `${name} open`, containerId: container.id }),
      await ada.post('/item', { title: `${name} done`, containerId: container.id, status: 'Done' }),
      await ada.post('/item', { title: `${name} gone`, containerId: container.id }),
    ]
    await ada.post(`/item/${done.id}/archive`, {})
    await ada.delete(`/item/${gone.id}`)
    // Ada is no party of this one, so she does not see it.
    const secret = await bob.post('/item', { title: `${name} secret`, containerId: container.id, visibility: 2 })
    const listed = async () =>
      (await bob.get(`/item?containerId=${container.id}&archived=include`)).map((each: { id: string }) => each.id)
    return { container, open, done, gone, secret, listed }
  }

  async function setOf(method: string, path: string): Promise<string> {
    const { status, headers, body } = await ada.ask(method, path)
    assert.ok(status < 300, JSON.stringify(body))
    return headers.get('change-set') ?? ''
  }

  test('says in a dry run how many items it takes along, and changes nothing', async () => {
    const { container, listed } = await filled('Count')
    const { status, body } = await ada.ask('DELETE', `/container/${container.id}?dryRun=true`)
    assert.deepEqual([status, body.touches], [200, { items: 3 }])
    assert.equal((await listed()).length, 3)
  })

  test('takes its items along in one change set, and its restoration brings them back', async () => {
    const { container, open, done, gone, secret, listed } = await filled('Shed')
    const change = await setOf('DELETE', `/container/${container.id}`)
    assert.deepEqual(await listed(), [])
    assert.deepEqual(await bob.get('/item?q=Shed'), [])
    assert.equal((await bob.ask('GET', `/item/${open.id}`)).status, 404)
    const changeSet = await ada.get(`/change/${change}`)
    assert.deepEqual(
      changeSet.events.map((each: { type: string }) => each.type),
      ['item.deleted', 'item.deleted', 'container.deleted'], // she does not see the secret item
    )
    const alone = await ada.ask('POST', `/item/${open.id}/restore`)
    assert.deepEqual([alone.status, alone.body.code], [422, 'container-deleted'])
    await setOf('POST', `/container/${container.id}/restore`)
    assert.deepEqual((await listed()).toSorted(), [open.id, done.id, secret.id].toSorted())
    assert.equal((await bob.ask('GET', `/item/${gone.id}`)).status, 404, 'deleted by itself before')
    assert.equal((await bob.put(`/item/${open.id}`, { title: 'Shed again' })).title, 'Shed again')
  })

  test('is undone with its items, those included that the caller does not see, and so is the undo', async () => {
    const { container, listed } = await filled('Back')
    const change = await setOf('DELETE', `/container/${container.id}`)
    const undo = await setOf('POST', `/change/${change}/undo`)
    assert.equal((await listed()).length, 3)
    await setOf('POST', `/change/${undo}/undo`)
    assert.deepEqual(await listed(), [])
    assert.equal((await ada.ask('GET', `/container/${container.id}`)).status, 404)
  })

  test('is not repeated by an undo when the container got items since', async () => {
    const { container, listed } = await filled('Since')
    await setOf('DELETE', `/container/${container.id}`)
    const restored = await setOf('POST', `/container/${container.id}/restore`)
    const late = await bob.post('/item', { title: 'Later', containerId: container.id })
    const { status, body } = await ada.ask('POST', `/change/${restored}/undo`)
    assert.deepEqual([status, body.code], [409, 'undo-conflict'])
    assert.ok((await listed()).includes(late.id))
  })

  test('takes along the items that are created at the same time, or refuses them', async () => {
    const container = await ada.post('/container', { name: 'Race' })
    const [made] = await Promise.all([
      Promise.all(
        Array.from({ length: 8 }, () => bob.ask('POST', '/item', { body: { title: 'x', containerId: container.id } })),
      ),
      ada.delete(`/container/${container.id}`),
    ])
    for (const { status } of made) assert.ok([201, 409, 422].includes(status), String(status))
    assert.deepEqual(await bob.get(`/item?containerId=${container.id}`), [])
  })
})
