import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { roleCode } from '../../kernel/access.ts'
import { ownerKind } from '../../records/references/owner.ts'

const path = '/finance/cost-center'

describe('cost centres', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const boss = await person({ name: 'Boss', role: roleCode.admin })
  const make = (body: object) => boss.post(path, { name: 'Centre', ...body })
  const refusal = async (method: string, at: string, body?: object) => {
    const { status, body: problem } = await boss.ask(method, at, body ? { body } : {})
    return [status, problem.code, problem.Fields?.[0]?.Pointer]
  }

  test('form a tree without cycles', async () => {
    const company = await make({ code: '1000' })
    const sales = await make({ code: '1100', parentId: company.id })
    const north = await make({ code: '1110', parentId: sales.id })
    for (const { id } of [company, sales, north])
      assert.deepEqual(await refusal('PUT', `${path}/${id}`, { parentId: north.id }), [422, 'cycle', '/parentId'])
    const theirs = await eve.post(path, { name: 'Theirs' })
    for (const parentId of [theirs.id, crypto.randomUUID(), 'nothing'])
      assert.deepEqual(await refusal('PUT', `${path}/${north.id}`, { parentId }), [
        422,
        'unknown-reference',
        '/parentId',
      ])
  })

  test('two moves at the same time make no cycle together', async () => {
    const [left, right] = [await make({}), await make({})]
    const moves = [
      boss.ask('PUT', `${path}/${left.id}`, { body: { parentId: right.id } }),
      boss.ask('PUT', `${path}/${right.id}`, { body: { parentId: left.id } }),
    ]
    assert.deepEqual((await Promise.all(moves)).map(({ status }) => status).sort(), [200, 422])
  })

  test('one that records refer to is not deleted, and one is restored after what is above it', async () => {
    const above = await make({})
    const below = await make({ parentId: above.id })
    assert.deepEqual(await refusal('DELETE', `${path}/${above.id}`), [422, 'in-use', undefined])
    const budget = await ada.post('/finance/budget', { owner: ownerKind.costCenter, ownerId: below.id })
    assert.deepEqual(await refusal('DELETE', `${path}/${below.id}`), [422, 'in-use', undefined])
    await ada.delete(`/finance/budget/${budget.id}`)
    await boss.delete(`${path}/${below.id}`)
    await boss.delete(`${path}/${above.id}`)
    assert.deepEqual(await refusal('POST', `${path}/${below.id}/restore`), [422, 'parent-deleted', '/parentId'])
    await boss.post(`${path}/${above.id}/restore`, {})
    assert.equal((await boss.post(`${path}/${below.id}/restore`, {})).parentId, above.id)
  })

  test('have a code of their own regardless of case, and end after they begin', async () => {
    const first = await make({ code: 'KST1', validFrom: '2026-01-01', validTo: '2026-01-01' })
    assert.deepEqual(await refusal('POST', path, { name: 'Two', code: 'kst1' }), [422, 'already-taken', '/code'])
    await eve.post(path, { name: 'Theirs', code: 'KST1' })
    assert.deepEqual(await refusal('PUT', `${path}/${first.id}`, { validFrom: '2026-01-02' }), [
      400,
      'validation',
      '/validTo',
    ])
    assert.deepEqual(
      first.check.map((each: { path: string; code: string }) => [each.path, each.code]),
      [['/validTo', 'ended']],
    )
    const retired = await boss.put(`${path}/${first.id}`, { active: false })
    assert.deepEqual(retired.check, await boss.get(`${path}/${first.id}/check`))
    assert.deepEqual(retired.check, [])
  })

  test('members read them, admins write them, and a change is undone', async () => {
    const { id } = await make({ name: 'Before' })
    assert.equal((await bob.ask('PUT', `${path}/${id}`, { body: { name: 'Mine' } })).status, 403)
    const changed = await boss.ask('PUT', `${path}/${id}`, { body: { name: 'After' } })
    await boss.post(`/change/${changed.headers.get('change-set')}/undo`, {})
    assert.equal((await bob.get(`${path}/${id}`)).name, 'Before')
    assert.equal((await bob.get(`${path}/${id}/history`)).length, 3)
  })

  test('are part of the configuration, as a tree', async () => {
    const [north] = await boss.get(`${path}?code=1110`)
    const child = await make({ code: '0500', parentId: north.id })
    assert.ok(child.id)
    const { kinds, ...document } = await boss.get('/config/export')
    assert.match(kinds.CostCenter['1110'].parentId, /1100/)
    const only = { ...document, kinds: { CostCenter: kinds.CostCenter } }
    assert.deepEqual((await boss.post('/config/plan', { document: only })).steps, [])
    const { planHash } = await eve.post('/config/plan', { document: only })
    await eve.post('/config/apply', { document: only, planHash })
    const [moved] = await eve.get(`${path}?code=0500`)
    assert.equal((await eve.get(`${path}/${moved.parentId}`)).code, '1110')
  })
})
