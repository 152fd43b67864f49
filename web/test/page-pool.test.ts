import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../server/test/support/people.ts'
import { webName } from '../../server/test/support/web-user.ts'
import { openBrowsers, withoutBrowser } from './browser.ts'
import { PagePool } from './page-pool.ts'

describe('a page that goes from one person to the next', { skip: withoutBrowser }, async () => {
  const { base } = await sharedTestService()
  const { visit } = await openBrowsers({ base })
  // A document of the service that runs no script.
  const silent = `${webName}/favicon.svg`
  const openPool = async () => {
    const { context } = await visit(silent)
    return new PagePool(context.browser() ?? assert.fail())
  }

  test('has nothing of the last one', async () => {
    const pool = await openPool()
    const last = await pool.take('ana')
    await last.page.route('**/theme.js', route => route.abort())
    await last.page.setViewportSize({ width: 360, height: 740 })
    await last.context.addCookies([{ name: 'gantry-web', value: 'ana', url: webName }])
    await last.page.goto(silent)
    // A text, because the types of the tests know no page.
    await last.page.evaluate(`Promise.all([
      (localStorage.theme = sessionStorage.theme = name = 'dark'),
      new Promise(done => (indexedDB.open('outbox').onsuccess = done)),
      caches.open('shell'),
    ])`)
    const other = await last.context.newPage()
    await last.context.setOffline(true)
    await pool.giveBack(last)

    const { page, context } = await pool.take('bob')
    assert.ok(page === last.page, 'the same page')
    assert.ok(other.isClosed())
    assert.deepEqual([await context.cookies(), page.viewportSize()], [[], { width: 1440, height: 900 }])
    await page.goto(silent)
    const found = await page.evaluate(`Promise.all([
      localStorage.length, sessionStorage.length, name, indexedDB.databases(), caches.keys(), history.length,
    ])`)
    assert.deepEqual(found, [0, 0, '', [], [], 1])
    // The network is back, and nobody holds a request.
    assert.ok(await page.goto(`${webName}/theme.js`))
    await context.close()
  })

  test('is not used again if it was closed, and refuses what cannot be taken back', async () => {
    const pool = await openPool()
    const last = await pool.take('ana')
    assert.throws(() => last.context.newCDPSession(last.page), /sits apart/)
    await last.page.close()
    await pool.giveBack(last)
    const { page, context } = await pool.take('ana')
    assert.ok(page !== last.page, 'another page')
    await context.close()
  })
})
