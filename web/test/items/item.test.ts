import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { codes } from '@gantry/sdk'
import type { Page } from 'playwright-core'
import { sharedTestService } from '../../../server/test/support/people.ts'
import { eventually } from '../../../server/test/support/until.ts'
import { webPassword } from '../../../server/test/support/web-user.ts'
import { openBrowsers, refuseFaults, withoutBrowser } from '../browser.ts'

const MiB = 1024 * 1024

describe('an item', { skip: withoutBrowser }, async () => {
  const { ada, person, base } = await sharedTestService()
  const { sit } = await openBrowsers({ base })
  const mark = Math.random().toString(36).slice(2, 7).replace(/\d/g, 'x')
  const [ana, bob] = [`ana.${mark}@example.com`, `bob.${mark}@example.com`]
  const bobName = `Bob Li-${mark}`
  const folder = mkdtempSync(join(tmpdir(), 'gantry-item-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  let item = { id: '', key: '' }
  let containerId = ''
  before(async () => {
    for (const [name, email] of [
      ['Ana Marković', ana],
      [bobName, bob],
    ] as const) {
      const { id } = await person({ name, email, role: codes.role.member })
      await ada.post(`/user/${id}/password`, { password: webPassword })
    }
    const container = await ada.post('/container', { name: `Item ${mark}`, key: `I${mark.toUpperCase()}` })
    containerId = container.id
    item = await ada.post('/item', { title: 'Printer jams', containerId, priority: codes.priority.low })
  })

  const stored = () => ada.get(`/item/${item.id}`)
  const messages = (page: Page) => page.getByRole('region', { name: 'Conversation' })

  test('ana comments with a mention while bob watches, and takes another comment back', async () => {
    const [seat, other] = [await sit(ana, `/item/${item.key}`), await sit(bob, `/item/${item.key}`)]
    const { page } = seat
    await other.page.getByText('Nobody has said anything yet.').waitFor()
    await page.getByText('Nobody has said anything yet.').waitFor()
    await page.keyboard.press('r')
    const editor = page.getByRole('textbox', { name: 'Write a comment…' })
    await page.locator('.composer .ProseMirror').waitFor()
    await editor.pressSequentially(`The rollers are **here**, @${mark}`)
    await page.getByRole('option', { name: bobName }).click()
    await page.keyboard.press('ControlOrMeta+Enter')
    for (const reader of [page, other.page]) {
      await messages(reader).getByText('here', { exact: true }).waitFor()
      await messages(reader)
        .locator('.mention', { hasText: `@${bobName}` })
        .waitFor()
    }
    const [comment] = await ada.get(`/annotation?itemId=${item.id}`)
    assert.equal(comment.body, `The rollers are **here**, @[${bobName}]`)
    assert.equal(comment.mentions.length, 1)

    await page.keyboard.type('This one was too early')
    await page.keyboard.press('ControlOrMeta+Enter')
    await messages(other.page).getByText('This one was too early').waitFor()
    await page.getByRole('status').getByRole('button', { name: /Undo/ }).click()
    await messages(other.page).getByText('This one was too early').waitFor({ state: 'hidden' })
    refuseFaults(seat)
    refuseFaults(other)
  })

  test('ana describes an item, adds a file, logs time, and takes a change back from its history', async () => {
    const seat = await sit(ana, `/item/${item.key}`)
    const { page } = seat
    await page.getByText('Describe it…').click()
    await page.locator('.description .ProseMirror:focus').waitFor()
    await page.keyboard.type('It jams at **page ten**.')
    await page.keyboard.press('Escape')
    await page.locator('.description strong', { hasText: 'page ten' }).waitFor()
    await eventually(stored, ({ description }) => description === 'It jams at **page ten**.')

    const file = { name: 'jam.txt', mimeType: 'text/plain', buffer: Buffer.from('page ten') }
    const picker = page.getByLabel('Add files').and(page.locator('input'))
    await picker.setInputFiles(file)
    await page.getByRole('link', { name: 'Download jam.txt' }).waitFor()

    // A large file goes in parts: the second one is held, and then the upload is cancelled.
    const bytes = randomBytes(5 * MiB)
    const film = join(folder, 'jam.mp4')
    writeFileSync(film, bytes)
    const uploads = '**/api/file/upload/*'
    await page.route(uploads, route =>
      route.request().headers()['upload-offset'] === String(4 * MiB) ? undefined : route.continue(),
    )
    await picker.setInputFiles(film)
    await page.getByRole('progressbar', { name: 'jam.mp4' }).filter({ hasText: '80%' }).waitFor()
    const ended = page.waitForResponse(each => each.request().method() === 'DELETE')
    await page.getByRole('button', { name: 'Cancel the upload of jam.mp4' }).click()
    assert.equal((await ended).status(), 204)
    await page.getByRole('list', { name: 'Uploads' }).waitFor({ state: 'hidden' })
    await page.unroute(uploads)
    await picker.setInputFiles([])
    await picker.setInputFiles(film)
    await page.getByRole('link', { name: 'Download jam.mp4' }).waitFor()
    const [kept] = await ada.get(`/file?ownerId=${item.id}&name=jam.mp4`)
    assert.equal(kept.sha256, createHash('sha256').update(bytes).digest('hex'))

    await page.getByRole('button', { name: 'Log time' }).click()
    await page.getByRole('textbox', { name: 'Duration' }).fill('1h30')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Time' }).getByRole('listitem').filter({ hasText: '1h 30m' }).waitFor()
    await eventually(
      () => ada.get(`/time?itemId=${item.id}`),
      ([entry]) => entry?.minutes === 90,
    )

    await ada.must('PATCH', `/item/${item.id}`, { body: { priority: codes.priority.high } })
    const unfold = page.getByRole('button', { name: /changes$/ })
    const line = messages(page).locator('.ev').filter({ hasText: 'Low → High' })
    await unfold.or(line).first().waitFor()
    if (await unfold.isVisible()) await unfold.click()
    await line.getByRole('button', { name: 'Revert' }).click()
    await eventually(stored, ({ priority }) => priority === codes.priority.low)
    refuseFaults(seat)
  })

  test('ana goes from the list to a peek, back into the list, and on the page through the list', async () => {
    const next = await ada.post('/item', { title: 'Toner is empty', containerId })
    const seat = await sit(ana, `/container/${item.key.split('-')[0]}`)
    const { page } = seat
    const list = page.getByRole('grid')
    await list.getByText('Toner is empty').waitFor()
    await list.getByText('Printer jams').click()
    const peek = page.getByRole('complementary', { name: item.key })
    await peek.getByRole('button', { name: 'Actions' }).focus()
    // The list offers its commands anew: those of the peek stay.
    const labels = page.waitForResponse(answer => /\/api\/label/.test(answer.url()))
    await ada.post('/label', { name: `new ${mark}` })
    await labels
    await page.keyboard.press('.')
    await page.getByRole('menuitemcheckbox', { name: 'Confidential' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'hidden' })
    await page.keyboard.press('Escape')
    await peek.waitFor({ state: 'hidden' })
    await page.locator('[role=grid]:focus').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/item/${item.key}`)
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    await page.keyboard.press('j')
    await page.waitForURL(`**/item/${next.key}`)
    refuseFaults(seat)
  })

  test('cleo may only read: she is offered nothing that would be refused', async () => {
    const cleo = `cleo.${mark}@example.com`
    const { id } = await person({ name: 'Cleo', email: cleo, role: codes.role.readOnly })
    await ada.post(`/user/${id}/password`, { password: webPassword })
    const seat = await sit(cleo, `/item/${item.key}`)
    const { page } = seat
    await messages(page).getByText('The rollers are').waitFor()
    for (const name of ['Actions', 'Log time', 'Add a link', 'Add a sub-item', 'Add files', /^Note/])
      assert.equal(await page.getByRole('button', { name }).count(), 0, String(name))
    assert.equal(await page.getByRole('textbox', { name: 'Title' }).getAttribute('readonly'), '')
    refuseFaults(seat)
  })

  test('ana writes a checklist, checks and moves a step by keys, and makes sub-items of the others', async () => {
    const move = await ada.post('/item', { title: 'Move', containerId, description: 'To do:\n- [ ] Pack' })
    const seat = await sit(ana, `/item/${move.key}`)
    const part = seat.page.getByRole('region', { name: 'Checklist' })
    const steps = async (): Promise<string[]> =>
      (await ada.get(`/item/${move.id}/checklist`)).map(
        ({ text, checked }: { text: string; checked: boolean }) => `${text} ${checked}`,
      )
    await part.getByRole('button', { name: 'Make a checklist of the lines' }).click()
    await part.getByRole('checkbox', { name: 'Pack' }).waitFor()
    await part.getByRole('button', { name: 'Add a step' }).click()
    await seat.page.keyboard.type('Drive')
    await seat.page.keyboard.press('Enter')
    const drive = part.getByRole('checkbox', { name: 'Drive' })
    await drive.focus()
    await seat.page.keyboard.press('Alt+ArrowUp')
    await eventually(steps, all => all.join() === 'Drive false,Pack false')
    await drive.press('Space')
    await eventually(steps, all => all.join() === 'Drive true,Pack false')
    await part.getByRole('button', { name: 'Make sub-items' }).click()
    await seat.page.getByRole('region', { name: 'Sub-items' }).getByText('Pack').waitFor()
    await eventually(steps, all => all.join() === 'Drive true')
    refuseFaults(seat)
  })

  test('ana and ada set the same property at once, and ana decides', async () => {
    const withoutStream = (page: Page) => page.route('**/api/event/stream**', route => route.abort())
    const seat = await sit(ana, `/item/${item.key}`, { prepare: withoutStream })
    const { page } = seat
    const priority = page.getByRole('button', { name: 'Priority: Low' })
    await priority.waitFor()
    await ada.must('PATCH', `/item/${item.id}`, { body: { priority: codes.priority.high } })
    await priority.click()
    await page.getByRole('option', { name: 'Urgent' }).click()
    const chip = page.getByRole('alert').filter({ hasText: 'set High' })
    await chip.getByRole('button', { name: 'Keep mine' }).click()
    await eventually(stored, ({ priority: now }) => now === codes.priority.urgent)
    await chip.waitFor({ state: 'hidden' })
    refuseFaults(seat)
  })
  test('what the service refuses, and what does not reach it, is said, and changes nothing', async () => {
    const linked = await ada.post('/item', { title: 'Order rollers', containerId })
    const [type] = await ada.get('/link/type')
    await ada.post('/link', { fromId: item.id, toId: linked.id, type: type.id })
    const member = (await ada.get('/user')).find((each: { email: string }) => each.email === ana)
    await ada.post('/time', { itemId: item.id, userId: member.id, date: '2026-01-05', minutes: 15, note: 'In January' })
    await ada.post('/time/close', { until: '2026-01-31', reason: 'January is reported' })
    const seat = await sit(ana, `/item/${item.key}`, { apart: true })
    const { page, context } = seat
    const entry = page.getByRole('listitem').filter({ hasText: 'In January' })
    await entry.getByRole('button', { name: 'Delete this entry' }).click()
    await page.getByRole('status').getByText('time is closed until').waitFor()
    await entry.waitFor()

    await context.setOffline(true)
    const link = page.getByRole('button', { name: `Remove the link to ${linked.key}` })
    await link.click()
    await page.getByRole('status').getByText('The service cannot be reached.').waitFor()
    await context.setOffline(false)
    await link.waitFor()
    refuseFaults(seat)
  })
})
