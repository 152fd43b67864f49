import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ownerKind } from '../../../server/src/records/references/owner.ts'
import { sharedTestService } from '../../../server/test/support/people.ts'
import { until } from '../../../server/test/support/until.ts'
import { webPassword } from '../../../server/test/support/web-user.ts'
import { openBrowsers, refuseFaults, withoutBrowser } from '../browser.ts'

const blocks = 1

describe('without a network', { skip: withoutBrowser }, async () => {
  const { ada, person, base } = await sharedTestService()
  const { sit } = await openBrowsers({ base })
  const email = 'ana@offline-board.example'
  before(async () => {
    const ana = await person({ name: 'Ana Marković', email, role: 3 })
    await ada.post(`/user/${ana.id}/password`, { password: webPassword })
  })

  /** A container with a board by status, and one item for each title. */
  async function newBoard(key: string, titles: readonly string[]) {
    const step = (value: string, next: string) => ({ fieldId: 'status', value, next })
    const process = await ada.post('/process', {
      name: `Process ${key}`,
      workflow: [step('To do', 'Doing'), step('Doing', 'To do'), step('Doing', 'Done'), step('Done', 'Doing')],
    })
    const { id: containerId } = await ada.post('/container', {
      name: `Board ${key}`,
      key,
      processIds: [process.id],
      defaultProcessId: process.id,
    })
    const items: { id: string; key: string }[] = []
    for (const title of titles) items.push(await ada.post('/item', { title, containerId, status: 'To do' }))
    const column = (name: string, more = {}) => ({ id: name, name, values: [name], ...more })
    const board = await ada.post('/board', {
      name: key,
      owner: ownerKind.container,
      ownerId: containerId,
      columns: [column('To do'), column('Doing', { wip: 1, wipPolicy: blocks }), column('Done')],
    })
    const statusOf = async (at: number): Promise<string> => (await ada.get(`/item/${items[at]?.id}`)).status
    const move = (at: number, name: string) =>
      ada.post(`/board/${board.id}/move`, { itemId: items[at]?.id, column: name })
    return { containerId, items, path: `/container/${key}?view=board`, statusOf, move }
  }
  const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
  const card = (page: Page, column: string, title: string) => region(page, column).getByRole('article', { name: title })
  /** The moves that a page sends. */
  function movesOf(page: Page): string[] {
    const moves: string[] = []
    page.on('response', answer => {
      if (answer.url().endsWith('/move')) moves.push(answer.request().postDataJSON().column)
    })
    return moves
  }

  test('a card that is moved stays where it was put, also after a reload, and its moves are sent in order when the network is back', async () => {
    const { path, statusOf } = await newBoard('OFFA', ['Printer jams', 'VPN drops'])
    const seat = await sit(email, path, { offline: true })
    const { page, context } = seat
    await card(page, 'To do', 'Printer jams').waitFor()
    await until(() => page.evaluate("navigator.serviceWorker.ready.then(({ active }) => active.state === 'activated')"))
    await page.reload()
    await card(page, 'To do', 'Printer jams').waitFor()
    await until(() =>
      page.evaluate("caches.open('gantry-shell').then(each => each.keys()).then(all => all.length > 5)"),
    )
    await context.setOffline(true)
    await page.getByText('Offline').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Shift+L')
    await card(page, 'Doing', 'Printer jams').getByText('not sent yet').waitFor()
    await page.getByText('1 change waits').waitFor()
    await page.keyboard.press('Shift+L')
    await card(page, 'Done', 'Printer jams').waitFor()
    await page.getByText('2 changes wait').waitFor()
    await page.reload()
    await page.getByText('2 changes wait').waitFor()
    await card(page, 'Done', 'Printer jams').getByText('not sent yet').waitFor()
    assert.equal(await statusOf(0), 'To do')
    const moves = movesOf(page)
    await context.setOffline(false)
    await until(async () => (await statusOf(0)) === 'Done')
    await page.getByText('Offline').waitFor({ state: 'detached' })
    await card(page, 'Done', 'Printer jams').waitFor()
    await page.getByText('not sent yet').waitFor({ state: 'detached' })
    // The workflow allows no way from “To do” to “Done”: both steps were sent.
    assert.deepEqual(moves, ['Doing', 'Done'])
    refuseFaults(seat)
  })

  test('a move that the service refuses afterwards is taken back, and the card says why', async () => {
    const { path, statusOf, move } = await newBoard('OFFB', ['Printer jams', 'VPN drops'])
    const seat = await sit(email, path)
    const { page, context } = seat
    await card(page, 'To do', 'Printer jams').waitFor()
    await context.setOffline(true)
    await page.getByText('Offline').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Shift+L')
    await card(page, 'Doing', 'Printer jams').waitFor()
    await page.getByText('1 change waits').waitFor()
    // Somebody else takes the only place.
    await move(1, 'Doing')
    await context.setOffline(false)
    const reason = card(page, 'To do', 'Printer jams').getByRole('alert')
    await reason.getByText('The limit is 1, this would make 2.').waitFor()
    await card(page, 'Doing', 'VPN drops').waitFor()
    assert.equal(await statusOf(0), 'To do')
    refuseFaults(seat)
  })

  test('a card that is made, moved and changed is made, moved and changed once, in this order', async () => {
    const { containerId, path } = await newBoard('OFFC', ['Printer jams'])
    const seat = await sit(email, path)
    const { page, context } = seat
    await card(page, 'To do', 'Printer jams').waitFor()
    await context.setOffline(true)
    await page.getByText('Offline').waitFor()
    await region(page, 'To do').getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('textbox', { name: 'Add a card here' }).fill('Made in a tunnel')
    await page.keyboard.press('Enter')
    await page.locator('article[aria-current="true"]:focus', { hasText: 'Made in a tunnel' }).waitFor()
    await page.keyboard.press('Shift+L')
    await card(page, 'Doing', 'Made in a tunnel').waitFor()
    await page.keyboard.press('i')
    await page.getByText('3 changes wait').waitFor()
    await context.setOffline(false)
    const found = () => ada.get(`/item?containerId=${containerId}&title=Made in a tunnel`)
    await until(async () => (await found())[0]?.assignees.length === 1)
    const [made, ...more] = await found()
    assert.deepEqual([made.status, more.length], ['Doing', 0])
    await page.getByText('Offline').waitFor({ state: 'detached' })
    await card(page, 'Doing', 'Made in a tunnel').waitFor()
    refuseFaults(seat)
  })

  test('what others do meanwhile is there when the network is back, on a board and in a list, without a reload', async () => {
    const { containerId, items, path, move } = await newBoard('OFFD', ['Printer jams', 'VPN drops', 'Order laptops'])
    const seats = [await sit(email, path), await sit(email, '/container/OFFD')]
    for (const { page, context } of seats) {
      await page.getByText('Order laptops').first().waitFor()
      await context.setOffline(true)
      await page.getByText('Offline').waitFor()
    }
    await move(0, 'Doing')
    await ada.must('PATCH', `/item/${items[1]?.id}`, { body: { title: 'VPN drops at noon' } })
    await ada.must('DELETE', `/item/${items[2]?.id}`)
    await ada.post('/item', { title: 'Came meanwhile', containerId, status: 'To do' })
    for (const { page, context } of seats) {
      await context.setOffline(false)
      await page.getByText('Offline').waitFor({ state: 'detached' })
      await page.getByText('VPN drops at noon').first().waitFor()
      await page.getByText('Came meanwhile').first().waitFor()
      await page.getByText('Order laptops').first().waitFor({ state: 'detached' })
    }
    await card(seats[0]?.page ?? assert.fail(), 'Doing', 'Printer jams').waitFor()
    for (const seat of seats) refuseFaults(seat)
  })
})
