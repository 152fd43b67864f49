import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { codes } from '@gantry/sdk'
import type { Locator, Page } from 'playwright-core'
import { createTenant } from '../../../server/src/app/seed-tenant.ts'
import { isLong } from '../../../server/test/support/form.ts'
import { Person, sharedTestService } from '../../../server/test/support/people.ts'
import { eventually, until } from '../../../server/test/support/until.ts'
import { webPassword } from '../../../server/test/support/web-user.ts'
import { openBrowsers, pressPair, refuseFaults, textOf, withoutBrowser } from '../browser.ts'

const parcels = isLong ? 10 : 6

describe('the first steps in a new workspace', { skip: withoutBrowser }, async () => {
  const { base, database } = await sharedTestService()
  const { sit } = await openBrowsers({ base })

  const isFocused = async (page: Page, target: Locator) => (await target.and(page.locator(':focus')).count()) > 0

  /** Walks to an element as a keyboard does. */
  async function reach(page: Page, target: Locator): Promise<void> {
    await target.waitFor()
    for (let steps = 0; steps < 90; steps++) {
      if (await isFocused(page, target)) return
      await page.keyboard.press('Tab')
    }
    assert.fail(`no Tab leads to ${target}`)
  }

  test('a newcomer does a day of work by keys alone, while a colleague watches', async () => {
    const email = `newcomer.${crypto.randomUUID()}@example.com`
    const { RawKey, userId, tenantId } = await createTenant(database, { name: 'Fresh', email, keyName: 'test' })
    const newcomer = new Person(base, RawKey, userId, tenantId)
    await newcomer.post(`/user/${userId}/password`, { password: webPassword })
    const seat = await sit(email)
    const { page, context } = seat
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    const enter = async (target: Locator) => {
      await reach(page, target)
      await press('Enter')
    }
    /** Waits for the place that somebody sees before they type. */
    const inFocus = (target: Locator) => target.and(page.locator(':focus')).waitFor()
    const editor = page.locator('.editor')
    const choose = async (text: string) => {
      await editor.getByRole('option').first().waitFor()
      await page.keyboard.type(text)
      await press('Enter')
    }

    // The sample company.
    const panel = page.getByRole('region', { name: 'First steps' })
    await panel.getByRole('link', { name: 'Open Start here' }).waitFor()
    await panel.getByRole('link', { name: 'Invite people' }).waitFor()
    await enter(panel.getByRole('button', { name: 'Load the sample company' }))
    await page.waitForURL('**/container/*view=board*')
    await page.getByRole('article').first().waitFor()
    await press('j')
    const current = page.locator('article[aria-current="true"]')
    const id = await current.getAttribute('data-card')
    const before = (await newcomer.get(`/item/${id}`)).status
    const sent = page.waitForResponse(answer => answer.url().includes('/move'))
    await press('Shift+L')
    assert.ok((await sent).ok())
    assert.notEqual((await newcomer.get(`/item/${id}`)).status, before)

    // A container of one's own, with several items, one line each.
    await press('ControlOrMeta+k')
    await inFocus(page.getByPlaceholder('Search'))
    await page.keyboard.type('New container')
    await page.getByRole('option', { name: 'New container' }).first().waitFor()
    await press('Enter')
    await inFocus(page.getByRole('dialog').getByLabel('Name'))
    await page.keyboard.type('Mailroom')
    await press('Enter')
    await page.waitForURL(/\/container\/M[^/]*$/)
    const [{ id: containerId, key }] = await newcomer.get('/container?name=Mailroom')
    await press('c')
    const line = page.getByRole('combobox', { name: 'Title' })
    await inFocus(line)
    const numbered = (text: string) => new Set(text.match(new RegExp(`"${key}-\\d+"`, 'g'))).size
    const listed = page.waitForResponse(
      async answer => answer.url().includes('/item/search') && numbered(await textOf(answer)) === parcels,
    )
    for (let at = 1; at <= parcels; at++) {
      await until(async () => (await line.inputValue()) === '')
      await page.keyboard.type(`Parcel ${at}`)
      await press('Shift+Enter')
    }
    await until(async () => (await line.inputValue()) === '')
    await press('Escape')
    const rows = page.getByRole('row').filter({ hasText: /Parcel \d/ })
    await rows.nth(parcels - 1).waitFor()
    // Until the service has answered with all of them, they can move to other places.
    const order = ((await (await listed).json()) as { title: string }[]).map(({ title }) => title)
    await until(async () => String(await rows.locator('.tt').allTextContents()) === String(order))

    // Triage, then a change of all, and the way back.
    await press('Escape')
    for (let at = 1; at <= parcels; at++) await press('j', 'i')
    await page
      .getByRole('button', { name: /^Who: (?!–|Nobody)/ })
      .nth(parcels - 1)
      .waitFor()
    await press('ControlOrMeta+a')
    await page.getByText(`${parcels} selected`).waitFor()
    await press('p')
    await choose('urg')
    await page.getByText(`Priority: Urgent: ${parcels} changed`).waitFor()
    await press('ControlOrMeta+z')
    await page.getByRole('button', { name: 'Priority: Urgent' }).first().waitFor({ state: 'detached' })
    await press('Escape', 'Home', 'p')
    await choose('urg')
    await page.getByRole('button', { name: 'Priority: Urgent' }).waitFor()

    // A filter for everybody.
    await press('f')
    await choose('prio')
    await editor.getByRole('option', { name: /Urgent/ }).waitFor()
    await page.keyboard.type('urg')
    await press('Enter', 'Escape')
    await page.getByRole('group', { name: /Priority is Urgent/ }).waitFor()
    await rows.nth(1).waitFor({ state: 'detached' })
    await enter(page.getByRole('button', { name: 'Save the filter' }))
    await inFocus(page.getByRole('textbox', { name: 'Name' }))
    await page.keyboard.type('Hurry')
    await reach(page, page.getByRole('radio', { checked: true }))
    const everybody = page.getByRole('radio', { name: /Everybody/ })
    for (let steps = 0; steps < 5 && !(await everybody.isChecked()); steps++) await press('ArrowDown')
    await press('ControlOrMeta+Enter')
    await page.getByRole('button', { name: 'Filter: Hurry' }).waitFor()

    // A colleague opens it, and stays.
    const colleague = { name: 'Mia Berg', email: `mia.${crypto.randomUUID()}@example.com`, role: codes.role.member }
    const mia = await newcomer.post('/user', colleague)
    await newcomer.post(`/user/${mia.id}/password`, { password: webPassword })
    const findUrgent = () => newcomer.get(`/item?containerId=${containerId}&priority=${codes.priority.urgent}`)
    const [urgent] = await eventually(findUrgent, ({ length }) => length === 1)
    const other = await sit(colleague.email, `/container/${key}`)
    await other.page.getByRole('button', { name: 'Filter: All items' }).press('Enter')
    await other.page.getByRole('menuitem', { name: /Hurry/ }).press('Enter')
    await other.page.getByRole('group', { name: /Priority is Urgent/ }).waitFor()
    await other.page.goto(new URL(`/item/${urgent.key}`, other.page.url()).href)

    // A board whose second column takes one card.
    await pressPair(page, 'v', 'b')
    await page.getByText('This container has no board yet.').waitFor()
    await press('b')
    await page.getByRole('article').nth(5).waitFor()
    const [board] = (await newcomer.get('/board')).filter(({ name }: { name: string }) => name === 'Mailroom')
    const { columns } = await newcomer.get(`/board/${board.id}/cards?limit=1`)
    const limited = columns
      .filter((column: { id: string }) => column.id !== 'other')
      .map(({ id, name, values }: Record<string, unknown>, at: number) => ({
        ...{ id, name, values },
        ...(at === 1 ? { wip: 1, wipPolicy: 1 } : {}),
      }))
    await newcomer.put(`/board/${board.id}`, { columns: limited })
    await page.getByText('0/1').first().waitFor()
    await press('j', 'Shift+L')
    const second = page.getByRole('region', { name: limited[1].name, exact: true })
    await second.getByRole('article').waitFor()
    await press('h', 'Shift+L')
    await page.getByRole('alert').getByText('The limit is 1, this would make 2.').waitFor()

    // A comment that mentions her, which she sees as it is sent.
    await press('Enter')
    await page.waitForURL(`**/item/${urgent.key}`)
    const title = page.getByRole('textbox', { name: 'Title' })
    await title.waitFor()
    await press('n')
    await page.locator('.composer .ProseMirror:focus').waitFor()
    await page.keyboard.type('Can you fetch it, @Mia')
    await page.getByRole('option', { name: /Mia Berg/ }).waitFor()
    await press('Enter')
    await page.keyboard.type('?')
    await press('ControlOrMeta+Enter')
    await other.page.getByRole('region', { name: 'Conversation' }).getByText('Can you fetch it,').waitFor()

    // The network is lost while the title is edited, and comes back.
    await press('Escape')
    await reach(page, title)
    await press('End')
    await page.keyboard.type(' from Oslo')
    await context.setOffline(true)
    await page.getByText('Offline').waitFor()
    await press('Enter')
    await page.getByText('1 change waits').waitFor()
    await context.setOffline(false)
    await until(async () => /^Parcel \d+ from Oslo$/.test((await newcomer.get(`/item/${urgent.key}`)).title))
    await until(async () => / from Oslo$/.test(await other.page.getByRole('textbox', { name: 'Title' }).inputValue()))
    refuseFaults(other)

    // The sample leaves, and with it the first steps, which a menu brings back.
    await press('Escape', 'g', 'h')
    await enter(panel.getByRole('button', { name: 'Remove the sample company' }))
    await panel.waitFor({ state: 'detached' })
    await until(async () => !(await newcomer.get('/tenant/sample')).loaded)
    await enter(page.getByRole('button', { name: 'Workspace Fresh' }))
    const steps = page.getByRole('menuitem', { name: 'First steps and sample company' })
    await steps.waitFor()
    for (let tries = 0; tries < 12 && !(await isFocused(page, steps)); tries++) await press('ArrowDown')
    await press('Enter')
    await panel.getByRole('button', { name: 'Load the sample company' }).waitFor()
    await enter(panel.getByRole('button', { name: 'Hide the first steps' }))
    await panel.waitFor({ state: 'detached' })
    refuseFaults(seat)
  })
})
