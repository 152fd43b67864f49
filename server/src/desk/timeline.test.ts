import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../test/support/people.ts'
import { roleCode } from '../kernel/access.ts'
import { annotationKind } from './annotation/annotation.ts'

interface Entry {
  kind: string
  id: string
  conversation?: { body: string; deleted: boolean }
}

describe('the timeline of an item', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const kim = await person({ name: 'Kim', role: roleCode.requester })
  const item = await ada.post('/item', { title: 'Printer', requesterId: kim.id })
  await bob.put(`/item/${item.id}`, { status: 'Doing' })
  await bob.post('/annotation', { itemId: item.id, kind: annotationKind.reply, body: 'We are on it' })
  const note = await bob.post('/annotation', { itemId: item.id, kind: annotationKind.note, body: 'He unplugged it' })
  await bob.post('/time', { itemId: item.id, date: '2026-03-31', minutes: 30 })
  await bob.put(`/item/${item.id}`, { status: 'Done' })
  const kindsOf = (entries: Entry[]) => entries.map(each => each.kind)

  test('lists changes, annotations and time entries, newest first', async () => {
    assert.deepEqual(kindsOf(await bob.get(`/item/${item.id}/timeline`)), [
      'activity',
      'time',
      'conversation',
      'conversation',
      'activity',
      'activity',
    ])
  })

  test('pages without gaps or duplicates', async () => {
    const all: Entry[] = []
    let next = `/item/${item.id}/timeline?limit=2`
    for (let pages = 0; next !== ''; pages++) {
      assert.ok(pages < 5)
      const { body, headers } = await bob.ask('GET', next)
      all.push(...body)
      const cursor = headers.get('x-next-cursor')
      next = cursor ? `/item/${item.id}/timeline?limit=2&cursor=${cursor}` : ''
    }
    assert.deepEqual(all, await bob.get(`/item/${item.id}/timeline`))
  })

  test('contains only entries that the caller may see', async () => {
    const seen: Entry[] = await kim.get(`/item/${item.id}/timeline?kinds=conversation,time`)
    assert.deepEqual(
      seen.map(each => each.conversation?.body),
      ['We are on it'],
    )
    assert.equal((await eve.ask('GET', `/item/${item.id}/timeline`)).status, 404)
  })

  test('contains deleted annotations without their text', async () => {
    await bob.delete(`/annotation/${note.id}`)
    const [gone] = await bob.get(`/item/${item.id}/timeline?kinds=conversation`)
    assert.deepEqual([gone.conversation.deleted, gone.conversation.body], [true, ''])
    assert.equal((await kim.get(`/item/${item.id}/timeline?kinds=conversation`)).length, 1)
  })

  test('refuses invalid queries', async () => {
    const { status, body } = await bob.ask('GET', `/item/${item.id}/timeline?limit=0&cursor=x&kinds=gossip`)
    assert.equal(status, 400)
    assert.equal(body.Fields.length, 3)
  })
})
