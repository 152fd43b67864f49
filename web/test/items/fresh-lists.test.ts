import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { roleCode } from '../../../server/src/kernel/access.ts'
import { sharedTestService } from '../../../server/test/support/people.ts'
import { webPassword } from '../../../server/test/support/web-user.ts'
import { openBrowsers, refuseFaults, withoutBrowser } from '../browser.ts'

describe('a list has what happens while it is fetched, and while it is not shown', {
  skip: withoutBrowser,
}, async () => {
  const { ada, person, base } = await sharedTestService()
  const { sit } = await openBrowsers({ base })
  const email = 'ana.fresh@example.com'
  before(async () => {
    const ana = await person({ name: 'Ana Marković', email, role: roleCode.manager })
    await ada.post(`/user/${ana.id}/password`, { password: webPassword })
  })
  /** By then the page has usually heard of a change; if not, a test proves less and does not fail. */
  const told = 500 // ms
  const row = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title })

  async function newContainer(name: string, key: string) {
    const { id: containerId } = await ada.post('/container', { name, key })
    return { add: (title: string) => ada.post('/item', { title, containerId }) }
  }

  /** Holds the first request until it is told to go on; `early` ones get the answer of the time when they arrived. */
  async function hold(page: Page, address: RegExp, { early = false } = {}) {
    const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route(
      address,
      async route => {
        const request = route.request()
        const { pathname, search } = new URL(request.url())
        const sent = { body: request.postDataJSON() }
        const answer = early && (await ada.ask(request.method(), pathname.replace('/api', '') + search, sent))
        asked.resolve()
        await held.promise
        // The page may no longer want it.
        await (answer ? route.fulfill({ json: answer.body }) : route.continue()).catch(() => undefined)
      },
      { times: 1 },
    )
    return { asked: asked.promise, release: () => held.resolve() }
  }

  for (const [what, key, address] of [
    ['items', 'FIRSTI', /\/api\/item\/search/],
    ['counts', 'FIRSTC', /\/api\/insight\/query/],
  ] as const)
    test(`an item that is created while the first ${what} of a list are on their way`, async () => {
      const { add } = await newContainer(`First ${what}`, key)
      await add('Known')
      const seat = await sit(email, '/profile')
      const { page } = seat
      const { asked, release } = await hold(page, address, { early: true })
      await page.getByRole('link', { name: `First ${what}` }).click()
      await asked
      await add('Created meanwhile')
      await page.waitForTimeout(told)
      release()
      await row(page, 'Created meanwhile').waitFor()
      refuseFaults(seat)
    })

  test('an item that is created while another page is shown', async () => {
    const { add } = await newContainer('Left for a moment', 'LEFT')
    await add('Known')
    const seat = await sit(email, '/container/LEFT')
    const { page } = seat
    await row(page, 'Known').waitFor()
    await page.getByRole('link', { name: 'Inbox' }).first().click()
    await row(page, 'Known').waitFor({ state: 'detached' })
    await add('Created meanwhile')
    await page.waitForTimeout(told)
    await page.goBack()
    await row(page, 'Created meanwhile').waitFor()
    refuseFaults(seat)
  })

  test('an item that this browser creates stays until a list that was asked for later has come', async () => {
    const { add } = await newContainer('Slow lists', 'SLOW')
    await add('Known')
    const seat = await sit(email, '/container/SLOW', { apart: true, prepare: page => page.clock.install() })
    const { page } = seat
    await row(page, 'Known').waitFor()
    const { asked, release } = await hold(page, /\/api\/item\/search/)
    await page.keyboard.press('c')
    await page.getByRole('combobox', { name: 'Title' }).waitFor()
    await page.keyboard.type('Added')
    await page.keyboard.press('Enter')
    await row(page, 'Added').waitFor()
    await asked
    await page.clock.runFor(60_000)
    assert.equal(await row(page, 'Added').count(), 1)
    release()
    await row(page, 'SLOW-2').waitFor()
    assert.equal(await row(page, 'Added').count(), 1)
    refuseFaults(seat)
  })
})
