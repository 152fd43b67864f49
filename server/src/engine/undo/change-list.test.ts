import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { grantEffect } from '../../identity/grant-effect.ts'
import { roleCode } from '../../kernel/access.ts'

describe('the list of change sets', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const mia = await person({ name: 'Mia' })
  const boss = await person({ name: 'Boss', role: roleCode.manager })

  async function setOf(who: Person, method: string, path: string, body?: unknown): Promise<string> {
    const answer = await who.ask(method, path, { body })
    assert.ok(answer.status < 300, JSON.stringify(answer.body))
    return answer.headers.get('change-set') ?? ''
  }
  const ids = (list: { id: string }[]) => list.map(each => each.id)

  test('shows what a user has changed, newest first, in pages', async () => {
    const a = await mia.post('/item', { title: 'A' })
    const b = await mia.post('/item', { title: 'B', Tags: ['new label'] })
    const patched = await setOf(mia, 'PATCH', '/item', { ids: [a.id, b.id], patch: { status: 'Doing', priority: 2 } })
    const renamed = await setOf(mia, 'PATCH', `/item/${a.id}`, { title: 'Other' })
    const undo = await setOf(mia, 'POST', `/change/${renamed}/undo`)
    const all = await mia.get('/change?by=@me')
    assert.equal(all.length, 5)
    const [first, second, third, fourth, fifth] = all
    assert.deepEqual(
      [first.id, first.undoes, first.summary, first.records, first.undoable],
      [undo, renamed, 'Undo: 1 item changed: title', 1, true],
    )
    assert.deepEqual(
      [second.id, second.undoneBy, second.undoable, second.reason],
      [renamed, undo, false, 'already-undone'],
    )
    assert.deepEqual(
      [third.id, third.summary, third.entities, third.actor, third.exact],
      [patched, '2 items changed: priority, status, statusCategory', { Item: 2 }, { id: mia.id, kind: 'apiKey' }, true],
    )
    assert.equal(fourth.entities.Label, 1)
    assert.match(fourth.summary, /1 item created/)
    assert.deepEqual([fifth.summary, fifth.undoneBy, fifth.undoes, fifth.reason], ['1 item created', null, null, null])
    const { events, ...described } = await mia.get(`/change/${patched}`)
    assert.deepEqual([described, events.length], [third, 2])
    // By default members see their own, and managers those of everybody.
    assert.deepEqual(ids(await mia.get('/change')), ids(all))
    assert.ok(ids(await boss.get('/change')).includes(patched))
    assert.deepEqual(ids(await boss.get(`/change?by=${mia.id}`)), ids(all))
    const paged: string[] = []
    for (let query = '?limit=2'; query !== ''; ) {
      const { body, headers } = await mia.ask('GET', `/change${query}`)
      paged.push(...ids(body))
      query = /change(\?[^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? ''
    }
    assert.deepEqual(paged, ids(all))
    assert.deepEqual(ids(await mia.get('/change?entity=label')), [fourth.id])
    assert.deepEqual(ids(await mia.get(`/change?from=${third.at}&to=${second.at}`)), [patched])
    assert.deepEqual(await mia.get(`/change?to=${fifth.at}`), [])
  })

  test('shows nothing of others to those who may not see it', async () => {
    const vault = await ada.post('/container', { name: 'Vault', private: true })
    const hidden = await setOf(ada, 'POST', '/item', { title: 'Gold', containerId: vault.id })
    const open = await setOf(ada, 'POST', '/item/bulk', [{ title: 'Seen' }, { title: 'Gold', containerId: vault.id }])
    assert.ok(ids(await ada.get('/change')).includes(hidden))
    const seen = await boss.get('/change')
    assert.ok(!ids(seen).includes(hidden))
    const mixed = seen.find((each: { id: string }) => each.id === open)
    assert.deepEqual([mixed.records, mixed.summary], [1, '1 item created'])
    for (const [who, query] of [
      [bob, ''],
      [bob, `?by=${ada.id}`],
      [eve, `?by=${ada.id}`],
      [boss, '?by=nonsense'],
      [boss, `?by=${crypto.randomUUID()}`],
    ] as const)
      assert.deepEqual(
        ids(await who.get(`/change${query}`)).filter(id => [hidden, open].includes(id)),
        [],
      )
    assert.equal((await eve.ask('GET', `/change/${open}`)).status, 404)
  })

  test('names no property that is hidden from the reader', async () => {
    const lea = await person({ name: 'Lea', role: roleCode.manager })
    const { id } = await ada.post('/item', { title: 'Secretive' })
    const change = await setOf(ada, 'PATCH', `/item/${id}`, { points: 5, priority: 3 })
    const summary = async () =>
      (await lea.get('/change')).find((each: { id: string }) => each.id === change)?.summary as string
    assert.equal(await summary(), '1 item changed: points, priority')
    await ada.post('/access-control', { userId: lea.id, effect: grantEffect.deny, permissions: ['field.points.*'] })
    assert.equal(await summary(), '1 item changed: priority')
  })

  test('refuses what it does not understand', async () => {
    const { body } = await bob.ask('GET', '/change?limit=0&from=yesterday&cursor=x')
    assert.deepEqual(
      body.Fields.map((each: { Pointer: string; Code: string }) => [each.Pointer, each.Code]),
      [
        ['/from', 'date-time'],
        ['/cursor', 'cursor'],
        ['/limit', 'range'],
      ],
    )
    const { headers } = await mia.ask('GET', '/change?limit=1')
    const cursor = headers.get('x-next-cursor')
    const other = await mia.ask('GET', `/change?limit=1&entity=Item&cursor=${cursor}`)
    assert.deepEqual([other.status, other.body.Fields[0].Code], [400, 'cursor-mismatch'])
  })
})
