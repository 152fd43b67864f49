import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownPath } from './own-path.ts'

test('own pages are kept, with query and fragment', () => {
  for (const path of ['/', '/work', '/item/OPS-42?tab=files#c3', '/list?q=a%20b&x=//y', '/a/b/', '/@ana', '/a:b'])
    assert.equal(ownPath(path), path)
  assert.equal(ownPath('/a/../b'), '/b')
})

test('no spelling leads to another host, or back into the sign-in', () => {
  const foreign = [
    '',
    'evil.example',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r/evil.example',
    '\t//evil.example',
    ' //evil.example',
    'https://evil.example',
    'https:evil.example',
    'https:/evil.example',
    'HTTPS://evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    '/.//evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    '/%2e%2e//evil.example',
    '/%2e//evil.example',
    '/a/%2E%2E//evil.example',
    '/./\\evil.example',
    '/..\\/evil.example',
    '/\u0000/evil.example',
    '/é//evil.example',
    '/\u2028',
    '/a b',
    '@evil.example',
    '?to=//evil.example',
    '#//evil.example',
    `/${'a'.repeat(2001)}`,
    '/sign-in',
    '/sign-in?to=/',
    '/SIGN-IN',
    '/signed-in?code=1',
    '/sign-out',
    '/oauth/logout',
    '/x/../oauth/auth',
  ]
  for (const to of foreign) assert.equal(ownPath(to), undefined, JSON.stringify(to))
  for (const to of [undefined, null, 5, ['/a', '/b'], {}]) assert.equal(ownPath(to), undefined)
})

test('whatever is kept stays at the host that it is added to', () => {
  const pieces = [
    '/',
    '//',
    '\\',
    '.',
    '..',
    '%2e',
    '%2f',
    '%5c',
    'a',
    '@',
    ':',
    '?',
    '#',
    '\t',
    'evil.example',
    ';',
    '%09',
    '%00',
  ]
  let kept = 0
  for (let i = 0; i < pieces.length ** 3; i++) {
    const to = [i, i / pieces.length, i / pieces.length ** 2].map(n => pieces[Math.floor(n) % pieces.length]).join('')
    for (const each of [to, `/${to}`, `/${to}evil.example`]) {
      const path = ownPath(each)
      if (path === undefined) continue
      kept++
      // As the header is sent, and as a browser would read the path alone.
      assert.equal(new URL(`http://gantry.localhost${path}`).host, 'gantry.localhost', each)
      assert.equal(new URL(path, 'http://gantry.localhost/sign-in').host, 'gantry.localhost', each)
    }
  }
  assert.ok(kept > 1000, String(kept))
})
