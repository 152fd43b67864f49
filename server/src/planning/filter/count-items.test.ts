import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'
import { operator } from '../../language/conditions/conditions.ts'
import { ownerKind } from '../../records/references/owner.ts'

describe('counting items of many queries', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const desk = await ada.post('/container', { name: 'Counted', kind: containerKind.desk })
  const vault = await ada.post('/container', { name: 'Vault', private: true })
  const on = (leftSide: string, rightSide: string) => [
    { condition: [{ leftSide, operator: operator.equals, rightSide }] },
  ]
  const filterIn = (containerId: string, more: object = {}) =>
    ada.post(`/container/${containerId}/filter`, { name: 'Open', criteria: { conditionGroup: [] }, ...more })
  const [mine, hidden, personal] = [
    await filterIn(desk.id),
    await filterIn(vault.id),
    await filterIn(desk.id, { ownerUserId: ada.id }),
  ]
  await ada.post('/item/bulk', [
    { title: 'Printer', containerId: desk.id, assignees: [bob.id] },
    { title: 'Toner', containerId: desk.id },
    { title: 'Done', containerId: desk.id, status: 'Done' },
    { title: 'Gold', containerId: vault.id },
  ])
  const ask = async (who: typeof ada, ...queries: object[]) => {
    const { status, body } = await who.ask('POST', '/item/count', { body: { queries } })
    return status === 200 ? body.counts.map((each: { count: number }) => each.count) : body
  }

  test('answers filters, conditions, words and containers in their order, as far as the caller sees the items', async () => {
    const queries = [
      { filterId: mine.id },
      { containerId: desk.id },
      { containerId: desk.id, includeClosed: false },
      { container: [desk.id, vault.id] },
      { containerId: vault.id },
      { conditionGroup: on('assignee', '@me') },
      { container: [desk.id], q: 'printer' },
      { containerId: crypto.randomUUID() },
    ]
    assert.deepEqual(await ask(bob, ...queries), [2, 3, 2, 3, 0, 1, 1, 0])
    assert.deepEqual(await ask(ada, ...queries), [2, 3, 2, 4, 1, 0, 1, 0])
    assert.deepEqual(await ask(eve, { containerId: desk.id }), [0])
    const { body } = await ada.ask('POST', '/item/count', { body: { queries: [{ filterId: mine.id }] } })
    const { count } = await ada.get(`/container/${desk.id}/filter/${mine.id}/count`)
    assert.deepEqual(body, { counts: [{ count, exact: true }] })
  })

  test('names the faults of all questions', async () => {
    const { status, Fields } = await ask(
      bob,
      { filterId: hidden.id },
      { filterId: personal.id },
      { containerId: desk.id },
      { conditionGroup: on('nonsense', 'x') },
      { filterId: mine.id, q: 'x' },
      { containerId: desk.id, container: [] },
      { filterId: 'nonsense' },
    )
    assert.deepEqual(
      [status, Fields.map((each: { Pointer: string; Code: string }) => [each.Pointer, each.Code])],
      [
        400,
        [
          ['/queries/0/filterId', 'unknown-reference'],
          ['/queries/1/filterId', 'unknown-reference'],
          ['/queries/3/conditionGroup/0/condition/0/leftSide', 'unknown-path'],
          ['/queries/4/q', 'not-with-filter'],
          ['/queries/5/containerId', 'not-with-container'],
          ['/queries/6/filterId', 'unknown-reference'],
        ],
      ],
    )
    for (const queries of [[], Array.from({ length: 51 }, () => ({})), undefined])
      assert.equal((await bob.ask('POST', '/item/count', { body: { queries } })).status, 400)
    assert.equal((await ask(eve, { filterId: mine.id })).Fields[0].Code, 'unknown-reference')
  })

  test('GET /container/filter lists the filters of all containers that the caller may use', async () => {
    const ids = async (who: typeof ada, query = '') =>
      (await who.get(`/container/filter${query}`)).map((each: { id: string }) => each.id)
    assert.deepEqual(await ids(ada), [mine.id, hidden.id, personal.id])
    assert.deepEqual(await ids(bob), [mine.id])
    assert.deepEqual(await ids(ada, `?containerId=${vault.id}`), [hidden.id])
    assert.deepEqual(await ids(eve), [])
    const { body, headers } = await ada.ask('GET', '/container/filter?limit=2')
    assert.equal(body.length, 2)
    assert.deepEqual(await ids(ada, `?limit=2&cursor=${headers.get('x-next-cursor')}`), [personal.id])
    // A requester who is staff in one container sees the filters of that one.
    const rita = await person({ name: 'Rita', role: roleCode.requester, kind: userKind.requester })
    assert.equal((await rita.ask('GET', '/container/filter')).status, 403)
    await ada.post('/access-control', {
      userId: rita.id,
      owner: ownerKind.container,
      ownerId: vault.id,
      role: roleCode.member,
    })
    assert.deepEqual(await ids(rita), [hidden.id])
    assert.equal((await ask(rita, { filterId: mine.id })).Fields[0].Code, 'unknown-reference')
    assert.deepEqual(await ask(rita, { filterId: hidden.id }), [1])
  })
})
