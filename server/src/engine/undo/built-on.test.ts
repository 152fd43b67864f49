import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { annotationKind } from '../../desk/annotation/annotation.ts'
import { ownerKind } from '../../records/references/owner.ts'

describe('undoing a creation', async () => {
  const { ada, bob } = await sharedTestService()
  const desk = await ada.post('/container', { name: 'Desk' })
  const other = await ada.post('/item', { title: 'Other', containerId: desk.id })
  const linkType = (await ada.get('/link/type'))[0].id

  async function made(path: string, body: object): Promise<{ id: string; change: string }> {
    const { status, headers, body: record } = await ada.ask('POST', path, { body })
    assert.equal(status, 201, JSON.stringify(record))
    return { id: record.id, change: headers.get('change-set') ?? '' }
  }

  const buildings: [string, string, object, (id: string) => Promise<unknown>, string[]][] = [
    ['an item with a note', '/item', { title: 'x' }, id => note(id), ['Annotation']],
    ['an item with time', '/item', { title: 'x' }, id => time(id), ['Time']],
    ['an item with a child', '/item', { title: 'x' }, id => bob.post('/item', { title: 'y', parentId: id }), ['Item']],
    ['an item with a link', '/item', { title: 'x' }, id => link(id), ['Link']],
    ['a container with an item', '/container', { name: 'Built' }, id => item(id), ['Item']],
    ['a container with an area', '/container', { name: 'Built' }, id => area(id), ['Area']],
    ['a process of a container', '/process', { name: 'Bug', fields: [] }, id => processOf(id), ['Container']],
    ['a customer of an item', '/finance/crm', { name: 'Acme' }, id => customer(id), ['Item']],
  ]
  const note = (itemId: string) => bob.post('/annotation', { itemId, kind: annotationKind.note, body: 'work' })
  const time = (itemId: string) => bob.post('/time', { itemId, date: '2026-03-31', minutes: 15 })
  const link = (toId: string) => bob.post('/link', { fromId: other.id, toId, type: linkType })
  const item = (containerId: string) => bob.post('/item', { title: 'z', containerId })
  const area = (ownerId: string) => ada.post('/area', { name: 'A', owner: ownerKind.container, ownerId })
  const processOf = (id: string) => ada.put(`/container/${desk.id}`, { processIds: [id] })
  const customer = (crmId: string) => bob.put(`/item/${other.id}`, { crmId })

  for (const [what, path, body, build, usedBy] of buildings)
    test(`is refused for ${what} that came since, and nothing is deleted`, async () => {
      const { id, change } = await made(path, body)
      await build(id)
      const { status, body: told } = await ada.ask('POST', `/change/${change}/undo`)
      assert.deepEqual([status, told.code], [409, 'undo-conflict'])
      const uses = told.conflicts.filter((each: { property: string }) => each.property === 'usedBy')
      assert.deepEqual(
        uses.map((each: { recordId: string; current: string[] }) => [each.recordId, each.current]),
        [[id, usedBy]],
      )
      assert.equal((await ada.ask('GET', `${path}/${id}`)).status, 200)
    })

  test('deletes what came with it, and what is not used by others', async () => {
    const { id, change } = await made(`/container/${desk.id}/copy`, { name: 'Copy' })
    await ada.post(`/change/${change}/undo`, undefined)
    assert.equal((await ada.ask('GET', `/container/${id}`)).status, 404)
    assert.deepEqual(await ada.get(`/item?containerId=${id}`), [])
    const later = await made('/item', { title: 'x' })
    const { id: noteId } = await note(later.id)
    await bob.delete(`/annotation/${noteId}`)
    await ada.post(`/change/${later.change}/undo`, undefined)
    assert.equal((await ada.ask('GET', `/item/${later.id}`)).status, 404)
  })
})
