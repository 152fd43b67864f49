import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { sharedTestService } from '../../test/support/people.ts'
import { operator } from '../language/conditions/conditions.ts'

const places = {
  contains: (key: string, part: string) => key.includes(part),
  startsWith: (key: string, part: string) => key.startsWith(part),
  endsWith: (key: string, part: string) => key.endsWith(part),
}

describe('parts of the keys of items', async () => {
  const { ada, eve, databaseUrl } = await sharedTestService()
  const owner = new pg.Client({ connectionString: databaseUrl })
  await owner.connect()
  after(() => owner.end())
  const renamed = await ada.post('/container', { name: 'Renamed', key: 'OLD12' })
  const before = await ada.post('/item', { title: 'Before', containerId: renamed.id })
  await ada.put(`/container/${renamed.id}`, { key: 'NEW' })
  await ada.post('/item', { title: 'After', containerId: renamed.id })
  const desk = await ada.post('/container', { name: 'Desk', key: 'D1' })
  const shop = await ada.post('/container', { name: 'Shop', key: 'SHOP' })
  await owner.query('set session_replication_role = replica')
  await owner.query(
    `insert into item (tenant_id, id, created, created_by, updated, updated_by, container_id, number, key, title, status, rank)
    select $1, gen_random_uuid(), now(), $2, now(), $2, c.id, n, c.key || '-' || n, 'Item', 'Open', 'x' || n
    from (values ($3::uuid, 'D1'), ($4::uuid, 'SHOP')) c(id, key),
      (select generate_series(1, 130) union select generate_series(990, 1012) union values (12345), (112300), (4500007), (987654321)) n(n)`,
    [ada.tenantId, ada.id, desk.id, shop.id],
  )
  await owner.query('set session_replication_role = origin')
  const all: string[] = (await ada.get('/item?fields=key')).map((each: { key: string }) => each.key)

  const someKeys = ['D1-12345', 'SHOP-112300', 'OLD12-1', 'NEW-2', 'D1-1010', '-987654321']
  const slices = (key: string) =>
    Array.from(key, (_, i) => Array.from(key.slice(i), (_, n) => key.slice(i, i + n + 1))).flat()
  const others = [
    'D1-0',
    '00',
    '000',
    '007',
    '12-1',
    '--',
    '1-',
    'x',
    'D',
    '-',
    '9876543210',
    '1'.repeat(30),
    'd1 ',
    'Ｄ1-99',
  ]
  const parts = [...new Set([...someKeys.flatMap(slices), ...others])].filter(each => each.trim() !== '')

  for (const [place, holds] of Object.entries(places))
    test(`${place} finds the keys that a look at all keys finds`, async () => {
      for (const part of parts) {
        const found = await ada.get(`/item?fields=key&key[${place}]=${encodeURIComponent(part.toLowerCase())}`)
        const plain = part.trim().normalize('NFKD').toUpperCase()
        assert.deepEqual(
          found.map((each: { key: string }) => each.key).sort(),
          all.filter(key => holds(key, plain)).sort(),
          part,
        )
      }
    })

  test('several parts, a pattern, a negation and a count', async () => {
    const keys = async (query: string) =>
      (await ada.get(`/item?fields=key&${query}`)).map((each: { key: string }) => each.key)
    assert.deepEqual((await keys('key[contains]=p-112,new')).sort(), ['NEW-2', 'SHOP-112', 'SHOP-112300'])
    assert.deepEqual(await keys(`key[matches]=${encodeURIComponent('^d1-1234.$')}`), ['D1-12345'])
    const not = { leftSide: 'key', operator: operator.notContains, rightSide: '-112' }
    const rest = await ada.post('/item/search', { conditionGroup: [{ condition: [not] }], fields: 'key' })
    assert.equal(rest.length, all.filter(key => !key.includes('-112')).length)
    const { headers } = await ada.ask('GET', '/item?key[startsWith]=D1-99&limit=1&count=exact')
    assert.equal(headers.get('x-total-count'), '11')
  })

  test('an item keeps the key of its container from before, and is found by it', async () => {
    const [found] = await ada.get('/item?key[startsWith]=old')
    assert.deepEqual([found.id, found.key], [before.id, 'OLD12-1'])
  })

  test('keys of another tenant are not found', async () => {
    assert.deepEqual(await eve.get('/item?key[contains]=987654321'), [])
    assert.deepEqual(await eve.get('/item?key[startsWith]=shop'), [])
  })
})
