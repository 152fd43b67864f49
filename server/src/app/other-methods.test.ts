import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { routes } from '../app.ts'
import { mountOtherMethods } from './other-methods.ts'

function mounted(known: string[]) {
  const added: string[] = []
  const app = {
    route: ({ method, url }: RouteOptions) => added.push(...[method].flat().map(each => `${each} ${url}`)),
  } as unknown as FastifyInstance // the only method that is called
  const refuse = mountOtherMethods(app, Object.fromEntries(known.map(route => [route, {}])) as typeof routes)
  return { added, allow: (method: string, url: string) => refuse({ method, url })?.headers?.allow }
}

test('only a method that another address would take becomes a route', () => {
  const { added, allow } = mounted([
    'GET /item',
    'GET /item/:id',
    'PUT /item/:id',
    'POST /item/bulk',
    'GET /item/:id/a',
  ])
  assert.deepEqual(added.sort(), ['GET /api/item/bulk', 'PUT /api/item/bulk'])
  assert.equal(allow('DELETE', '/api/item/bulk'), 'POST')
  assert.equal(allow('PATCH', '/api/item/7?x=/y/z'), 'GET, PUT, HEAD')
  assert.equal(allow('PATCH', '/api/item/7/'), 'GET, PUT, HEAD')
  for (const path of ['/api/item//', '/api', '/', '/api/item/7/b', '/items', '/api/item/7/a/b'])
    assert.equal(allow('PATCH', path), undefined, path)
  assert.equal(allow('PROPFIND', '/api/item'), undefined)
})

test('few routes exist only to refuse', () => {
  const { added } = mounted(Object.keys(routes))
  assert.ok(added.length < Object.keys(routes).length / 4, `${added.length} routes`)
})
