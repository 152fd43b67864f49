import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routeTable } from './route-table.ts'

const find = routeTable([
  'GET /item',
  'GET /item/:id',
  'PUT /item/:id',
  'POST /item/bulk',
  'GET /item/:id/a',
  'GET /:kind/x/y',
])
const served = (path: string) => [...(find(path)?.served.values() ?? [])]

test('an address is found with the values of its parameters', () => {
  assert.deepEqual(find('/item/7')?.values, ['7'])
  assert.deepEqual(served('/item/7'), ['GET /item/:id', 'GET /item/:id', 'PUT /item/:id'])
  assert.deepEqual([...(find('/item/7')?.served.keys() ?? [])], ['GET', 'HEAD', 'PUT'])
  assert.deepEqual(served('/item/7/'), served('/item/7'))
  assert.deepEqual(find('/item/a%2Fb%20c')?.values, ['a/b c'])
})

test('a fixed segment comes before a parameter, and a parameter where the fixed one leads nowhere', () => {
  assert.deepEqual(served('/item/bulk'), ['POST /item/bulk'])
  assert.deepEqual(find('/item/bulk/a')?.values, ['bulk'])
  assert.deepEqual(find('/item/x/y')?.values, ['item'])
  assert.deepEqual(served('/%69tem/bulk'), ['POST /item/bulk'])
})

test('everything else is unknown', () => {
  for (const path of ['', '/', '/items', '/item//', '//item', '/item/7/b', '/item/7/a/b', `/item/${'x'.repeat(2001)}`])
    assert.equal(find(path), undefined, path)
})
