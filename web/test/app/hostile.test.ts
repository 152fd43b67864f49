import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { codes } from '@gantry/sdk'
import type { Page } from 'playwright-core'
import { sharedTestService } from '../../../server/test/support/people.ts'
import { webName, webPassword } from '../../../server/test/support/web-user.ts'
import { openBrowsers, refuseFaults, withoutBrowser } from '../browser.ts'

/** Each would set `window.hit` if it ran. */
const hostile = [
  '<img src=x onerror="window.hit=1">',
  '<script>window.hit=1</script>',
  '"><svg onload=window.hit=1>',
  "<a href='javascript:window.hit=1'>x</a>",
  '</bdi></textarea><iframe srcdoc="<script>parent.hit=1</script>">',
]
const markdown = [
  ...hostile,
  '[press](javascript:window.hit=1)',
  '[press](data:text/html,<script>window.hit=1</script>)',
  '![pixel](https://tracker.example/pixel.png)',
  '@[<img src=x onerror="window.hit=1">]',
  '`<img src=x onerror="window.hit=1">`',
  `| a |\n|:-:|\n| <img src=x onerror="window.hit=1"> |`,
].join('\n\n')
const long = 'Donaudampfschifffahrt'.repeat(10)
const rtl = '\u202Eنور <b>الهاشمي</b>'

describe('hostile content', { skip: withoutBrowser }, async () => {
  const { ada, person, base } = await sharedTestService()
  const { sit } = await openBrowsers({ base })
  const mark = Math.random().toString(36).slice(2, 7).replace(/\d/g, 'x')
  const key = `H${mark.toUpperCase()}`
  const email = `ana.${mark}@example.com`
  let item = { id: '', key: '' }
  before(async () => {
    const { id: userId } = await person({ name: `${hostile[0]} ${rtl}`, email, role: codes.role.member })
    await ada.post(`/user/${userId}/password`, { password: webPassword })
    const { id: containerId } = await ada.post('/container', { name: `${hostile[1]} ${mark}`, key })
    const title = `${mark} ${hostile.join(' ')} ${rtl} ${long}`
    const Tags = [`${hostile[0]}${mark}`]
    item = await ada.post('/item', {
      title,
      containerId,
      description: markdown,
      assignees: [userId],
      Tags,
      priority: 2,
    })
    await ada.post('/annotation', { itemId: item.id, body: markdown })
    await ada.post('/annotation', { itemId: item.id, body: hostile.join(''), bodyFormat: 'html' })
    await ada.post('/board', {
      name: hostile[2],
      containerIds: [containerId],
      columnField: 'priority',
      columns: [{ name: hostile[0], values: ['2'] }],
    })
  })

  /** Nothing ran, and nothing pushes the page aside. */
  async function isHarmless(page: Page) {
    // A text, because tests are compiled without the types of browsers.
    const found = await page.evaluate(`({
      hit: 'hit' in window,
      wide: document.documentElement.scrollWidth > innerWidth,
      foreign: document.querySelectorAll('main :is(iframe, script, [onerror], [onload], [href^="javascript:"])').length,
    })`)
    assert.deepEqual(found, { hit: false, wide: false, foreign: 0 })
  }

  test('names and texts with scripts, marks and very long words are shown as text, wherever they stand', async () => {
    const seat = await sit(email, `/container/${key}`)
    const { page } = seat
    await page.getByText('<img src=x onerror=').first().waitFor()
    await isHarmless(page)
    await page.goto(`${webName}/container/${key}?view=board`)
    await page.locator('.card').getByText('<script>window.hit=1</script>').first().waitFor()
    await isHarmless(page)
    await page.goto(`${webName}/container/${key}?peek=${item.key}`)
    await page.locator('.item-peek .msg').nth(1).waitFor()
    await isHarmless(page)
    await page.goto(`${webName}/item/${item.key}`)
    await page.locator('.msg').nth(1).waitFor()
    await page.locator('.description').getByText('<script>window.hit=1</script>').first().waitFor()
    const file = {
      name: `${hostile[0]?.replaceAll('/', '')}.txt`,
      mimeType: 'text/html',
      buffer: Buffer.from(hostile[1] ?? ''),
    }
    await page.getByLabel('Add files').and(page.locator('input')).setInputFiles(file)
    await page.getByRole('region', { name: 'Files' }).getByRole('listitem').waitFor()
    await isHarmless(page)
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox').fill(mark)
    await page.getByRole('option').filter({ hasText: '<script>' }).first().waitFor()
    await isHarmless(page)
    refuseFaults(seat)
  })

  test('the editor reads scripts in a text as text, keeps them so, and cleans what is pasted', async () => {
    const seat = await sit(email, `/item/${item.key}`)
    const { page } = seat
    await page.getByRole('button', { name: 'Edit the description' }).click()
    const editor = page.locator('.description .ProseMirror')
    await editor.getByText('<script>window.hit=1</script>').first().waitFor()
    await isHarmless(page)
    refuseFaults(seat)
    await page.evaluate(`{
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/html', '<b>pasted</b><img src=x onerror="window.hit=1"><iframe srcdoc="x"></iframe>')
      const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.querySelector('.description .ProseMirror').dispatchEvent(paste)
    }`)
    await editor.locator('strong', { hasText: 'pasted' }).waitFor()
    await isHarmless(page)
    await page.keyboard.press('Escape')
    await page.locator('.description:not(.is-open) strong', { hasText: 'pasted' }).waitFor()
    const shown = await page.locator('.description').innerText()
    for (const text of hostile) assert.ok(shown.includes(text), text)
    await isHarmless(page)
  })
})
