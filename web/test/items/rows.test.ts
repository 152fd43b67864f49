import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { statusCategory } from '../../../server/src/items/status.ts'
import { roleCode } from '../../../server/src/kernel/access.ts'
import { sharedTestService } from '../../../server/test/support/people.ts'
import { until } from '../../../server/test/support/until.ts'
import { webPassword } from '../../../server/test/support/web-user.ts'
import { openBrowsers, refuseFaults, textOf, withoutBrowser } from '../browser.ts'

describe('rows and cards', { skip: withoutBrowser }, async () => {
  const { ada, person, base } = await sharedTestService()
  const { sit } = await openBrowsers({ base })
  const email = 'ana.rows@example.com'
  before(async () => {
    const ana = await person({ name: 'Ana Marković', email, role: roleCode.manager })
    await ada.post(`/user/${ana.id}/password`, { password: webPassword })
  })
  const titles = (page: Page) => page.locator('.lrow .tt').allTextContents()

  test('a new rank is painted before the service answers, and goes back if it is refused', async () => {
    const { id: containerId, key } = await ada.post('/container', { name: 'Ranks', key: 'RANKS' })
    for (const title of ['One', 'Two', 'Three']) await ada.post('/item', { title, containerId })
    const seat = await sit(email, `/container/${key}?sort=rank`)
    const { page } = seat
    await page.locator('.lrow .tt').nth(2).waitFor()
    const [first = ''] = await titles(page)
    await page.keyboard.press('j')
    const held = Promise.withResolvers<void>()
    await page.route('**/rank', async route => {
      await held.promise
      await route.continue()
    })
    await page.keyboard.press('Alt+ArrowDown')
    await page.keyboard.press('Alt+ArrowDown')
    await until(async () => (await titles(page))[2] === first)
    const painted = await titles(page)
    held.resolve()
    const order = async () => (await ada.get(`/item?containerId=${containerId}&sort=rank`)).map(titleOf)
    await until(async () => JSON.stringify(await order()) === JSON.stringify(painted))
    refuseFaults(seat)
    await page.unroute('**/rank')
    // The neighbour is gone when the request arrives.
    const [, above] = await ada.get(`/item?containerId=${containerId}&sort=rank`)
    await page.route('**/rank', async route => {
      await ada.delete(`/item/${above.id}`)
      await route.continue()
    })
    await page.keyboard.press('Alt+ArrowUp')
    const rest = painted.filter(title => title !== above.title)
    await until(async () => JSON.stringify(await titles(page)) === JSON.stringify(rest))
    assert.deepEqual(await order(), rest)
  })

  test('a list that was asked for before a rank, and comes after it, does not bring the old order back', async () => {
    const { id: containerId, key } = await ada.post('/container', { name: 'Late lists', key: 'LATE' })
    for (const title of ['One', 'Two', 'Three']) await ada.post('/item', { title, containerId })
    const seat = await sit(email, `/container/${key}?sort=rank`)
    const { page } = seat
    await page.locator('.lrow .tt').nth(2).waitFor()
    const [first = '', ...others] = await titles(page)
    const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const isSearch = /\/api\/item\/search/
    await page.route(
      isSearch,
      async route => {
        const { pathname, search } = new URL(route.request().url())
        const { body } = await ada.ask('POST', pathname.replace('/api', '') + search, {
          body: route.request().postDataJSON(),
        })
        asked.resolve()
        await held.promise
        await route.fulfill({ json: body }).catch(() => undefined) // the page may no longer want it
      },
      { times: 1 },
    )
    await ada.post('/item', { title: 'Four', containerId })
    await asked.promise
    await page.keyboard.press('j')
    await Promise.all([
      page.waitForResponse(each => each.url().endsWith('/rank') && each.ok()),
      page.keyboard.press('Alt+ArrowDown'),
    ])
    held.resolve()
    const rest = () => titles(page).then(all => all.filter(title => title !== 'Four'))
    await page.getByRole('row').filter({ hasText: 'Four' }).waitFor()
    const [second = '', third = ''] = others
    assert.deepEqual(await rest(), [second, first, third])
    refuseFaults(seat)
  })

  test('a new item does not leave its list for a moment when the list of the service has it', async () => {
    const { id: containerId, key } = await ada.post('/container', { name: 'Steady', key: 'STEADY' })
    await ada.post('/item', { title: 'Known', containerId })
    const seat = await sit(email, `/container/${key}`)
    const { page } = seat
    await page.locator('.lrow .tt').first().waitFor()
    await page.evaluate(`window.fewer = []
      let before = []
      new MutationObserver(() => {
        const now = [...document.querySelectorAll('.lrow .tt')].map(each => each.textContent)
        if (before.some(each => !now.includes(each))) window.fewer.push(now.join())
        before = now
      }).observe(document.querySelector('.listpane'), { subtree: true, childList: true, characterData: true })`)
    await page.keyboard.press('c')
    const line = page.getByRole('combobox', { name: 'Title' })
    await line.waitFor()
    const listed = page.waitForResponse(
      async answer => answer.url().includes('/item/search') && (await textOf(answer)).includes('Added'),
    )
    await page.keyboard.type('Added')
    await page.keyboard.press('Enter')
    await page.getByRole('row').filter({ hasText: 'Added' }).waitFor()
    await listed
    await page.getByRole('row').filter({ hasText: 'STEADY-2' }).waitFor()
    await page.waitForTimeout(100)
    assert.deepEqual(await page.evaluate('window.fewer'), [])
    refuseFaults(seat)
  })

  test('cards count their sub-items again when somebody else closes, adds or deletes one', async () => {
    const { id: containerId, key } = await ada.post('/container', { name: 'Counts', key: 'COUNTS' })
    const shelf = await ada.post('/item', { title: 'Shelf', containerId })
    const child = await ada.post('/item', { title: 'Screw', containerId, parentId: shelf.id })
    await ada.post('/board', { name: 'Counts', containerIds: [containerId], columnField: 'priority' })
    const seat = await sit(email, `/container/${key}?view=board`)
    const card = seat.page.getByRole('article', { name: 'Shelf' })
    const counts = (text: string) => card.getByRole('img', { name: `${text} sub-items done` }).waitFor()
    await counts('0 of 1')
    await ada.put(`/item/${child.id}`, { statusCategory: statusCategory.done })
    await counts('1 of 1')
    const other = await ada.post('/item', { title: 'Board', containerId, parentId: shelf.id })
    await counts('1 of 2')
    await ada.delete(`/item/${other.id}`)
    await counts('1 of 1')
    refuseFaults(seat)
  })

  test('a row has the labels that fit, and the number of the others', async () => {
    const { id: containerId, key } = await ada.post('/container', { name: 'Labels', key: 'LABELS' })
    const Tags = ['alpha', 'beta', 'gamma', 'a label that is long', 'omega']
    await ada.post('/item', { title: 'Labelled', containerId, Tags })
    const { page } = await sit(email, `/container/${key}`)
    const labels = page.locator('.lrow .tags')
    await labels.waitFor()
    const [shown = ''] = await labels.allTextContents()
    const names = shown.match(/#/g)?.length ?? 0
    assert.ok(names > 1 && names < Tags.length, shown)
    assert.match(shown, new RegExp(`\\+${Tags.length - names}$`))
  })
})

const titleOf = ({ title }: { title: string }) => title
