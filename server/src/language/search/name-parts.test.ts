import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'

describe('lists by parts of names', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const names = ['Café Löwe 100%', 'Lion_House [A]', 'ЛЕВ в доме', 'x', 'Nothing of it']
  for (const [i, name] of names.entries()) await ada.post('/finance/crm', { name, code: `K-${i}` })

  const shown = (all: { name: string }[]) => all.map(each => names.indexOf(each.name)).join(' ')
  const listed = async (filter: string, text: string, who = ada) =>
    shown(await who.get(`/finance/crm?${filter}=${encodeURIComponent(text)}&limit=50`))

  const cases: [filter: string, text: string, found: string][] = [
    ['name[contains]', 'LOW', '0'],
    ['name[contains]', 'cafe l', '0'],
    ['name[contains]', '0%', '0'],
    ['name[contains]', 'n_h', '1'],
    ['name[contains]', 'e [', '1'],
    ['name[contains]', 'лев', '2'],
    ['name[contains]', 'x', '3'],
    ['name[contains]', 'q', ''],
    ['name[contains]', 'xx', ''],
    ['name[contains]', '%', '0'],
    ['name[contains]', 'lowe,Lion,qqq', '0 1'],
    ['name[startsWith]', 'n', '4'],
    ['name[startsWith]', 'lio', '1'],
    ['name[startsWith]', 'house', ''],
    ['name[endsWith]', ']', '1'],
    ['name[endsWith]', 'of it', '4'],
    ['name[endsWith]', 'nothing', ''],
    ['name[matches]', '^caf. l', '0'],
    ['name[matches]', 'house', '1'],
    ['code[contains]', 'k-3', '3'],
    ['code[endsWith]', '-4', '4'],
    ['NAME[contains]', 'low', '0'],
  ]
  for (const [filter, text, found] of cases)
    test(`${filter}=${text}`, async () => assert.equal(await listed(filter, text), found))

  test('a list has what other lists have: an order, pages, a count', async () => {
    const page = await ada.ask('GET', '/finance/crm?name[contains]=o&sort=-name&limit=1&count=exact')
    const total = Number(page.headers.get('x-total-count'))
    assert.ok(total >= 3 && page.headers.get('x-next-cursor'), String(total))
    const all = await ada.get('/finance/crm?name[contains]=o&sort=-name')
    assert.equal(all.length, total)
    const cursor = encodeURIComponent(String(page.headers.get('x-next-cursor')))
    const next = await ada.get(`/finance/crm?name[contains]=o&sort=-name&limit=1&count=exact&cursor=${cursor}`)
    assert.deepEqual(next, [all[1]])
  })

  test('users, labels, containers and documents are found by parts of theirs', async () => {
    await person({
      name: 'Rita Vögel',
      email: 'rita@voegel.example',
      role: roleCode.requester,
      kind: userKind.requester,
    })
    await ada.post('/label', { name: 'Voegeli' })
    await ada.post('/container', { name: 'Vogelhaus', key: 'VOG' })
    await ada.post('/docs/doc', { name: 'On vögel' })
    const found = async (path: string) => (await ada.get(path)).map((each: { name: string }) => each.name)
    assert.deepEqual(await found('/user?name[contains]=voge'), ['Rita Vögel'])
    assert.deepEqual(await found('/user?email[startsWith]=RITA@V'), ['Rita Vögel'])
    assert.deepEqual(await found('/label?name[contains]=oeg'), ['Voegeli'])
    assert.deepEqual(await found('/container?name[startsWith]=vo'), ['Vogelhaus'])
    assert.deepEqual(await found('/container?key[endsWith]=og'), ['Vogelhaus'])
    assert.deepEqual(await found('/docs/doc?name[endsWith]=gel'), ['On vögel'])
  })

  test('a new name is found, and the old one is not; a deleted record with the deleted ones only', async () => {
    const { id } = await ada.post('/finance/crm', { name: 'Zebra' })
    await ada.must('PATCH', `/finance/crm/${id}`, { body: { name: 'Quagga' } })
    assert.deepEqual(await ada.get('/finance/crm?name[contains]=ebr'), [])
    assert.equal((await ada.get('/finance/crm?name[contains]=agg'))[0]?.id, id)
    await ada.delete(`/finance/crm/${id}`)
    assert.deepEqual(await ada.get('/finance/crm?name[contains]=agg'), [])
    assert.equal((await ada.get('/finance/crm?name[contains]=agg&deleted=only'))[0]?.id, id)
    await ada.must('POST', `/finance/crm/${id}/restore`)
    assert.equal((await bob.get('/finance/crm?name[contains]=agg'))[0]?.id, id)
  })

  test('names of another tenant are not found', async () => {
    assert.equal(await listed('name[contains]', 'lion', eve), '')
    assert.equal(await listed('name[contains]', 'o', eve), '')
  })

  test('what the caller does not see can be no filter', async () => {
    const rob = await person({ name: 'Rob', role: roleCode.requester, kind: userKind.requester })
    const refused = await rob.ask('GET', '/user?email[contains]=a')
    assert.equal(refused.status, 400)
    assert.deepEqual(
      refused.body.Fields.map((each: { Field: string }) => each.Field),
      ['email[contains]'],
    )
  })

  test('a pattern that cannot be read, and an operator of a text without such an index, are refused', async () => {
    for (const filter of ['name[matches]=(', 'address[contains]=a', 'name[search]=a']) {
      const refused = await ada.ask('GET', `/finance/crm?${filter}`)
      assert.equal(refused.status, 400, filter)
      assert.equal(refused.body.Fields.length, 1, filter)
    }
  })
})
