import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Person, sharedTestService } from '../../../test/support/people.ts'
import { annotationKind } from '../../desk/annotation/annotation.ts'
import { roleCode } from '../../kernel/access.ts'
import { newId } from '../../kernel/id.ts'

const noRole = 0

interface Outcome {
  index: number
  id: string
  outcome: string
  status: number
  version?: number
  code?: string
  Fields?: { Field: string; Code: string }[]
}

describe('many records at once', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const item = await ada.post('/item', { title: 'Work' })
  const write = async (who: Person, path: string, rows: unknown, query = '') =>
    await who.ask('POST', `${path}/bulk${query}`, { body: rows })
  const said = (all: Outcome[]) => all.map(each => each.code ?? each.outcome)
  const undo = async (headers: Headers) => await ada.must('POST', `/change/${headers.get('change-set')}/undo`)
  const exists = async (path: string) => (await ada.ask('GET', path)).status === 200

  test('are created and updated each by itself, in their order, and undone as one', async () => {
    const old = await ada.post('/label', { name: 'Bulk old', color: 'red' })
    const foreign = await eve.post('/label', { name: 'Bulk foreign' })
    const rows = [
      { name: 'Bulk one' },
      { name: 'bulk ONE' },
      { id: old.id, color: 'blue' },
      { ID: old.id.toUpperCase(), color: 'blue' },
      { id: foreign.id, color: 'blue' },
      { id: newId(), name: 'Bulk unknown' },
      { color: 'green' },
      { id: 7, color: 'green' },
      'none',
      { id: '', name: 'Bulk two' },
    ]
    const { status, body, headers } = await write(ada, '/label', rows)
    assert.equal(status, 200)
    assert.deepEqual(
      body.map(({ index, status: each, outcome, code }: Outcome) => [index, each, code ?? outcome]),
      [
        [0, 201, 'created'],
        [1, 422, 'already-taken'],
        [2, 200, 'updated'],
        [3, 200, 'unchanged'],
        [4, 404, 'not-found'],
        [5, 404, 'not-found'],
        [6, 400, 'validation'],
        [7, 400, 'validation'],
        [8, 400, 'validation'],
        [9, 201, 'created'],
      ],
    )
    assert.deepEqual([body[1].Fields[0].Field, body[2].version], ['name', 2])
    assert.equal((await ada.get(`/label/${body[0].id}`)).name, 'Bulk one')
    assert.equal((await eve.get(`/label/${foreign.id}`)).version, 1)
    await undo(headers)
    assert.deepEqual([await exists(`/label/${body[0].id}`), await exists(`/label/${body[9].id}`)], [false, false])
    assert.equal((await ada.get(`/label/${old.id}`)).color, 'red')
  })

  test('with atomic, all are written or none; a dry run writes none, and a repeated call one time', async () => {
    const rows = (name: string) => [{ name: `${name} one` }, { name: `${name} two`, aliases: [`${name} three`] }]
    const wrong = [...rows('Atomic'), { name: 'Atomic four', aliases: ['Atomic one'] }]
    const refused = await write(ada, '/label', wrong, '?atomic=true')
    assert.deepEqual(
      [refused.status, refused.body.code, said(refused.body.results), refused.body.Fields[0].Pointer],
      [422, 'entries-refused', ['created', 'created', 'already-taken'], '/2/aliases/0'],
    )
    const named = async (name: string) => (await ada.get('/label')).filter((each: typeof item) => each.name === name)
    const dry = await write(ada, '/label', rows('Atomic'), '?dryRun=true')
    assert.deepEqual([dry.status, await named('Atomic one')], [200, []])
    const once = async () =>
      await ada.ask('POST', '/label/bulk', { body: rows('Atomic'), headers: { 'idempotency-key': 'label-bulk' } })
    const [first, second] = [await once(), await once()]
    assert.deepEqual([second.headers.get('idempotency-replayed'), second.body], ['true', first.body])
    assert.equal((await named('Atomic one')).length, 1)
  })

  test('users are created with the rights that the caller may give, without an invitation', async () => {
    const { RawKey } = await ada.post('/admin/api-key', { name: 'Import', scopes: ['user:write', 'user:read'] })
    const limited = new Person(ada.base, RawKey, ada.id, ada.tenantId)
    const rows = [
      { name: 'Uma', email: 'uma@bulk.example', role: noRole },
      { name: 'Udo', email: 'udo@bulk.example', role: roleCode.admin },
      { name: 'Ute', email: 'UMA@bulk.example', role: noRole },
      { id: bob.id, superAdmin: true },
    ]
    const { body, headers } = await write(limited, '/user', rows)
    assert.deepEqual(said(body), ['created', 'forbidden', 'already-taken', 'forbidden'])
    assert.equal((await ada.get(`/user/${body[0].id}`)).invitedAt, null)
    const more = await write(ada, '/user', [
      { name: 'Ulf', email: 'ulf@bulk.example', role: roleCode.manager },
      { name: 'Ulla', email: 'ulla@bulk.example', managerId: 'uma@bulk.example' },
    ])
    assert.deepEqual(said(more.body), ['created', 'created'])
    assert.equal((await ada.get(`/user/${more.body[1].id}`)).managerId, body[0].id)
    const audited = await ada.get(`/audit?action=rights&changeSetId=${more.headers.get('change-set')}`)
    assert.deepEqual(
      audited.map((each: { recordId: string }) => each.recordId).sort(),
      more.body.map((each: Outcome) => each.id).sort(),
    )
    assert.equal((await write(bob, '/user', [{ name: 'Nobody' }])).status, 403)
    const hal = await person({ name: 'Hal' })
    await ada.post('/access-control', { userId: hal.id, permissions: ['user.create'] })
    const hired = [
      { name: 'Una', email: 'una@bulk.example', role: noRole },
      { name: 'Uwe', email: 'uwe@bulk.example', role: roleCode.admin },
      { id: bob.id, name: 'Robert' },
    ]
    assert.deepEqual(said((await write(hal, '/user', hired)).body), ['created', 'forbidden', 'forbidden'])
    await undo(more.headers)
    await undo(headers)
    assert.equal(await exists(`/user/${body[0].id}`), false)
  })

  test('a refused container leaves nothing behind for the next', async () => {
    const [shop] = (await write(ada, '/container', [{ name: 'Bulk shop', key: 'BULKSHOP' }])).body
    const rows = [
      { id: shop.id, name: 'Bulk sold', key: 'INBOX' },
      { name: 'Bulk twin', key: 'BULKSHOP' },
      { name: 'Bulk yard' },
    ]
    const { body, headers } = await write(ada, '/container', rows)
    assert.deepEqual(said(body), ['already-taken', 'already-taken', 'created'])
    assert.equal((await ada.get(`/container/${shop.id}`)).name, 'Bulk shop')
    const made = await ada.post('/item', { title: 'Yard work', containerId: body[2].id })
    assert.match(made.key, /-1$/)
    await ada.delete(`/item/${made.id}`)
    assert.equal((await write(bob, '/container', rows)).status, 403)
    await undo(headers)
    assert.equal(await exists(`/container/${body[2].id}`), false)
  })

  test('links are made once, by keys, and not in a circle', async () => {
    const [one, two] = [await ada.post('/item', { title: 'One' }), await ada.post('/item', { title: 'Two' })]
    const rows = [
      { fromId: one.key, toId: two.id, type: 'blocks' },
      { fromId: one.id, toId: two.id, type: 'blocks' },
      { fromId: two.id, toId: one.id, type: 'blocks' },
      { fromId: one.id, toId: newId() },
    ]
    const { body, headers } = await write(bob, '/link', rows)
    assert.deepEqual(said(body), ['created', 'unchanged', 'link-cycle', 'unknown-reference'])
    assert.equal(body[0].id, body[1].id)
    assert.deepEqual(said((await write(eve, '/link', rows.slice(0, 1))).body), ['unknown-reference'])
    await undo(headers)
    assert.equal(await exists(`/link/${body[0].id}`), false)
  })

  test('annotations keep ids that the client has made, and only staff writes many', async () => {
    const id = newId()
    const note = await ada.post('/annotation', { itemId: item.id, body: 'By Ada' })
    const rows = [
      { id, itemId: item.id, body: 'First' },
      { id, body: 'Second' },
      { id: note.id, body: 'By Bob' },
      { itemId: item.key, body: 'Answer', replyToId: id, kind: annotationKind.reply },
    ]
    const { body, headers } = await write(bob, '/annotation', rows)
    assert.deepEqual(said(body), ['created', 'updated', 'forbidden', 'reply-internal'])
    assert.deepEqual([body[0].id, (await ada.get(`/annotation/${id}`)).body], [id, 'Second'])
    const rita = await person({ name: 'Rita', role: roleCode.requester })
    assert.equal((await write(rita, '/annotation', [])).status, 403)
    await undo(headers)
    assert.equal(await exists(`/annotation/${id}`), false)
  })

  test('lines are taken, and what is no list of at most 500 is refused', async () => {
    const body = '{"name": "Line one"}\n{"name": \n{"name": "Line two"}\n'
    const lines = await ada.ask('POST', '/label/bulk', { body, headers: { 'content-type': 'application/x-ndjson' } })
    assert.deepEqual(said(lines.body), ['created', 'malformed-json', 'created'])
    assert.deepEqual((await write(ada, '/label', [])).body, [])
    assert.equal((await write(ada, '/label', { name: 'One' })).status, 400)
    const many = Array.from({ length: 501 }, () => ({ name: 'x' }))
    assert.equal((await write(ada, '/label', many)).status, 413)
  })
})
