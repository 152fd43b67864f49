import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../server/test/support/people.ts'

const web = join(import.meta.dirname, '../..')

describe('the addresses of the web app', async () => {
  const { base } = await sharedTestService()
  const page = (path: string) => fetch(base + path, { headers: { accept: 'text/html' }, redirect: 'manual' })

  test('the service knows the first segment of every route', () => {
    const known: string[] = JSON.parse(readFileSync(join(web, 'public/addresses.json'), 'utf8'))
    const routes = readFileSync(join(web, 'src/app.tsx'), 'utf8').matchAll(/path: '\/([^/']*)/g)
    assert.deepEqual([...new Set(Array.from(routes, ([, segment]) => segment))].sort(), known.sort())
  })

  test('each of them answers the page of the app, which loads nothing from elsewhere', async () => {
    for (const path of ['/', '/container/OPS', '/item/OPS-1']) {
      const answer = await page(path)
      assert.equal(answer.status, 200, path)
      assert.match(await answer.text(), /<div id="app">/, path)
      assert.match(
        answer.headers.get('content-security-policy') ?? '',
        /default-src 'none'.*require-trusted-types-for 'script'/,
      )
    }
  })

  test('no other address of the service is taken over by it', async () => {
    for (const path of [
      '/api/nothing',
      '/oauth/nothing',
      '/.well-known/nothing',
      '/metrics/nothing',
      '/nothing',
      '/docs',
      '/invitation/nothing',
    ])
      assert.doesNotMatch(await (await page(path)).text(), /<div id="app">/, path)
  })

  test('files with a digest in their name are kept for ever, the page is asked for again', async () => {
    const html = await page('/')
    assert.equal(html.headers.get('cache-control'), 'no-cache')
    const again = await fetch(`${base}/`, { headers: { 'if-none-match': html.headers.get('etag') ?? '' } })
    assert.equal(again.status, 304)
    const [script = ''] = /\/assets\/[^"]+\.js/.exec(await html.text()) ?? []
    const asset = await fetch(base + script, { headers: { 'accept-encoding': 'br' } })
    assert.equal(asset.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.equal(asset.headers.get('content-encoding'), 'br')
  })
})
