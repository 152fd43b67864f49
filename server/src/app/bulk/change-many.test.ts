import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { annotationKind } from '../../desk/annotation/annotation.ts'
import { roleCode } from '../../kernel/access.ts'
import { newId } from '../../kernel/id.ts'

interface Outcome {
  id: string
  outcome: string
  status: number
  version?: number
  code?: string
}

describe('many records are changed and deleted at once', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const item = await ada.post('/item', { title: 'Work' })
  const said = (all: Outcome[]) => all.map(each => each.code ?? each.outcome)
  const change = (who: Person, path: string, ids: string[], patch: object, more: object = {}) =>
    who.ask('PATCH', path, { body: { ids, patch, ...more } })
  const remove = (who: Person, path: string, ids: string[], more = '') =>
    who.ask('DELETE', `${path}?ids=${ids.join(',')}${more}`)
  const undo = async (headers: Headers) => await ada.must('POST', `/change/${headers.get('change-set')}/undo`)
  const exists = async (path: string) => (await ada.ask('GET', path)).status === 200
  const made = async (path: string, ...bodies: object[]) =>
    await Promise.all(bodies.map(async body => (await ada.post(path, body)).id))

  test('each by itself, in the order of the ids, and undone as one', async () => {
    const [red, blue] = await made('/label', { name: 'Many red', color: 'red' }, { name: 'Many blue', color: 'blue' })
    const { id: foreign } = await eve.post('/label', { name: 'Many foreign', color: 'red' })
    const ids = [blue, foreign, red, newId(), red.toUpperCase()]
    const changed = await change(ada, '/label', ids, { color: 'blue' })
    assert.deepEqual(
      changed.body.map((each: Outcome) => [each.id, each.status, each.code ?? each.outcome, each.version]),
      [
        [blue, 200, 'unchanged', 1],
        [foreign, 404, 'not-found', undefined],
        [red, 200, 'updated', 2],
        [ids[3], 404, 'not-found', undefined],
      ],
    )
    assert.equal((await eve.get(`/label/${foreign}`)).color, 'red')
    await undo(changed.headers)
    assert.equal((await ada.get(`/label/${red}`)).color, 'red')
    const removed = await remove(ada, '/label', [red, foreign, blue])
    assert.deepEqual(said(removed.body), ['deleted', 'not-found', 'deleted'])
    assert.deepEqual([await exists(`/label/${red}`), await exists(`/label/${blue}`)], [false, false])
    assert.equal((await eve.get(`/label/${foreign}`)).version, 1)
    await undo(removed.headers)
    assert.deepEqual([await exists(`/label/${red}`), await exists(`/label/${blue}`)], [true, true])
  })

  test('with atomic all or none, and a dry run writes nothing', async () => {
    const [one, two] = await made('/label', { name: 'Whole one' }, { name: 'Whole two' })
    const changed = await change(ada, '/label', [one, newId(), two], { color: 'green' }, { atomic: true })
    assert.deepEqual(
      [changed.status, changed.body.code, said(changed.body.results), changed.body.Fields[0].Pointer],
      [422, 'entries-refused', ['updated', 'not-found', 'updated'], '/ids/1'],
    )
    const removed = await remove(ada, '/label', [one, newId()], '&atomic=true')
    assert.deepEqual([removed.status, removed.body.code], [422, 'entries-refused'])
    const dry = await remove(ada, '/label', [one, two], '&dryRun=true')
    assert.equal(dry.status, 200)
    assert.deepEqual([(await ada.get(`/label/${one}`)).version, (await ada.get(`/label/${two}`)).version], [1, 1])
  })

  test('wrong bodies are refused with all their faults', async () => {
    const wrong = await ada.ask('PATCH', '/label', { body: { ids: [], patch: { color: 7 } } })
    assert.equal(wrong.status, 400)
    assert.deepEqual(wrong.body.Fields.map((each: { Pointer: string }) => each.Pointer).sort(), [
      '/ids',
      '/patch/color',
    ])
    assert.equal((await ada.ask('PATCH', '/label', { body: { ids: [newId()] } })).status, 400)
    assert.equal((await ada.ask('DELETE', '/label')).status, 400)
    assert.equal(
      (
        await remove(
          ada,
          '/label',
          Array.from({ length: 201 }, () => newId()),
        )
      ).status,
      413,
    )
  })

  test('users keep the rights of the caller, the last super admin, and an entry in the audit log', async () => {
    const people = await Promise.all(['Mia', 'Max'].map(async name => (await person({ name })).id))
    const raised = await change(ada, '/user', people, { role: roleCode.manager })
    assert.deepEqual(said(raised.body), ['updated', 'updated'])
    const audited = await ada.get(`/audit?action=rights&changeSetId=${raised.headers.get('change-set')}`)
    assert.deepEqual(audited.map((each: { recordId: string }) => each.recordId).sort(), people.toSorted())
    assert.equal((await change(bob, '/user', people, { role: roleCode.admin })).status, 403)
    assert.equal((await remove(bob, '/user', people)).status, 403)
    const { body } = await remove(ada, '/user', [...people, ada.id])
    assert.deepEqual(said(body).slice(0, 2), ['deleted', 'deleted'])
    assert.equal(body[2].outcome, 'failed')
    assert.equal((await ada.get('/user/me')).id, ada.id)
  })

  test('containers, links and annotations are changed and deleted with the checks of one', async () => {
    const [shop, yard] = await made('/container', { name: 'Many shop' }, { name: 'Many yard' })
    const renamed = await change(ada, '/container', [shop, yard], { description: 'Closed soon' })
    assert.deepEqual(said(renamed.body), ['updated', 'updated'])
    const gone = await remove(ada, '/container', [shop, yard])
    assert.deepEqual(said(gone.body), ['deleted', 'deleted'])
    await undo(gone.headers)
    assert.equal(await exists(`/container/${shop}`), true)

    const [one, two] = await made('/item', { title: 'One' }, { title: 'Two' })
    const links = await made('/link', { fromId: item.id, toId: one }, { fromId: item.id, toId: two })
    assert.deepEqual(said((await remove(eve, '/link', links)).body), ['not-found', 'not-found'])
    const unlinked = await remove(bob, '/link', links)
    assert.deepEqual(said(unlinked.body), ['deleted', 'deleted'])
    await undo(unlinked.headers)
    assert.equal(await exists(`/link/${links[0]}`), true)

    const [note] = await made('/annotation', { itemId: item.id, body: 'By Ada', kind: annotationKind.note })
    const own = (await bob.post('/annotation', { itemId: item.id, body: 'By Bob' })).id
    assert.deepEqual(said((await change(bob, '/annotation', [note, own], { body: 'New' })).body), [
      'forbidden',
      'updated',
    ])
    const rita = await person({ name: 'Rita', role: roleCode.requester })
    assert.equal((await remove(rita, '/annotation', [own])).status, 403)
    assert.deepEqual(said((await remove(bob, '/annotation', [note, own])).body), ['forbidden', 'deleted'])
  })
})
