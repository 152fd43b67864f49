import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'

const { base } = await sharedTestService()
const ask = async (path: string, headers = {}) => {
  const response = await fetch(`${base}${path}`, { headers })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

test('the page loads only files of the service', async () => {
  const page = await ask('/docs')
  assert.equal(page.status, 200)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  const policy = page.headers.get('content-security-policy') ?? ''
  for (const rule of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ])
    assert.ok(policy.includes(rule), rule)
  assert.doesNotMatch(policy, /unsafe|\*|https?:/)
  const loaded = [...page.text.matchAll(/<(?:script|link|img|iframe)[^>]*(?:src|href)="([^"]+)"/g)].map(
    match => match[1] ?? '',
  )
  assert.deepEqual(
    loaded.filter(each => !each.startsWith('data:')),
    ['/docs/docs.css', '/docs/docs.js'],
  )
  assert.doesNotMatch(
    page.text,
    /<script(?![^>]*src=)|<style| on\w+="| style="/,
    'nothing inline: the policy would stop it',
  )
  const files = new Set(loaded.filter(each => each.startsWith('/')))
  for (const file of files) {
    const { status, text } = await ask(file)
    assert.equal(status, 200, file)
    for (const [, imported] of text.matchAll(/^import .* from '\.\/([^']+)'/gm)) files.add(`/docs/${imported}`)
    assert.doesNotMatch(text, /\burl\(|innerHTML|eval\(/)
    if (file.endsWith('.css')) assert.doesNotMatch(text, /@import/)
  }
})

test('every link of the guide has a target', async () => {
  const { text } = await ask('/docs')
  const document = JSON.parse((await ask('/openapi/v1.json')).text)
  const operations = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap(path =>
    Object.values(path).map(each => each.operationId),
  )
  const places = new Set([...operations, ...[...text.matchAll(/ id="([\w-]+)"/g)].map(match => match[1])])
  for (const [, place] of text.matchAll(/href="#([^"]*)"/g)) assert.ok(places.has(place), `#${place}`)
  assert.equal(new Set(operations).size, operations.length, 'each operation has its own anchor')
})

test('a cached copy is confirmed with 304, and other replies are compressed', async () => {
  const first = await ask('/openapi/v1.json', { 'accept-encoding': 'gzip' })
  assert.equal(first.headers.get('content-encoding'), 'gzip')
  assert.equal((await ask('/openapi/v1.json', { 'if-none-match': first.headers.get('etag') ?? '' })).status, 304)
  assert.equal((await ask('/openapi/v1.json', { 'accept-encoding': 'identity' })).text, first.text)
})
