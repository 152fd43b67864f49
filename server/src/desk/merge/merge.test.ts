import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isLong } from '../../../test/support/form.ts'
import { multipart } from '../../../test/support/multipart.ts'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { statusCategory } from '../../containers/status-category.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { annotationKind } from '../annotation/annotation.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into records as a person would
type Any = any

describe('merging', async () => {
  const { ada, bob, eve, person, happened } = await sharedTestService()
  const desk = await ada.post('/container', { name: 'Desk', kind: containerKind.desk })
  const other = await ada.post('/container', { name: 'Other', kind: containerKind.desk })
  const rita = await person({
    name: 'Rita',
    email: 'rita@example.com',
    role: roleCode.requester,
    kind: userKind.requester,
  })
  const carl = await person({ name: 'Carl' })
  let count = 0
  const ask = (more: object = {}) =>
    ada.post('/ticket', { title: `No light ${++count}`, containerId: desk.id, ...more })
  const say = (itemId: string, more: object = {}) =>
    bob.post('/annotation', { itemId, body: `Word ${++count}`, ...more })
  const merge = (id: string, into: string, who = bob) => who.ask('POST', `/item/${id}/merge`, { body: { into } })

  /** An item and its records, without the properties that every change updates. */
  async function whole(id: string): Promise<Any> {
    const still = ({ version: _, updated: __, updatedBy: ___, ...rest }: Any) => rest
    const { cc, requester } = await ada.get(`/ticket/${id}`)
    const item = await ada.get(`/item/${id}`)
    const files: Any[] = await ada.get(`/file?ownerId=${id}`)
    return {
      item: still({ ...item, Time: item.Time.map(still) }),
      cc,
      requester,
      said: (await ada.get(`/item/${id}/annotations`)).map(still),
      files: files.map(still),
      watches: (await ada.get(`/watch?ownerId=${id}`)).map(still),
      links: (await ada.get(`/item/${id}/links`)).map((each: Any) => [each.link?.id ?? each.id, each.direction]),
    }
  }

  async function furnished(more: object = {}): Promise<string> {
    const { id } = await ask({
      cc: [`cc${++count}@example.com`],
      Time: [{ date: '2026-03-31', minutes: 10 + count }],
      ...more,
    })
    const first = await say(id, { kind: annotationKind.reply })
    await say(id, { replyToId: first.id })
    const gone = await say(id)
    await bob.delete(`/annotation/${gone.id}`)
    const form = multipart({ owner: '3', ownerId: id, file: `bytes ${count}` })
    assert.equal((await bob.ask('POST', '/file', { body: form.body, headers: form.headers })).status, 201)
    return id
  }

  test('annotations, time, files and watches move to the target, and the source refers to it', async () => {
    const [source, target] = [await furnished({ requester: { userId: rita.id } }), await furnished()]
    await carl.post('/watch', { owner: ownerKind.item, ownerId: source })
    const friend = await ask()
    await ada.post('/link', { fromId: source, toId: friend.id, type: 'relates' })
    const [from, to] = [await whole(source), await whole(target)]
    const { status, body } = await merge(source, target)
    assert.deepEqual([status, body.id], [200, target])
    const merged = await ada.get(`/item/${source}`)
    assert.deepEqual(
      [merged.mergedInto, merged.status, merged.statusCategory],
      [target, 'Merged', statusCategory.cancelled],
    )
    const now = await whole(target)
    assert.equal(now.said.length, from.said.length + to.said.length)
    assert.deepEqual(
      now.said.map((each: Any) => each.mergedFrom),
      [...from.said.map((each: Any) => (each.deleted ? '' : source)), ...to.said.map(() => '')],
    )
    assert.equal(now.item.spentMinutes, from.item.spentMinutes + to.item.spentMinutes)
    assert.equal(now.files.length, 2)
    assert.deepEqual(now.cc, [...to.cc, ...from.cc, 'rita@example.com'])
    assert.ok(now.watches.some((each: Any) => each.userId === carl.id))
    assert.equal(now.links.length, 1)
    assert.deepEqual([merged.spentMinutes, (await whole(source)).said.length], [0, 0])
    for (const id of [source, target])
      assert.ok((await ada.get(`/item/${id}/history`)).some((each: Any) => each.type === 'item.merged'))
  })

  test('unmerging restores both items; what was added to the target since stays there', async () => {
    const [source, target] = [await furnished({ requester: { userId: rita.id }, status: 'Open' }), await furnished()]
    await carl.post('/watch', { owner: ownerKind.item, ownerId: source })
    await carl.post('/watch', { owner: ownerKind.item, ownerId: target })
    const before = [await whole(source), await whole(target)]
    await merge(source, target)
    const later = await say(target)
    await bob.post(`/item/${source}/unmerge`, undefined)
    const [from, to] = [await whole(source), await whole(target)]
    assert.deepEqual(from, before[0])
    assert.deepEqual({ ...to, said: to.said.slice(0, -1) }, before[1])
    assert.equal(to.said.at(-1).id, later.id)
    assert.deepEqual(await happened(2), ['item.unmerged', 'item.unmerged'])
    const again = await bob.post(`/item/${source}/unmerge`, undefined)
    assert.equal(again.mergedInto, '')
  })

  test('a split is undone by users who may split, unless somebody used the new item since', async () => {
    const { id } = await ask({ requester: { userId: rita.id } })
    const [said, stays] = [await say(id, { kind: annotationKind.reply }), await say(id)]
    const before = await whole(id)
    const split = async () => {
      const { body, headers } = await bob.ask('POST', `/ticket/${id}/split`, {
        body: { title: 'And the printer', annotationIds: [said.id] },
      })
      return { newId: body.id, change: headers.get('change-set') }
    }
    const first = await split()
    assert.deepEqual(
      (await bob.get(`/item/${first.newId}/annotations`)).map((each: Any) => each.id),
      [said.id],
    )
    await bob.must('POST', `/change/${first.change}/undo`)
    assert.deepEqual(await whole(id), before)
    assert.equal((await ada.ask('GET', `/item/${first.newId}`)).status, 404)
    const second = await split()
    await say(second.newId)
    const { status, body } = await bob.ask('POST', `/change/${second.change}/undo`)
    assert.deepEqual([status, body.code, body.conflicts[0].current], [409, 'undo-conflict', ['Annotation']])
    assert.equal(body.detail, 'the change set cannot be undone: other records refer to a record that it created')
    assert.deepEqual(
      (await bob.get(`/item/${id}/annotations`)).map((each: Any) => each.id),
      [stays.id],
    )
  })

  test('undoing any merges in any valid order restores all items', async () => {
    const ids = [
      await furnished(),
      await furnished({ containerId: other.id, status: 'Done' }),
      await furnished({ status: 'Waiting' }),
      await furnished(),
    ]
    const before = await Promise.all(ids.map(whole))
    for (let round = 0; round < (isLong ? 6 : 2); round++) {
      const order = [...ids].sort(() => Math.random() - 0.5)
      const last = order.at(-1) ?? ''
      const chained = round % 2 === 0
      const made: string[] = []
      for (const [i, id] of order.slice(0, -1).entries()) {
        const into = chained ? (order[i + 1] ?? last) : last
        assert.equal((await merge(id, into)).status, 200)
        made.push(id)
      }
      // A chain must be undone from its end; merges into one item can be undone in any order.
      const undo = chained ? made.reverse() : made.sort(() => Math.random() - 0.5)
      for (const id of undo) await bob.post(`/ticket/${id}/unmerge`, undefined)
      assert.deepEqual(await Promise.all(ids.map(whole)), before, `round ${round}`)
    }
  })

  test('an item cannot be merged into itself, into a merged item or into an unknown one', async () => {
    const [a, b, c] = [await ask(), await ask(), await ask()]
    const refusal = async (id: string, into: string, who = bob) => {
      const { status, body } = await merge(id, into, who)
      return [status, body.code]
    }
    assert.deepEqual(await refusal(a.id, a.id), [422, 'self-merge'])
    assert.deepEqual(await refusal(a.id, crypto.randomUUID()), [422, 'unknown-reference'])
    assert.deepEqual(await refusal(a.id, 'NOWHERE-1'), [422, 'unknown-reference'])
    assert.deepEqual(await refusal(a.id, a.key), [422, 'self-merge'])
    assert.deepEqual(await refusal(crypto.randomUUID(), a.id), [404, 'not-found'])
    assert.deepEqual(await refusal(a.id, b.id, eve), [404, 'not-found'])
    assert.deepEqual(await refusal(a.id, b.id, rita), [403, 'forbidden'])
    await merge(a.id, b.id)
    await merge(b.id, c.id)
    const { body } = await merge((await ask()).id, a.id)
    assert.deepEqual([body.code, body.mergedInto], ['target-merged', c.id])
    assert.deepEqual(await refusal(a.id, c.id), [422, 'item-merged'])
    const first = await bob.ask('POST', `/item/${a.id}/unmerge`)
    assert.deepEqual([first.status, first.body.code], [422, 'target-merged'])
  })

  test('a merged item refuses every change and names its target', async () => {
    const [a, b, c] = [await ask(), await ask(), await ask()]
    await merge(a.id, b.id)
    await merge(b.id, c.id)
    for (const [method, path, body] of [
      ['PUT', `/item/${a.id}`, { title: 'New' }],
      ['PUT', `/ticket/${a.id}`, { title: 'New' }],
      ['POST', '/annotation', { itemId: a.id, body: 'Hello' }],
      ['POST', `/ticket/${a.id}/reply`, { body: 'Hello' }],
      ['POST', `/ticket/${a.id}/reopen`, undefined],
      ['POST', `/item/${a.id}/split`, { title: 'Part' }],
    ] as const) {
      const answer = await bob.ask(method, path, { body })
      assert.deepEqual([answer.status, answer.body.code], [422, 'item-merged'], path)
      assert.ok([b.id, c.id].includes(answer.body.mergedInto), path)
    }
  })

  test('of two concurrent merges of two items into each other, one succeeds', async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await furnished(), await furnished()]
      const [one, two] = await Promise.all([merge(a, b), merge(b, a, ada)])
      assert.deepEqual([one.status, two.status].sort(), [200, 422])
      const into = [await ada.get(`/item/${a}`), await ada.get(`/item/${b}`)].map(each => each.mergedInto)
      assert.equal(into.filter(each => each !== '').length, 1)
    }
  })

  test('an annotation that is written during a merge is not lost', async () => {
    for (let round = 0; round < 6; round++) {
      const [a, b] = [await furnished(), await ask()]
      const stayed = (await ada.get(`/item/${a}/annotations`)).length
      const speak = (who: Person) => who.ask('POST', '/annotation', { body: { itemId: a, body: 'At once' } })
      const later = async (who: Person) => {
        await new Promise(resolve => setTimeout(resolve, Math.random() * 60))
        return await speak(who)
      }
      const many = [bob, carl, ada].flatMap(who => [later(who), later(who), later(who), later(who)])
      const answers = await Promise.all([...many, merge(a, b.id)])
      assert.ok(answers.every(each => [200, 201, 422].includes(each.status)))
      const said = answers.filter(each => each.status === 201).length
      assert.equal((await ada.get(`/item/${a}/annotations`)).length, 0)
      assert.equal((await ada.get(`/item/${b.id}/annotations`)).length, stayed + said)
    }
  })

  test('a split moves annotations to a new item, which is linked and has the same requester', async () => {
    const ticket = await ask({ requester: { userId: rita.id } })
    const [stays, goes] = [
      await say(ticket.id, { kind: annotationKind.reply }),
      await say(ticket.id, { kind: annotationKind.reply }),
    ]
    const answer = await bob.ask('POST', `/ticket/${ticket.id}/split`, {
      body: { title: 'The printer', annotationIds: [goes.id], containerId: other.id },
    })
    assert.equal(answer.status, 201)
    assert.equal(answer.headers.get('location'), `/api/ticket/${answer.body.id}`)
    const { id, requesterId, containerId } = answer.body
    assert.deepEqual([requesterId, containerId], [rita.id, other.id])
    const ids = async (item: string) => (await rita.get(`/item/${item}/annotations`)).map((each: Any) => each.id)
    assert.deepEqual([await ids(ticket.id), await ids(id)], [[stays.id], [goes.id]])
    assert.equal((await bob.get(`/item/${id}/links`)).length, 1)
    const foreign = await bob.ask('POST', `/item/${ticket.id}/split`, {
      body: { title: 'x', annotationIds: [goes.id] },
    })
    assert.deepEqual([foreign.status, foreign.body.code], [422, 'said-elsewhere'])
    assert.ok((await happened(6)).includes('item.split'))
  })
})
