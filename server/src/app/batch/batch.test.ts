import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../test/support/people.ts'

describe('a batch', async () => {
  const { ada, bob, eve } = await sharedTestService()
  const run = (who: Person, operations: unknown[], more: { query?: string; headers?: Record<string, string> } = {}) =>
    who.ask('POST', `/batch${more.query ?? ''}`, { body: { operations }, headers: more.headers ?? {} })
  const named = async (title: string) => await ada.get(`/item?title=${encodeURIComponent(title)}`)

  /** A container with an item in it, which has a note. */
  const house = (title: string) => [
    { method: 'POST', path: '/container', body: { name: `Batch ${title}` }, as: 'place' },
    {
      method: 'POST',
      path: '/item',
      body: { title, containerId: { $result: 'place.id' }, priority: 'high' },
      as: 'work',
    },
    { method: 'PATCH', path: '/item/{work.key}', body: { description: { $result: '0.name' } }, ifVersion: 1 },
    { method: 'POST', path: '/api/annotation', body: { itemId: { $result: '1.id' }, body: 'Noted' } },
    { method: 'GET', path: '/item?containerId={place.id}&limit=5' },
  ]

  test('runs its operations in order, refers to earlier results, and is undone as one', async () => {
    const step = { method: 'POST', path: '/checklist-entry', body: { itemId: { $result: 'work.id' }, text: 'Keys' } }
    const { status, body, headers } = await run(ada, [...house('House'), step])
    assert.equal(status, 200)
    assert.deepEqual(
      body.results.map((each: { status: number; as?: string }) => [each.status, each.as]),
      [
        [201, 'place'],
        [201, 'work'],
        [200, undefined],
        [201, undefined],
        [200, undefined],
        [201, undefined],
      ],
    )
    const [place, work, changed, note, list] = body.results.map((each: { body: unknown }) => each.body)
    assert.deepEqual([work.containerId, changed.description, changed.version], [place.id, 'Batch House', 2])
    assert.deepEqual([note.itemId, list.length], [work.id, 1])
    const changeSet = headers.get('change-set')
    const { events = [] } = await ada.get(`/change/${changeSet}`)
    assert.ok(events.length >= 4)
    await ada.must('POST', `/change/${changeSet}/undo`)
    assert.equal((await ada.ask('GET', `/item/${work.id}`)).status, 404)
    assert.equal((await ada.ask('GET', `/container/${place.id}`)).status, 404)
  })

  test('keeps nothing if one operation is refused, and says which', async () => {
    const wrong = await run(ada, [
      ...house('Refused'),
      { method: 'POST', path: '/item', body: { title: 'Refused', dueDate: 'soon' } },
    ])
    assert.deepEqual([wrong.status, wrong.body.code, wrong.body.operation], [400, 'validation', 5])
    assert.deepEqual([wrong.body.Fields[0].Pointer], ['/operations/5/body/dueDate'])
    assert.deepEqual(await named('Refused'), [])
    const stale = await run(ada, [
      { method: 'POST', path: '/item', body: { title: 'Refused' }, as: 'one' },
      { method: 'PATCH', path: '/item/{one.id}', body: { title: 'Never' }, ifVersion: 9 },
    ])
    assert.deepEqual([stale.status, stale.body.operation], [412, 1])
    assert.deepEqual(await named('Refused'), [])
  })

  test('has the rights of its caller in each operation', async () => {
    const item = await ada.post('/item', { title: 'Mine' })
    const forbidden = await run(bob, [
      { method: 'POST', path: '/item', body: { title: 'Not kept' } },
      { method: 'POST', path: '/access-control', body: {} },
    ])
    assert.deepEqual([forbidden.status, forbidden.body.code], [422, 'not-in-batch'])
    const role = await run(bob, [{ method: 'POST', path: '/user-group', body: { name: 'Mine' } }])
    assert.deepEqual([role.status, role.body.operation], [403, 0])
    const elsewhere = await run(eve, [{ method: 'PATCH', path: `/item/${item.id}`, body: { title: 'Hers' } }])
    assert.deepEqual([elsewhere.status, elsewhere.body.operation], [404, 0])
    assert.deepEqual(await named('Not kept'), [])
  })

  test('refuses what a transaction cannot take back, unknown addresses and references to nothing', async () => {
    for (const [method, path] of [
      ['POST', '/file'],
      ['POST', '/admin/api-key'],
      ['POST', '/item/bulk'],
      ['POST', '/batch'],
      ['PUT', '/user/me/password'],
      ['GET', '/event/stream'],
    ]) {
      const { status, body } = await run(ada, [{ method, path, body: {} }])
      assert.ok(status === 422 ? body.code === 'not-in-batch' : status === 404, `${method} ${path} ${status}`)
    }
    const refused = async (operation: object) => (await run(ada, [operation])).body
    assert.equal((await refused({ method: 'POST', path: '/nowhere', body: {} })).status, 404)
    const later = await refused({ method: 'POST', path: '/item', body: { title: { $result: '1.title' } } })
    assert.deepEqual([later.Fields[0].Code, later.Fields[0].Pointer], ['reference', '/operations/0/body/title/$result'])
    assert.equal((await refused({ method: 'PATCH', path: '/item/{none.id}', body: {} })).Fields[0].Code, 'reference')
    assert.equal((await refused({ method: 'POST', path: '/item?dryRun=true', body: { title: 'x' } })).status, 400)
    assert.equal((await run(ada, [])).status, 400)
    const many = Array.from({ length: 101 }, () => ({ method: 'GET', path: '/label' }))
    assert.equal((await run(ada, many)).status, 400)
  })

  test('writes each change of rights into the audit log once', async () => {
    const groups = ['One', 'Two'].map(name => ({
      method: 'POST',
      path: '/user-group',
      body: { name: `Audited ${name}` },
    }))
    const { headers, body } = await run(ada, groups)
    const audited = await ada.get(`/audit?action=rights&changeSetId=${headers.get('change-set')}`)
    assert.deepEqual(
      audited.map((each: { recordId: string }) => each.recordId).sort(),
      body.results.map((each: { body: { id: string } }) => each.body.id).sort(),
    )
  })

  test('can be tried without an effect, and repeated by its key with one effect', async () => {
    const tried = await run(ada, house('Tried'), { query: '?dryRun=true' })
    assert.deepEqual([tried.status, tried.body.would.results.length], [200, 5])
    assert.deepEqual(await named('Tried'), [])
    const headers = { 'idempotency-key': 'batch-once' }
    const first = await run(ada, house('Once'), { headers })
    const second = await run(ada, house('Once'), { headers })
    assert.deepEqual([second.headers.get('idempotency-replayed'), second.body], ['true', first.body])
    assert.equal((await named('Once')).length, 1)
  })
})
