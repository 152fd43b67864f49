import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { Listener } from '../../../test/support/listener.ts'
import { Person, serveOn, sharedTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { expirePresence } from '../../desk/expire-presence.ts'
import { userKind } from '../../identity/user-kind.ts'
import { itemVisibility } from '../../items/item/item.ts'
import { roleCode } from '../../kernel/access.ts'
import { scopes } from '../../platform/setting.ts'
import { ownerKind } from '../../records/references/owner.ts'

describe('a notice on the stream', async () => {
  const { ada, bob, eve, person, database, databaseUrl, dataDir } = await sharedTestService()
  const rita = await person({ name: 'Rita', role: roleCode.requester, kind: userKind.requester })
  const other = await serveOn(databaseUrl, dataDir)
  const elsewhere = (who: Person) => new Person(other.base, who.key, who.id, who.tenantId)
  const listen = (...people: (readonly [Person, string?])[]) =>
    Promise.all(people.map(([who, query = '']) => Listener.to(who, `/event/stream${query}`)))
  const told = (listener: Listener, name: string) => listener.contents.filter((_, i) => listener.asides[i] === name)
  const hangUp = (listeners: Listener[]) => {
    for (const listener of listeners) listener.hangUp()
  }

  test('says who views an item, to the staff who see it, in every process', async () => {
    const desk = await ada.post('/container', { name: 'Desk', kind: containerKind.desk })
    const { id } = await rita.post('/item', { title: 'Printer', containerId: desk.id })
    const secret = await ada.post('/item', { title: 'Secret', visibility: itemVisibility.confidential })
    const listeners = await listen(
      [bob],
      [elsewhere(bob), `?recordId=${id}`],
      [bob, `?recordId=${secret.id}`],
      [rita],
      [eve],
      [ada],
    )
    const [here, there, wrong, requester, foreign, herself] = listeners as [
      Listener,
      Listener,
      Listener,
      Listener,
      Listener,
      Listener,
    ]
    const of = { itemId: id, userId: ada.id }
    // Both services are in this process, and each one hears the other, so that notices may come twice.
    const hear = async (expected: object) => {
      for (const listener of [here, there])
        await listener.until(() => isDeepStrictEqual(told(listener, 'viewing.changed').at(-1), { ...of, ...expected }))
    }
    await ada.put(`/item/${secret.id}/viewing`, {})
    await ada.put(`/item/${id}/viewing`, {})
    await hear({ name: 'ada', state: 'viewing' })
    await ada.put(`/item/${id}/viewing`, { state: 'replying' })
    await hear({ name: 'ada', state: 'replying' })
    await ada.delete(`/item/${id}/viewing`)
    await hear({ state: null })
    await ada.put(`/item/${id}/viewing`, {})
    await hear({ name: 'ada', state: 'viewing' })
    // A client that is gone without a word is gone after a while.
    await expirePresence(database, () => new Date(Date.now() + 31_000)).run(new AbortController().signal)
    await hear({ state: null })
    const seen = [...told(here, 'viewing.changed'), ...told(there, 'viewing.changed')]
    assert.ok(seen.every(each => (each as typeof of).itemId === id))
    assert.deepEqual(
      [wrong, requester, foreign, herself].map(listener => told(listener, 'viewing.changed')),
      [[], [], [], []],
    )
    hangUp(listeners)
  })

  test('says that the own timer has changed, also if somebody else changed it', async () => {
    const { id } = await bob.post('/item', { title: 'Work' })
    const listeners = await listen([bob], [elsewhere(bob)], [ada])
    const [here, there, others] = listeners as [Listener, Listener, Listener]
    const started = await bob.ask('POST', '/time/timer/start', { body: { itemId: id } })
    for (const listener of [here, there]) await listener.until(() => told(listener, 'timer.changed').length > 0)
    const undo = `/change/${started.headers.get('change-set')}/undo`
    await bob.post(undo, {})
    for (const listener of [here, there]) await listener.until(() => told(listener, 'timer.changed').length > 1)
    assert.deepEqual(told(others, 'timer.changed'), [])
    hangUp(listeners)
  })

  test('says that preferences and rights of the caller have changed, and that the session ended', async () => {
    const mia = await person({ name: 'Mia' })
    const listeners = await listen([mia], [elsewhere(mia)], [bob], [mia, '?entity=Item'])
    const [here, there, others, narrow] = listeners as [Listener, Listener, Listener, Listener]
    const hears = async (changed: string) => {
      for (const listener of [here, there])
        await listener.until(() =>
          told(listener, 'session.changed').some(each => JSON.stringify(each) === JSON.stringify({ changed })),
        )
    }
    await mia.post('/admin/setting', { key: 'ui.preferences', value: { dense: true }, scope: scopes.user })
    await hears('preferences')
    const vault = await ada.post('/container', { name: 'Vault', private: true })
    const at = { owner: ownerKind.container, ownerId: vault.id, role: roleCode.member }
    await ada.post('/access-control', { userId: mia.id, ...at })
    await hears('rights')
    await ada.put(`/user/${mia.id}`, { active: false })
    await hears('ended')
    for (const listener of [here, there, narrow]) await listener.until(() => listener.ended)
    assert.deepEqual([told(others, 'session.changed'), told(narrow, 'session.changed')], [[], []])
    hangUp(listeners)
  })
})
