import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { documentState } from '../../documents/document-state.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { annotationKind } from '../annotation/annotation.ts'
import { placeOf } from './document-anchor.ts'

test('a passage is found again at the occurrence nearest to where it was', () => {
  for (const [anchor, text, place] of [
    [{ from: 4, to: 7, quote: 'two' }, 'one two three', { from: 4, to: 7 }],
    [{ from: 4, to: 7, quote: 'two' }, 'new: one two three', { from: 9, to: 12 }],
    [{ from: 4, to: 7, quote: 'two' }, 'two two two', { from: 4, to: 7 }],
    [{ from: 9, to: 12, quote: 'two' }, 'two, two', { from: 5, to: 8 }],
    [{ from: 4, to: 7, quote: 'two' }, 'one 2 three', undefined],
    [{ from: 3, to: 3, quote: '' }, 'one two', { from: 3, to: 3 }],
    [{ from: 30, to: 30, quote: '' }, 'one two', undefined],
  ] as const)
    assert.deepEqual(placeOf(anchor, text), place, text)
  assert.equal(placeOf({ from: 0, to: 1, quote: 'a' }, 'b'.repeat(1_000_000)), undefined)
})

describe('comments on a document', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const rita = await person({ name: 'Rita', role: roleCode.requester, kind: userKind.requester })

  async function document(body: string, more: object = {}) {
    const made = await ada.post('/docs/doc', { name: 'Manual', ...more })
    await write(ada, made.id, body)
    return made
  }
  const write = (who: Person, id: string, body: string) =>
    who.must('PUT', `/docs/content/${id}`, { body: { body }, headers: { 'if-match': '*' } })
  const about = (ownerId: string) => ({ owner: ownerKind.document, ownerId, kind: annotationKind.note })

  test('quote the text that they are about, and follow it through later versions', async () => {
    const { id } = await document('One two three.')
    const note = await bob.post('/annotation', { ...about(id), body: 'why?', anchor: { from: 4, to: 7, quote: 'lie' } })
    assert.deepEqual(note.anchor, { from: 4, to: 7, quote: 'two', version: 2 })
    const answer = await ada.post('/annotation', { ...about(id), body: 'so', replyToId: note.id })
    const places = async () =>
      (await bob.get(`/docs/doc/${id}/comments`)).map((each: { id: string; place: unknown }) => [each.id, each.place])
    assert.deepEqual(await places(), [
      [note.id, { from: 4, to: 7 }],
      [answer.id, null],
    ])
    await write(bob, id, 'First: one two three.')
    assert.deepEqual((await places())[0], [note.id, { from: 11, to: 14 }])
    await write(bob, id, 'Nothing of that.')
    assert.deepEqual((await places())[0], [note.id, null])
    await bob.must('POST', `/annotation/${note.id}/resolve`)
    assert.notEqual((await bob.get(`/docs/doc/${id}/comments`))[0].resolvedAt, null)
    const page = await bob.ask('GET', `/docs/doc/${id}/comments?limit=1`)
    assert.match(page.headers.get('link') ?? '', new RegExp(`after=${note.id}`))
    assert.deepEqual((await bob.get(`/docs/doc/${id}/comments?after=${note.id}`)).length, 1)
  })

  test('lie within the text of a version that exists', async () => {
    const { id } = await document('short')
    for (const [anchor, status, field] of [
      [{ from: 3, to: 2 }, 400, 'anchor.to'],
      [{ from: 0, to: 6 }, 400, 'anchor.to'],
      [{ from: 0, to: 1, version: 99 }, 201, ''],
    ] as const) {
      const answer = await bob.ask('POST', '/annotation', { body: { ...about(id), body: 'x', anchor } })
      assert.deepEqual([answer.status, answer.body.Fields?.[0]?.Field ?? ''], [status, field])
    }
    const { body } = await bob.ask('GET', `/docs/doc/${id}/comments?limit=0&after=x`)
    assert.deepEqual(
      body.Fields.map((each: { Field: string }) => each.Field),
      ['limit', 'after'],
    )
  })

  test('are read by whoever reads the document; internal ones not by requesters', async () => {
    const { id } = await document('text', { state: documentState.public })
    await bob.post('/annotation', { ...about(id), body: 'internal' })
    const open = await bob.post('/annotation', { ...about(id), kind: annotationKind.update, body: 'for all' })
    assert.deepEqual(
      (await rita.get(`/docs/doc/${id}/comments`)).map((each: { id: string }) => each.id),
      [open.id],
    )
    assert.equal((await eve.ask('GET', `/docs/doc/${id}/comments`)).status, 404)
  })
})
