import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { codes } from '@gantry/sdk'
import { sharedTestService } from '../../../server/test/support/people.ts'
import { eventually } from '../../../server/test/support/until.ts'
import { webPassword } from '../../../server/test/support/web-user.ts'
import { openBrowsers, refuseFaults, withoutBrowser } from '../browser.ts'

/** A red picture of 8 × 8 pixels. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGP4z8CAFWEXHbQSACj/P8Fu7N9hAAAAAElFTkSuQmCC',
  'base64',
)

describe('the forms of an item', { skip: withoutBrowser }, async () => {
  const { ada, person, base } = await sharedTestService()
  const { sit } = await openBrowsers({ base })
  const mark = Math.random().toString(36).slice(2, 7).replace(/\d/g, 'x')
  const ana = `ana.${mark}@example.com`
  const key = `F${mark.toUpperCase()}`
  let item = { id: '', key: '', containerId: '' }
  let clockId = ''
  before(async () => {
    const { id } = await person({ name: 'Ana Marković', email: ana, role: codes.role.member })
    await ada.post(`/user/${id}/password`, { password: webPassword })
    const { id: containerId } = await ada.post('/container', { name: `Forms ${mark}`, key })
    const targets = [{ kind: codes.clockTargetKind.resolution, minutes: 600 }]
    clockId = (await ada.post('/clock', { name: `Promise ${mark}`, container: [containerId], targets })).id
    item = await ada.post('/item', { title: 'Printer jams', containerId })
  })

  test('on a narrow screen the item is a sheet over the list, which waits behind it', async () => {
    const seat = await sit(ana, `/container/${key}`)
    const { page } = seat
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByRole('grid').getByText('Printer jams').click()
    const sheet = page.getByRole('dialog', { name: item.key })
    await sheet.getByRole('textbox', { name: 'Title' }).waitFor()
    assert.equal(await page.evaluate(`document.querySelector('[role=grid]').closest('[inert]') !== null`), true)
    assert.equal(await page.evaluate(`document.activeElement.closest('.item-peek') !== null`), true)
    await page.keyboard.press('n')
    await sheet.getByRole('region', { name: 'Note' }).waitFor()
    await sheet.getByRole('button', { name: 'Close' }).click()
    await sheet.waitFor({ state: 'hidden' })
    await page.locator('[role=grid]:focus').waitFor()
    refuseFaults(seat)
  })

  test('the keys of an item work as soon as its title is shown', async () => {
    const seat = await sit(ana, `/container/${key}`)
    const { page } = seat
    const list = page.url()
    const row = page.getByRole('grid').getByText('Printer jams')
    await row.waitFor()
    for (const [pressed, effect] of [
      ['n', page.getByRole('region', { name: 'Note' })],
      ['t', page.getByRole('button', { name: 'Stop' })],
    ] as const) {
      // The key is pressed as soon as the title is in the page, before anything else can be rendered.
      await page.evaluate(`new MutationObserver((_, observer) => {
        if (!document.querySelector('.item [aria-label=Title]')) return
        observer.disconnect()
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: '${pressed}', bubbles: true }))
      }).observe(document.body, { childList: true, subtree: true })`)
      await row.click()
      await effect.first().waitFor()
      await page.goto(list)
    }
    refuseFaults(seat)
  })

  test('the timer is stopped in the sidebar, started from a row, taken back, and switched', async () => {
    const other = await ada.post('/item', { title: 'Order rollers', containerId: item.containerId })
    const seat = await sit(ana, `/container/${key}`)
    const { page } = seat
    const notice = (text: string) => page.getByRole('status').getByText(text)
    const timer = page.getByRole('group', { name: /^Timer: / })
    await timer.waitFor()
    await page.getByRole('button', { name: 'Stop the timer' }).click()
    await notice('Timer stopped: 0:0').waitFor()
    await page.getByRole('grid').getByText('Order rollers').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('t')
    await notice(`Timer on ${item.key}`).waitFor()
    await page.keyboard.press('ControlOrMeta+z')
    await timer.waitFor({ state: 'hidden' })
    await page.keyboard.press('t')
    await timer.waitFor()
    await page.getByRole('grid').getByText('Order rollers').click()
    await page.getByRole('button', { name: 'Start' }).click()
    await notice(`Timer on ${other.key}`).waitFor()
    await page.getByRole('group', { name: `Timer: ${other.key}` }).waitFor()
    await page.getByRole('button', { name: 'Stop the timer' }).click()
    await timer.waitFor({ state: 'hidden' })
    refuseFaults(seat)
  })

  test('what is typed before the browser has painted a suggestion that was taken comes after it', async () => {
    const seat = await sit(ana, `/container/${key}`)
    const { page } = seat
    await page.getByRole('grid').getByText('Printer jams').waitFor()
    await page.keyboard.press('c')
    const line = page.getByRole('combobox', { name: 'Title' })
    await line.fill('Oil rollers')
    for (let at = 0; at < ' rollers'.length; at++) await page.keyboard.press('ArrowLeft')
    await page.keyboard.type(' !urg')
    await page.getByRole('option').first().waitFor()
    await page.evaluate('requestAnimationFrame = () => 0')
    await page.keyboard.press('Tab')
    await page.keyboard.type('the ')
    assert.equal(await line.inputValue(), 'Oil !Urgent the rollers')
    await line.fill('')
    await page.keyboard.press('Escape')
    await page.reload()
    refuseFaults(seat)
  })

  test('a picture is small in the files and in the text, and opens large', async () => {
    const seat = await sit(ana, `/item/${item.key}`)
    const { page } = seat
    const file = { name: 'jam.png', mimeType: 'image/png', buffer: png }
    await page.getByLabel('Add files').and(page.locator('input')).setInputFiles(file)
    const small = page.getByRole('region', { name: 'Files' }).getByRole('button', { name: 'Show jam.png large' })
    await small.waitFor()
    const [stored] = await ada.get(`/file?owner=${codes.owner.item}&ownerId=${item.id}`)
    assert.match((await small.locator('img').getAttribute('src')) ?? '', new RegExp(`/api/file/${stored.id}/thumb`))
    await ada.post('/annotation', {
      itemId: item.id,
      body: `Look: ![jam.png](/api/file/download/${stored.id}?inline=true)`,
    })
    const inText = page
      .getByRole('region', { name: 'Conversation' })
      .getByRole('button', { name: 'Show jam.png large' })
    await inText.locator('img[src*="thumb"]').waitFor()
    await inText.click()
    const large = page.getByRole('dialog', { name: 'jam.png' })
    await large.getByRole('img', { name: 'jam.png' }).waitFor()
    await page.keyboard.press('Escape')
    await large.waitFor({ state: 'hidden' })
    refuseFaults(seat)
  })

  test('ana pauses a clock with a reason, reads it in the history, and resumes it', async () => {
    const states = async () =>
      ((await ada.get(`/item/${item.id}/clock`)) as { clockId: string; state: number }[])
        .filter(each => each.clockId === clockId)
        .map(each => each.state)
    // The engine that stores the clocks of an item does not run here; a command stores them, too.
    for (const verb of ['pause', 'resume'])
      await ada.post(`/item/${item.id}/clock/${clockId}/${verb}`, { reason: 'Lunch' })
    await eventually(states, ([state]) => state === codes.clockState.green)
    const seat = await sit(ana, `/item/${item.key}`)
    const { page } = seat
    const clocks = page.getByRole('region', { name: 'Clocks' })
    await clocks.getByRole('button', { name: /Resolution/ }).click()
    await clocks.getByRole('button', { name: 'Pause' }).click()
    await page.keyboard.press('Enter')
    await clocks.getByRole('alert').filter({ hasText: 'Write why' }).waitFor()
    await clocks.getByRole('textbox', { name: 'Reason' }).fill('Waits for a spare part')
    await page.keyboard.press('Enter')
    await eventually(states, ([state]) => state === codes.clockState.paused)
    await page.getByRole('button', { name: /changes$/ }).click()
    await page.getByText('paused a clock: Waits for a spare part').waitFor()
    await clocks.getByRole('button', { name: 'Resume' }).click()
    await clocks.getByRole('textbox', { name: 'Reason' }).fill('It is here')
    await page.keyboard.press('Enter')
    await eventually(states, ([state]) => state === codes.clockState.green)
    refuseFaults(seat)
  })
})
