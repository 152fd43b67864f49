import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Listener } from '../../../../test/support/listener.ts'
import { multipart } from '../../../../test/support/multipart.ts'
import { type Person, sharedTestService } from '../../../../test/support/people.ts'
import { grantEffect } from '../../../identity/grant-effect.ts'
import { ownerKind } from '../../../records/references/owner.ts'

interface Received {
  kind: string
  recordId: string
  version?: number
  containerId?: string
}

describe('an event of the stream', async () => {
  const { ada, bob, person } = await sharedTestService()
  const start = async () => {
    const listener = await Listener.to(ada, '/event/stream')
    listener.hangUp()
    return listener.last
  }
  const since = async (who: Person, place: string, query = ''): Promise<Received[]> => {
    const { body } = await who.ask('GET', `/event/stream?after=${place}${query}`)
    return [...String(body).matchAll(/^data: (.*)$/gm)].map(match => JSON.parse(match[1] ?? ''))
  }

  test('names the version after the change, for records of any kind', async () => {
    const place = await start()
    const { id } = await ada.post('/item', { title: 'One' })
    await ada.put(`/item/${id}`, { title: 'Two' })
    await ada.put(`/item/${id}`, { title: 'Two' })
    const label = await ada.post('/label', { name: 'Urgent' })
    await ada.put(`/label/${label.id}`, { name: 'Late' })
    await ada.put(`/item/${id}`, { Tags: ['Late'] })
    await ada.delete(`/label/${label.id}`)
    await ada.delete(`/item/${id}`)
    const { version } = await ada.post(`/item/${id}/restore`, {})
    const events = await since(ada, place)
    const versions = (recordId: string) =>
      events.filter(each => each.recordId === recordId).map(each => [each.kind, each.version])
    const ofItem = versions(id)
    assert.deepEqual(ofItem.at(-1), ['item.restored', version])
    assert.deepEqual(
      ofItem.map(([, number]) => number),
      ofItem.map((_, i) => i + 1),
    )
    assert.deepEqual(versions(label.id), [
      ['label.created', 1],
      ['label.updated', 2],
      ['label.deleted', 3],
    ])
  })

  test('names the container of the record or of its item', async () => {
    const desk = await ada.post('/container', { name: 'Places' })
    const place = await start()
    const one = await ada.post('/item', { title: 'One', containerId: desk.id, Time: [{ minutes: 5 }] })
    const two = await ada.post('/item', { title: 'Two' })
    await ada.post('/annotation', { itemId: one.id, body: 'Said' })
    await ada.post('/link', { fromId: one.id, toId: two.id, type: 'relates' })
    const form = multipart({ owner: String(ownerKind.item), ownerId: one.id, file: 'bytes' })
    await ada.must('POST', '/file', form)
    await ada.post('/board', { name: 'Board', owner: ownerKind.container, ownerId: desk.id, containerIds: [desk.id] })
    await ada.put(`/container/${desk.id}`, { name: 'Other places' })
    const found = await since(ada, place, '&entity=Item,Time,Annotation,Link,File,Board,Container')
    const expected = Object.fromEntries(
      ['time.created', 'annotation.created', 'link.created', 'file.created', 'board.created', 'container.updated'].map(
        kind => [kind, desk.id],
      ),
    )
    const places = Object.fromEntries(
      found.filter(({ kind }) => kind in expected).map(({ kind, containerId }) => [kind, containerId]),
    )
    assert.deepEqual(places, expected)
    const ofItems = found.filter(each => each.kind === 'item.created').map(each => each.containerId)
    assert.deepEqual(ofItems, [desk.id, two.containerId])
    const narrow = await since(ada, place, `&containerId=${desk.id}`)
    assert.ok(narrow.some(each => each.kind === 'annotation.created'))
    assert.ok(narrow.every(each => each.recordId !== two.id))
  })

  test('of an item without containers for the receiver names none', async () => {
    const mia = await person({ name: 'Mia' })
    const place = await start()
    const { id } = await bob.post('/item', { title: 'Somewhere' })
    await bob.post('/annotation', { itemId: id, body: 'Said' })
    const named = (events: Received[]) => events.filter(each => each.containerId !== undefined).map(each => each.kind)
    assert.deepEqual(named(await since(mia, place, '&entity=Item,Annotation')).sort(), [
      'annotation.created',
      'item.created',
    ])
    await ada.post('/access-control', {
      userId: mia.id,
      effect: grantEffect.deny,
      permissions: ['field.containerId.*'],
    })
    const events = await since(mia, place)
    assert.deepEqual([events.length >= 2, named(events)], [true, []])
  })

  test('of a record that is seen without its item names no container', async () => {
    const mia = await person({ name: 'Mia' })
    const vault = await ada.post('/container', { name: 'Vault', private: true })
    const { id } = await mia.post('/item', { title: 'Mine' })
    await mia.post('/time/timer/start', { itemId: id })
    await ada.post(`/item/${id}/move`, { containerId: vault.id })
    const place = await start()
    await mia.must('PATCH', '/time/timer', { body: { note: 'Still at it' } })
    const [event, ...others] = await since(mia, place, '&entity=Timer')
    assert.deepEqual([others, event?.kind, event?.containerId], [[], 'timer.updated', undefined])
    assert.equal((await mia.ask('GET', `/item/${id}`)).status, 404)
  })
})
