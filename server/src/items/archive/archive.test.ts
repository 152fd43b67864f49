import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../../../test/support/engines.ts'
import { sharedTestService } from '../../../test/support/people.ts'
import { action } from '../../containers/action/action.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { itemPriority } from '../../containers/item-property/priority.ts'
import { statusCategory } from '../../containers/status-category.ts'
import { annotationKind } from '../../desk/annotation/annotation.ts'
import { roleCode } from '../../kernel/access.ts'
import { operator } from '../../language/conditions/conditions.ts'
import { triggerEvent } from '../../notify/trigger-event.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { outcome } from '../../rules/rule/log/log.ts'
import { mode } from '../../rules/rule/rule-codes.ts'

describe('archived items', async () => {
  const home = await sharedTestService()
  const { ada, bob, eve, person } = home
  const running = await engines(home)
  const desk = await ada.post('/container', { name: 'Desk', key: 'DSK', kind: containerKind.desk })
  const closed = { status: 'Done', statusCategory: statusCategory.done }
  const item = (more: object = {}) => ada.post('/item', { title: 'Xylophone', containerId: desk.id, ...more })
  const ids = (list: { id: string }[]) => list.map(each => each.id)

  test('a closed item is archived and unarchived, and stays unchanged otherwise', async () => {
    const { id } = await item(closed)
    const away = await ada.post(`/item/${id}/archive`, undefined)
    assert.deepEqual([away.archived, away.statusCategory], [true, statusCategory.done])
    assert.equal((await ada.post(`/item/${id}/archive`, undefined)).version, away.version)
    assert.equal((await ada.get(`/item/${away.key}`)).archived, true)
    assert.equal((await eve.ask('POST', `/item/${id}/unarchive`)).status, 404)
    const back = await bob.post(`/item/${id}/unarchive`, undefined)
    assert.deepEqual([back.archived, back.status, back.closedAt], [false, 'Done', away.closedAt])
    const types = (await ada.get(`/item/${id}/history?property=archived`)).map((each: { type: string }) => each.type)
    assert.deepEqual(types, ['item.updated', 'item.updated'])
  })

  test('an open item cannot be archived in any way', async () => {
    const { id } = await item()
    const refusals = [
      await ada.ask('POST', `/item/${id}/archive`),
      await ada.ask('PATCH', `/item/${id}`, { body: { archived: true } }),
      await ada.ask('POST', '/item', { body: { title: 'New', containerId: desk.id, archived: true } }),
    ]
    assert.deepEqual(
      refusals.map(each => [each.status, each.body.code]),
      Array(3).fill([422, 'item-open']),
    )
    assert.equal((await ada.ask('PATCH', `/item/${id}`, { body: { ...closed, archived: true } })).body.archived, true)
    assert.equal(
      (await ada.post('/item', { title: 'Old', containerId: desk.id, ...closed, archived: true })).archived,
      true,
    )
  })

  test('an archived item cannot be changed by anybody in any way, but it can be deleted', async () => {
    const { id, version } = await item({ ...closed, archived: true })
    const other = await item(closed)
    const refusals = [
      await ada.ask('PUT', `/item/${id}`, { body: { title: 'Changed' } }),
      await ada.ask('PUT', `/item/${id}`, {
        body: { status: 'Open', statusCategory: statusCategory.unstarted, archived: true },
      }),
      await ada.ask('POST', `/item/${id}/move`, {
        body: { containerId: (await ada.post('/container', { name: 'B' })).id },
      }),
      await ada.ask('POST', `/item/${id}/merge`, { body: { into: other.id } }),
      await ada.ask('POST', `/item/${other.id}/merge`, { body: { into: id } }),
      await ada.ask('PATCH', '/item', { body: { ids: [id], patch: { priority: itemPriority.urgent }, atomic: true } }),
    ]
    assert.deepEqual(
      refusals.map(each => [each.status, each.body.code === 'item-open' ? 'item-archived' : each.body.code]),
      Array(6).fill([422, 'item-archived']),
    )
    // A whole record that is sent back unchanged is accepted and changes nothing.
    const same = await ada.put(`/item/${id}`, await ada.get(`/item/${id}`))
    assert.equal(same.version, version)
    const opened = await ada.put(`/item/${id}`, { archived: false, title: 'Both at once' })
    assert.deepEqual([opened.archived, opened.title], [false, 'Both at once'])
    await ada.post(`/item/${id}/archive`, undefined)
    assert.equal((await ada.post(`/item/${id}/copy`, {})).archived, false)
    assert.equal((await ada.ask('DELETE', `/item/${id}`)).status, 204)
  })

  test('lists, filters, boards, searches and counts omit archived items unless they are requested', async () => {
    const place = await ada.post('/container', { name: 'Shelf', kind: containerKind.desk })
    const at = { containerId: place.id, ...closed }
    const [kept, away] = [await item(at), await item({ ...at, archived: true })]
    await ada.post('/annotation', { itemId: away.id, kind: annotationKind.note, body: 'zeppelin' })
    const q = `containerId=${place.id}`
    for (const path of ['/item', '/ticket']) {
      assert.deepEqual(ids(await ada.get(`${path}?${q}`)), [kept.id])
      assert.deepEqual(ids(await ada.get(`${path}?${q}&archived=include`)), [kept.id, away.id])
      assert.deepEqual(ids(await ada.get(`${path}?${q}&archived=only`)), [away.id])
    }
    assert.deepEqual(ids(await ada.get(`/item?${q}&q=xylophone`)), [kept.id])
    assert.deepEqual(ids(await ada.get(`/item?${q}&q=xylophone&archived=only`)), [away.id])
    for (const odd of ['perhaps', 'constructor', '__proto__'])
      assert.equal((await ada.ask('GET', `/item?${q}&archived=${odd}`)).status, 400)
    const counted = await ada.ask('GET', `/item?${q}&limit=1&count=exact`)
    assert.equal(counted.headers.get('x-total-count'), '1')
    const found = (more: object) => ada.post('/item/search', { container: [place.id], ...more })
    assert.deepEqual(ids(await found({})), [kept.id])
    assert.deepEqual(ids(await found({ archived: 'only' })), [away.id])
    const truth = [{ condition: [{ leftSide: 'archived', operator: operator.equals, rightSide: 'true' }] }]
    assert.deepEqual(ids(await found({ archived: 'include', conditionGroup: truth })), [away.id])
    const filter = await ada.post(`/container/${place.id}/filter`, { name: 'All', criteria: { includeClosed: true } })
    const run = `/container/${place.id}/filter/${filter.id}`
    assert.deepEqual([ids(await ada.get(`${run}/items`)), (await ada.get(`${run}/count`)).count], [[kept.id], 1])
    assert.deepEqual(ids(await ada.get(`${run}/items?archived=only`)), [away.id])
    const board = await ada.post('/board', {
      name: 'Board',
      owner: ownerKind.container,
      ownerId: place.id,
      includeClosedDays: 30,
    })
    const cards = (await ada.get(`/board/${board.id}/cards`)).columns.flatMap((each: { cards: { id: string }[] }) =>
      ids(each.cards),
    )
    assert.deepEqual(cards, [kept.id])
    const searched = async (words: string, more = '') =>
      ids(await ada.get(`/search?q=${words}&container=${place.id}${more}`))
    assert.deepEqual(await searched('xylophone'), [kept.id])
    assert.deepEqual((await searched('xylophone', '&archived=include')).sort(), [kept.id, away.id].sort())
    assert.deepEqual(await searched('zeppelin'), [])
    assert.equal((await searched('zeppelin', '&archived=include')).length, 1)
    const bulk = await ada.must('PATCH', '/item', {
      body: { all: true, container: [place.id], includeClosed: true, patch: { archived: true } },
    })
    assert.deepEqual(
      bulk.map((each: { id: string; outcome: string }) => [each.id, each.outcome]),
      [[kept.id, 'updated']],
    )
    assert.deepEqual(await ada.get(`/item?${q}`), [])
    const out = await ada.must('PATCH', '/item', { body: { ids: [kept.id, away.id], patch: { archived: false } } })
    assert.deepEqual(
      out.map((each: { outcome: string }) => each.outcome),
      ['updated', 'updated'],
    )
  })

  test('a rule can archive items and ignores archived ones', async () => {
    const place = await ada.post('/container', { name: 'Ruled' })
    const rule = (more: object) => ada.post('/rule', { name: 'R', active: true, container: [place.id], ...more })
    const archiver = await rule({
      order: 1,
      triggerEvent: triggerEvent['item.updated'],
      actionValue: [{ actionType: action.close }, { actionType: action.archive }],
    })
    assert.deepEqual(archiver.check, [])
    const later = await rule({
      order: 2,
      triggerEvent: triggerEvent['item.updated'],
      actionValue: [{ actionType: action.setField, field: 'priority', value: 1 }],
    })
    const { id } = await item({ containerId: place.id })
    await ada.put(`/item/${id}`, { title: 'Changed' })
    await running.settle()
    const now = await ada.get(`/item/${id}`)
    assert.deepEqual([now.archived, now.statusCategory, now.priority], [true, statusCategory.done, itemPriority.none])
    const { body } = await ada.ask('POST', `/rule/${later.id}/run`, { body: { itemId: id } })
    assert.equal(body.outcome, outcome.missed)
    await ada.delete(`/rule/${archiver.id}`)
    const only = await rule({
      triggerEvent: triggerEvent['item.created'],
      actionValue: [{ actionType: action.archive }],
    })
    const open = await item({ containerId: place.id })
    await running.settle()
    const [entry] = await ada.get(`/rule/${only.id}/log`)
    assert.deepEqual([entry.outcome, (await ada.get(`/item/${open.id}`)).archived], [outcome.failed, false])
    // A rule can refuse the archiving before the commit.
    await rule({
      mode: mode.beforeCommit,
      triggerEvent: triggerEvent['item.updated'],
      conditionGroup: [{ condition: [{ leftSide: 'archived', operator: operator.equals, rightSide: 'true' }] }],
      actionValue: [{ actionType: action.veto, value: 'Not yet' }],
    })
    const shut = await ada.put(`/item/${open.id}`, closed)
    const vetoed = await ada.ask('POST', `/item/${shut.id}/archive`)
    assert.deepEqual([vetoed.status, vetoed.body.code], [422, 'vetoed'])
  })

  test('a message of the requester unarchives the ticket', async () => {
    const rita = await person({ name: 'Rita', email: 'rita@example.com', role: roleCode.requester })
    const { id } = await rita.post('/ticket', { title: 'Broken', containerId: desk.id })
    await ada.post(`/ticket/${id}/close`, {})
    await ada.post(`/item/${id}/archive`, undefined)
    await rita.post('/annotation', { itemId: id, kind: annotationKind.message, body: 'Still broken' })
    const { archived, closedAt } = await ada.get(`/item/${id}`)
    assert.deepEqual([archived, closedAt], [false, null])
  })
})
