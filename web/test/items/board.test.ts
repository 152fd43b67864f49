import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ownerKind } from '../../../server/src/records/references/owner.ts'
import { type Person, sharedTestService } from '../../../server/test/support/people.ts'
import { until } from '../../../server/test/support/until.ts'
import { webPassword } from '../../../server/test/support/web-user.ts'
import { openBrowsers, refuseFaults, withoutBrowser } from '../browser.ts'

const blocks = 1

describe('a board', { skip: withoutBrowser }, async () => {
  const { ada, person, base } = await sharedTestService()
  const { sit } = await openBrowsers({ base })
  let key = ''
  let email = ''
  let containerId = ''
  before(async () => {
    const mark = Math.random().toString(36).slice(2, 7).replace(/\d/g, 'x').toUpperCase()
    key = `B${mark}`
    email = `ana.${mark}@example.com`.toLowerCase()
    const ana: Person = await person({ name: 'Ana Marković', email, role: 3 })
    await ada.post(`/user/${ana.id}/password`, { password: webPassword })
    const step = (value: string, next: string) => ({ fieldId: 'status', value, next })
    const process = await ada.post('/process', {
      name: `Strict ${mark}`,
      workflow: [step('To do', 'Doing'), step('Doing', 'To do'), step('Doing', 'Done'), step('Done', 'To do')],
    })
    const container = await ada.post('/container', {
      name: `Strict ${mark}`,
      key,
      processIds: [process.id],
      defaultProcessId: process.id,
    })
    containerId = container.id
    for (const title of ['Printer jams', 'VPN drops', 'Order laptops'])
      await ada.post('/item', { title, containerId, status: 'To do', estimateMinutes: 60 })
    const column = (name: string, more = {}) => ({ id: name, name, values: [name], ...more })
    await ada.post('/board', {
      name: 'Strict',
      owner: ownerKind.container,
      ownerId: containerId,
      columns: [column('To do'), column('Doing', { wip: 1, wipPolicy: blocks }), column('Done')],
    })
  })

  const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
  const card = (page: Page, column: string, title: string) => region(page, column).getByRole('article', { name: title })
  /** The focus of the keyboard, and of a screen reader, is on the card. */
  const focused = (page: Page, title: string) => page.locator('article:focus', { hasText: title })
  const current = (page: Page, title: string) => page.locator(`article[aria-current="true"]`, { hasText: title })

  test('ana walks a board by keys alone: a limit and a workflow refuse her and say why, and bob sees what she does', async () => {
    const seat = await sit(email, `/container/${key}?view=board`)
    const bob = await sit(email, `/container/${key}?view=board`)
    const { page } = seat
    await card(page, 'To do', 'Printer jams').waitFor()
    await card(bob.page, 'To do', 'Printer jams').waitFor()
    await page.keyboard.press('j')
    await current(page, 'Printer jams').waitFor()

    // To the next column, and back by undo.
    await page.keyboard.press('Shift+L')
    await card(page, 'Doing', 'Printer jams').waitFor()
    await focused(page, 'Printer jams').waitFor()
    await card(bob.page, 'Doing', 'Printer jams').waitFor()

    // The column is full: the card goes back and says why.
    await page.keyboard.press('h')
    await current(page, 'VPN drops').waitFor()
    await page.keyboard.press('Shift+L')
    await card(page, 'To do', 'VPN drops').getByRole('alert').getByText('The limit is 1, this would make 2.').waitFor()
    await focused(page, 'VPN drops').waitFor()

    // The menu knows it before, and what the workflow refuses.
    await page.keyboard.press('m')
    const menu = page.getByRole('menu')
    await menu.getByRole('menuitem', { name: 'Doing' }).getByText('The limit is 1').waitFor()
    await menu.getByRole('menuitem', { name: 'Done' }).getByText('Not from “To do”.').waitFor()
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
    await current(page, 'VPN drops').waitFor()

    // Its order is kept by the service.
    await page.keyboard.press('Alt+ArrowDown')
    await region(page, 'To do').getByRole('article').first().filter({ hasText: 'Order laptops' }).waitFor()
    await region(bob.page, 'To do').getByRole('article').first().filter({ hasText: 'Order laptops' }).waitFor()

    await page.keyboard.press('ControlOrMeta+z')
    await region(page, 'To do').getByRole('article').first().filter({ hasText: 'VPN drops' }).waitFor()
    await page.keyboard.press('ControlOrMeta+z')
    await card(page, 'To do', 'Printer jams').waitFor()
    await card(bob.page, 'To do', 'Printer jams').waitFor()
    refuseFaults(seat)
  })

  test('a card in hand shows which columns refuse it, and a new card is in its column at once', async () => {
    const seat = await sit(email, `/container/${key}?view=board`)
    const { page } = seat
    const box = await card(page, 'To do', 'Printer jams').boundingBox()
    const done = await region(page, 'Done').boundingBox()
    assert.ok(box && done)
    await page.mouse.move(box.x + 40, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(box.x + 60, box.y + 40, { steps: 4 })
    await page.mouse.move(done.x + 40, done.y + 200, { steps: 4 })
    await region(page, 'Done').getByText('Not from “To do”.').waitFor()
    await page.mouse.up()
    await card(page, 'To do', 'Printer jams').waitFor()

    await region(page, 'Doing').getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('textbox', { name: 'Add a card here' }).fill('Replace the core switch')
    await page.keyboard.press('Enter')
    await card(page, 'Doing', 'Replace the core switch').waitFor()
    await until(async () => {
      const [made] = await ada.get(`/item?containerId=${containerId}&title=Replace the core switch`)
      return made?.status === 'Doing'
    })
    refuseFaults(seat)
  })

  /** A board whose columns are priorities, which refuses nothing. */
  async function makeFreeBoard(name: string, initial: string, titles: readonly string[]) {
    const made = await ada.post('/container', { name, key: `${initial}${key.slice(1)}` })
    for (const title of titles) await ada.post('/item', { title, containerId: made.id, priority: 2 })
    await ada.post('/board', {
      name,
      owner: ownerKind.container,
      ownerId: made.id,
      columnField: 'priority',
      columns: [
        { id: 'high', name: 'High', values: ['2'] },
        { id: 'low', name: 'Low', values: ['4'] },
      ],
    })
    return `/container/${made.key}?view=board`
  }

  test('a card that is put down before the browser has painted it in hand moves', async () => {
    const seat = await sit(email, await makeFreeBoard('Swift', 'S', ['Tidy the rack']))
    const { page } = seat
    await card(page, 'High', 'Tidy the rack').waitFor()
    await page.evaluate('requestAnimationFrame = () => 0')
    await card(page, 'High', 'Tidy the rack').dragTo(region(page, 'Low'))
    await card(page, 'Low', 'Tidy the rack').waitFor()
    // Its request waits for a frame: the page that comes next has them, and sends it.
    await page.reload()
    await until(async () =>
      (await ada.get('/item?title=Tidy the rack')).some((each: { priority: number }) => each.priority === 4),
    )
    refuseFaults(seat)
  })

  test('several cards move by one request, are taken back by one step, and a finger moves them, too', async () => {
    const many = await makeFreeBoard('Many', 'M', ['First', 'Second', 'Third'])
    const seat = await sit(email, many, { apart: true })
    const { page } = seat
    const moves: string[] = []
    page.on('request', request => {
      if (request.url().endsWith('/move')) moves.push(request.postData() ?? '')
    })
    const inColumn = (name: string, count: number) =>
      region(page, name)
        .getByRole('article')
        .nth(count - 1)
        .waitFor()
    await inColumn('High', 3)
    for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key)
    await current(page, 'Second').waitFor()
    const answered = page.waitForResponse(answer => answer.url().endsWith('/move'))
    await page.keyboard.press('Shift+L')
    await inColumn('Low', 2)
    await answered
    assert.deepEqual(
      moves.map(each => JSON.parse(each).itemIds?.length),
      [2],
    )
    await page.keyboard.press('ControlOrMeta+z')
    await inColumn('High', 3)

    // Without a mouse and without keys: a button of the card opens the menu.
    const touch = await page.context().newCDPSession(page)
    await touch.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 1 })
    await page.reload()
    await card(page, 'High', 'Third').getByRole('button', { name: 'Move to…' }).click()
    await page.getByRole('menuitem', { name: 'Low' }).click()
    await card(page, 'Low', 'Third').waitFor()
    refuseFaults(seat)
  })

  test('a container without a board gets one by a key, and its settings change it', async () => {
    const bare = await ada.post('/container', { name: 'Bare', key: `C${key.slice(1)}` })
    await ada.post('/item', { title: 'Alone', containerId: bare.id, priority: 2 })
    const seat = await sit(email, `/container/${bare.key}?view=board`)
    const { page } = seat
    await page.getByText('This container has no board yet.').waitFor()
    await page.keyboard.press('b')
    await page.getByRole('article', { name: 'Alone' }).waitFor()
    await page.getByRole('button', { name: 'Board settings' }).click()
    await page.getByRole('combobox', { name: 'Columns by' }).selectOption({ label: 'Priority' })
    await page.getByRole('button', { name: 'Save' }).click()
    await card(page, 'High', 'Alone').waitFor()
    // Both names that the service takes for whose an item is have the same words.
    const [board] = await ada.get(`/board?ownerId=${bare.id}`)
    await ada.put(`/board/${board.id}`, { swimlaneField: 'assignees' })
    await page.reload()
    await page.getByRole('article', { name: 'Alone' }).waitFor()
    await page.getByRole('button', { name: 'Board settings' }).click()
    const lanes = page.getByRole('combobox', { name: 'Lanes by' })
    await lanes.locator('option:checked', { hasText: 'Who' }).waitFor({ state: 'attached' })
    refuseFaults(seat)
  })
})
