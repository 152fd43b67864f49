import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { statusCategory } from '../../containers/status-category.ts'
import { roleCode } from '../../kernel/access.ts'
import { operator } from '../../language/conditions/conditions.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { behaviours } from './link-type.ts'

const { ada, bob, eve, person, happened } = await sharedTestService()
const desk = await ada.post('/container', { name: 'Desk' })

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers as a person would
type Any = any

const item = (values: object = {}): Promise<Any> =>
  ada.post('/item', { title: 'Work', containerId: desk.id, ...values })
const some = (count: number, values: object = {}) => Promise.all([...Array(count).keys()].map(() => item(values)))
const link = (from: Any, type: string, to: Any, more: object = {}) =>
  ada.ask('POST', '/link', { body: { fromId: from.id, toId: to.id, type, ...more } })
const linked = async (from: Any, type: string, to: Any, more: object = {}) => {
  const { status, body } = await link(from, type, to, more)
  assert.equal(status, 201, JSON.stringify(body))
  return body
}
const seen = async (from: Any, by = ada) =>
  (await by.get(`/item/${from.id}/links`)).flatMap((group: Any) =>
    group.links.map((each: Any) => `${group.name} ${each.item?.key ?? each.external?.key ?? 'restricted'}`),
  )
const dates = async (of: Any) => {
  const { startDate, dueDate } = await ada.get(`/item/${of.id}`)
  return [startDate, dueDate]
}

describe('links', () => {
  test('are stored once, shown at both items, and recorded in both histories', async () => {
    const [a, b] = await some(2)
    const made = await linked(a, 'BLOCKS', b, { note: 'the cable first' })
    assert.equal(made.behaviour, behaviours.blocks)
    assert.deepEqual(await happened(4), ['link.created', 'item.blocked', 'item.linked', 'item.linked'])
    assert.deepEqual([await seen(a), await seen(b)], [[`blocks ${b.key}`], [`blocked by ${a.key}`]])
    const [group] = await ada.get(`/item/${b.id}/links`)
    assert.deepEqual(
      [group.direction, group.behaviour, group.links[0].note],
      ['in', behaviours.blocks, 'the cable first'],
    )
    const history = await ada.get(`/item/${b.id}/history`)
    assert.deepEqual(history.at(-1).changes.link.to.itemId, a.id)
    await ada.delete(`/link/${made.id}`)
    assert.deepEqual([await seen(a), await seen(b)], [[], []])
    assert.deepEqual(await happened(4), ['link.deleted', 'item.unblocked', 'item.unlinked', 'item.unlinked'])
    await ada.must('POST', `/link/${made.id}/restore`)
    assert.deepEqual(await seen(a), [`blocks ${b.key}`])
  })

  test('that already exist are returned', async () => {
    const [a, b] = await some(2)
    const first = await linked(a, 'relates', b)
    const again = await link(a, 'relates', b)
    const reversed = await link(b, first.type, a)
    assert.deepEqual([again.status, reversed.status], [200, 200])
    assert.deepEqual([again.body.id, reversed.body.id], [first.id, first.id])
    assert.deepEqual([await seen(a), await seen(b)], [[`relates ${b.key}`], [`relates ${a.key}`]])
    const answers = await Promise.all(
      [...Array(10).keys()].map(i => (i % 2 ? link(a, 'causes', b) : link(a, 'causes', b))),
    )
    assert.deepEqual(answers.map(each => each.status).sort(), [...Array(9).fill(200), 201])
    const [c, d] = await some(2)
    const both = await Promise.all([...Array(10).keys()].map(i => (i % 2 ? link(c, '', d) : link(d, 'relates', c))))
    assert.equal(new Set(both.map(each => each.body.id)).size, 1)
  })

  test('keep their items and their type, but their note can change', async () => {
    const [a, b, c] = await some(3)
    const made = await linked(a, 'causes', b)
    assert.equal((await ada.put(`/link/${made.id}`, { ...made, note: 'why' })).note, 'why')
    for (const change of [
      { toId: c.id },
      { fromId: c.id },
      { type: 'blocks' },
      { type: null },
      { external: { url: 'https://example.com' } },
    ])
      assert.ok(
        [400, 422].includes((await ada.ask('PUT', `/link/${made.id}`, { body: change })).status),
        JSON.stringify(change),
      )
  })

  test('need two existing items and a type', async () => {
    const [a, b] = await some(2)
    const answer = async (body: object) => {
      const { status, body: problem } = await ada.ask('POST', '/link', { body })
      return [status, problem.code]
    }
    assert.deepEqual(await answer({ fromId: a.id, toId: crypto.randomUUID() }), [422, 'unknown-reference'])
    assert.deepEqual(await answer({ fromId: a.id, toId: a.id }), [422, 'self-link'])
    assert.deepEqual(await answer({ fromId: a.id }), [400, 'validation'])
    assert.deepEqual(await answer({ fromId: a.id, toId: b.id, external: { url: 'https://example.com' } }), [
      400,
      'validation',
    ])
    assert.deepEqual(await answer({ fromId: a.id, external: { url: 'javascript:alert(1)' } }), [400, 'validation'])
    assert.deepEqual(await answer({ fromId: a.id, toId: b.id, type: 'admires' }), [422, 'unknown-reference'])
    const family = await ada.post('/link/type', { name: 'parent of', behaviour: behaviours.parent })
    assert.equal(family.check[0].code, 'use-parent')
    assert.deepEqual(await answer({ fromId: a.id, toId: b.id, type: family.id }), [422, 'use-parent'])
    assert.equal((await eve.ask('POST', '/link', { body: { fromId: a.id, toId: b.id } })).status, 422)
  })

  test('can lead to external addresses', async () => {
    const [a] = await some(1)
    const external = { url: 'https://example.com/7', title: 'Elsewhere', system: 'other', key: 'X-7' }
    await ada.post('/link', { fromId: a.id, type: 'blocks', external })
    const [group] = await ada.get(`/item/${a.id}/links`)
    assert.deepEqual([group.direction, group.links[0].external, group.links[0].item], ['out', external, null])
  })

  test('of deleted items are hidden until the items are restored', async () => {
    const [a, b] = await some(2)
    const { id } = await linked(a, 'blocks', b)
    await ada.delete(`/item/${b.id}`)
    assert.deepEqual(await seen(a), [])
    assert.equal((await ada.ask('GET', `/link/${id}`)).status, 404)
    await ada.must('POST', `/item/${b.id}/restore`)
    assert.deepEqual(await seen(a), [`blocks ${b.key}`])
  })

  test('to items that the caller may not see show only that they exist', async () => {
    const vault = await ada.post('/container', { name: 'Vault', private: true })
    const [a, hidden] = [await item(), await item({ containerId: vault.id, title: 'Takeover' })]
    const { id } = await linked(a, 'relates', hidden)
    assert.deepEqual(await seen(a, bob), ['relates restricted'])
    assert.ok(!JSON.stringify(await bob.get(`/item/${a.id}/links`)).includes(hidden.id))
    assert.equal((await bob.ask('GET', `/link/${id}`)).status, 404)
    assert.equal((await bob.ask('DELETE', `/link/${id}`)).status, 404)
    assert.equal((await bob.ask('POST', '/link', { body: { fromId: a.id, toId: hidden.id } })).status, 422)
  })

  test('are created by callers who may change the first item', async () => {
    const shop = await ada.post('/container', { name: 'Shop' })
    const [a, there] = [await item(), await item({ containerId: shop.id })]
    const lars = await person({ name: 'Lars', role: roleCode.readOnly })
    await ada.post('/access-control', {
      userId: lars.id,
      owner: ownerKind.container,
      ownerId: desk.id,
      role: roleCode.member,
    })
    const make = (from: Any, to: Any) =>
      lars.ask('POST', '/link', { body: { fromId: from.id, toId: to.id, type: 'causes' } })
    assert.equal((await make(a, there)).status, 201)
    assert.equal((await make(there, a)).status, 403)
  })

  test('are counted by conditions', async () => {
    const [a, b, c] = await some(3, { Tags: ['counted'] })
    await linked(a, 'blocks', c)
    await linked(b, 'blocks', c)
    await ada.put(`/item/${b.id}`, { status: 'Done' })
    const found = async (leftSide: string, rightSide: string) => {
      const condition = [
        { leftSide: 'tags', operator: operator.equals, rightSide: 'counted' },
        { leftSide, operator: operator.equals, rightSide },
      ]
      const filter = await ada.post(`/container/${desk.id}/filter`, {
        name: 'Counted',
        criteria: { includeClosed: true, conditionGroup: [{ condition }] },
      })
      return (await ada.get(`/container/${desk.id}/filter/${filter.id}/items`)).map((each: Any) => each.id)
    }
    assert.deepEqual(await found('links.blockedBy.openCount', '1'), [c.id])
    assert.deepEqual(await found('links.blockedBy.count', '2'), [c.id])
    assert.deepEqual((await found('links.blocks.openCount', '1')).sort(), [a.id, b.id].sort())
    assert.deepEqual((await found('links.relates.count', '0')).sort(), [a.id, b.id, c.id].sort())
  })
})

describe('link types', () => {
  test('exist in a new tenant, and can be created', async () => {
    const names = (await ada.get('/link/type')).map((each: Any) => each.name)
    for (const each of ['relates', 'blocks', 'precedes', 'duplicates', 'causes', 'clones'])
      assert.ok(names.includes(each))
    const tests = await ada.post('/link/type', {
      name: 'tests',
      inverseName: 'tested by',
      behaviour: behaviours.custom,
    })
    const [a, b] = await some(2)
    await linked(a, 'Tests', b)
    assert.deepEqual(await seen(b), [`tested by ${a.key}`])
    assert.equal((await ada.ask('DELETE', `/link/type/${tests.id}`)).status, 409)
    assert.equal(
      (await ada.ask('PUT', `/link/type/${tests.id}`, { body: { behaviour: behaviours.blocks } })).body.code,
      'in-use',
    )
    assert.equal((await ada.put(`/link/type/${tests.id}`, { inverseName: 'proved by' })).inverseName, 'proved by')
    assert.deepEqual(await seen(b), [`proved by ${a.key}`])
    assert.equal((await ada.ask('POST', '/link/type', { body: { name: 'BLOCKS' } })).body.code, 'already-taken')
  })
})

describe('items that block or precede each other', () => {
  test('cannot form a circle, and the refusal contains its path', async () => {
    const [a, b, c] = await some(3)
    await linked(a, 'blocks', b)
    await linked(b, 'blocks', c)
    const { status, body } = await link(c, 'blocks', a)
    assert.deepEqual([status, body.code, body.path], [422, 'link-cycle', [c.key, a.key, b.key, c.key]])
    await linked(c, 'precedes', a) // another thing altogether
    await linked(c, 'relates', a)
    await ada.delete(`/item/${b.id}`)
    assert.equal((await link(c, 'blocks', a)).status, 422, 'it would come back with the item')
  })

  test('cannot form a circle by two concurrent requests', async () => {
    const race = async () => {
      const [a, b, c, d] = await some(4)
      await linked(a, 'blocks', b)
      await linked(c, 'blocks', d)
      const answers = await Promise.all([link(b, 'blocks', c), link(d, 'blocks', a)])
      assert.deepEqual(answers.map(each => each.status).sort(), [201, 422])
    }
    await Promise.all([race(), race(), race()])
  })

  test('are checked again when a link is restored', async () => {
    const [a, b] = await some(2)
    const gone = await linked(a, 'blocks', b)
    await ada.delete(`/link/${gone.id}`)
    await linked(b, 'blocks', a)
    assert.equal((await ada.ask('POST', `/link/${gone.id}/restore`)).body.code, 'link-cycle')
  })
})

describe('an item that follows another', () => {
  const day = (n: number) => `2026-06-${String(n).padStart(2, '0')}`
  const dated = (from: number, to: number) => item({ startDate: day(from), dueDate: day(to) })

  test('begins after it, keeps its length, and moves the items that follow in turn', async () => {
    const [a, b, c, free] = [await dated(1, 3), await dated(2, 4), await dated(5, 5), await dated(1, 1)]
    await linked(b, 'precedes', c)
    await linked(a, 'precedes', b, { lagDays: 1 })
    assert.deepEqual(
      [await dates(b), await dates(c)],
      [
        [day(5), day(7)],
        [day(8), day(8)],
      ],
    )
    const before = await ada.ask('PUT', `/item/${a.id}`, { body: { dueDate: day(10) } })
    assert.deepEqual(
      [await dates(b), await dates(c)],
      [
        [day(12), day(14)],
        [day(15), day(15)],
      ],
    )
    const history = await ada.get(`/item/${c.id}/history`)
    assert.equal(history.at(-1).changeSetId, before.headers.get('change-set'))
    await ada.put(`/item/${a.id}`, { dueDate: day(2) })
    assert.deepEqual(
      [await dates(b), await dates(free)],
      [
        [day(12), day(14)],
        [day(1), day(1)],
      ],
    )
  })

  test('cannot begin before it, and is not moved once it is done', async () => {
    const [a, b, done] = [await dated(1, 3), await dated(4, 5), await dated(4, 5)]
    await linked(a, 'precedes', b)
    await linked(a, 'precedes', done)
    await ada.put(`/item/${done.id}`, { status: 'Done' })
    const { status, body } = await ada.ask('PUT', `/item/${b.id}`, { body: { startDate: day(2) } })
    assert.deepEqual([status, body.code, body.earliest], [422, 'starts-too-early', day(4)])
    await ada.put(`/item/${a.id}`, { dueDate: day(8) })
    assert.deepEqual(
      [await dates(b), await dates(done)],
      [
        [day(9), day(10)],
        [day(4), day(5)],
      ],
    )
    await ada.put(`/item/${a.id}`, { status: 'Done' })
    assert.equal((await ada.ask('PUT', `/item/${b.id}`, { body: { startDate: day(2) } })).status, 200)
  })

  test('is moved although the caller does not see it', async () => {
    const vault = await ada.post('/container', { name: 'Closed', private: true })
    const a = await dated(1, 3)
    const hidden = await item({ containerId: vault.id, startDate: day(4), dueDate: day(6) })
    await linked(a, 'precedes', hidden)
    await bob.put(`/item/${a.id}`, { dueDate: day(5) })
    assert.deepEqual(await dates(hidden), [day(6), day(8)])
  })

  test('is moved however the dates change, also by a bulk change', async () => {
    const [a, b, c] = [await dated(1, 3), await dated(4, 5), await item({ dueDate: day(6) })]
    await linked(a, 'precedes', b)
    await linked(b, 'precedes', c)
    const { body } = await ada.ask('PATCH', '/item', { body: { ids: [a.id], patch: { dueDate: day(9) } } })
    assert.equal(body[0].outcome, 'updated')
    assert.deepEqual(
      [await dates(b), await dates(c)],
      [
        [day(10), day(11)],
        [null, day(12)],
      ],
    )
  })
})

describe('duplicates', () => {
  test('are closed with the item that they duplicate', async () => {
    const [master, one, two, closed] = await some(4)
    for (const each of [one, two, closed]) await linked(each, 'duplicates', master)
    await ada.put(`/item/${closed.id}`, { status: 'Rejected' })
    await ada.put(`/item/${master.id}`, { status: 'Resolved' })
    const answer = await ada.post(`/item/${master.id}/close-duplicates`, {})
    assert.deepEqual(new Set(answer.map((each: Any) => each.id)), new Set([one.id, two.id]))
    const now = await ada.get(`/item/${one.id}`)
    assert.deepEqual([now.status, now.statusCategory, now.resolution], ['Resolved', statusCategory.done, 'duplicate'])
    assert.deepEqual(await ada.post(`/item/${master.id}/close-duplicates`, {}), [])
  })
})
