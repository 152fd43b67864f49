import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'
import { ownerKind } from '../../records/references/owner.ts'

interface Hit {
  kind: string
  entity: string
  id: string
  key?: string
  title: string
  container: { id: string } | null
}

describe('a search by names', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const desk = await ada.post('/container', { name: 'Zebra desk', key: 'ZED', kind: containerKind.desk })
  const vault = await ada.post('/container', { name: 'Zoo vault', key: 'ZV', private: true })
  const rita = await person({ name: 'Zita Rich', role: roleCode.requester, kind: userKind.requester })
  const zoe = await person({ name: 'Zoé Ångström' })
  const made: Record<string, string> = {}
  for (const [i, title] of ['Zipper is stuck', 'A zipper again', 'Quiet'].entries())
    made[title] = (
      await ada.post('/item', { title, containerId: desk.id, ...(i === 2 ? { requesterId: rita.id } : {}) })
    ).id
  const secret = await ada.post('/item', { title: 'Zinc', containerId: vault.id })
  const hushed = await ada.post('/item', { title: 'Zorro', containerId: desk.id, visibility: 2 })
  await ada.post('/finance/crm', { name: 'Zimmer & Zink', code: 'ZZ1' })
  await ada.post('/board', { name: 'Zone board', owner: ownerKind.container, ownerId: vault.id })
  const filter = await ada.post(`/container/${desk.id}/filter`, { name: 'Zero open' })
  await ada.post('/docs/doc', { name: 'Zen of support' })
  const all = 'kind=item,user,container,filter,board,crm,file,document,annotation&limit=100'
  const find = async (q: string, who: Person = ada, query = all): Promise<Hit[]> =>
    await who.get(`/search?q=${encodeURIComponent(q)}&${query}`)
  const titles = async (q: string, who: Person = ada, query = all) =>
    (await find(q, who, query)).map(each => each.title)

  test('finds every kind from one letter on, keys first, then names, then words in them', async () => {
    const found = await find('z')
    assert.deepEqual([...new Set(found.map(each => each.kind))].sort(), [
      'board',
      'container',
      'crm',
      'document',
      'filter',
      'item',
      'user',
    ])
    const named = found.map(each => each.title)
    assert.ok(['Zebra desk', 'Zoo vault', 'Zimmer & Zink'].includes(named[0] ?? ''), named.join())
    assert.equal(named.at(-1), 'A zipper again', 'a word within the title comes last')
    assert.deepEqual((await titles('zi', ada, 'kind=item')).slice(-1), ['A zipper again'])
    assert.deepEqual((await titles('zed'))[0], 'Zebra desk')
    assert.deepEqual(await titles('zoe an'), ['Zoé Ångström'])
    assert.deepEqual(await titles('zo ', ada, 'kind=user'), [], 'a space ends the word')
    assert.deepEqual(await titles('Zebra', ada, 'kind=user,crm'), [])
    const [hit] = await find('zero')
    assert.deepEqual(
      [hit?.kind, hit?.entity, hit?.id, hit?.container?.id],
      ['filter', 'ContainerFilter', filter.id, desk.id],
    )
  })

  test('a key and its beginning come before titles', async () => {
    for (let i = 0; i < 9; i++) await ada.post('/item', { title: `Filler ${i}`, containerId: desk.id })
    const keys = (await find('zed-1', ada, 'kind=item')).map(each => each.key)
    assert.equal(keys[0], 'ZED-1')
    assert.deepEqual(keys.slice(1).sort(), ['ZED-10', 'ZED-11', 'ZED-12', 'ZED-13'])
    assert.deepEqual(await titles('ZED-99999', ada, 'kind=item'), [])
  })

  test('has what the caller may see, and nothing else', async () => {
    const ofBob = await find('z', bob)
    for (const hidden of [vault.id, secret.id, hushed.id]) assert.ok(ofBob.every(each => each.id !== hidden))
    assert.ok(!ofBob.some(each => each.title === 'Zone board'), 'a board of a private container')
    assert.ok(ofBob.some(each => each.id === zoe.id))
    assert.deepEqual(await titles('z', eve), [])
    assert.deepEqual((await find('z', rita)).map(each => each.title).sort(), ['Zebra desk', 'Zita Rich'])
    assert.deepEqual(await titles('qui', rita), ['Quiet'])
  })

  test('follows changes of names and deletions', async () => {
    await ada.put(`/container/${desk.id}/filter/${filter.id}`, { name: 'Xylo' })
    assert.deepEqual([await titles('zero'), await titles('x')], [[], ['Xylo']])
    await ada.delete(`/container/${desk.id}/filter/${filter.id}`)
    assert.deepEqual(await titles('x'), [])
    await ada.put(`/item/${made.Quiet}`, { title: 'Xenon' })
    assert.deepEqual(await titles('x', rita), ['Xenon'])
    await ada.put(`/user/${zoe.id}`, { active: false })
    assert.deepEqual(await titles('zoe'), [])
  })

  test('pages have every hit once, and unknown kinds are refused', async () => {
    const seen: string[] = []
    for (let path = `/search?q=z&${all.replace('limit=100', 'limit=3')}`; path !== ''; ) {
      const { body, headers } = await ada.ask('GET', path)
      seen.push(...body.map((each: Hit) => `${each.kind} ${each.id}`))
      path = headers.get('x-next-cursor')
        ? `/search?q=z&${all.replace('limit=100', 'limit=3')}&cursor=${headers.get('x-next-cursor')}`
        : ''
    }
    assert.deepEqual([seen.length, new Set(seen).size], [(await find('z')).length, seen.length])
    assert.equal((await ada.ask('GET', '/search?q=z&kind=house')).status, 400)
  })
})
