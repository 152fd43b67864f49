import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { itemPriority } from '../../../server/src/containers/item-property/priority.ts'
import { grantEffect } from '../../../server/src/identity/grant-effect.ts'
import { statusCategory } from '../../../server/src/items/status.ts'
import { roleCode } from '../../../server/src/kernel/access.ts'
import { ownerKind } from '../../../server/src/records/references/owner.ts'
import { type Person, sharedTestService } from '../../../server/test/support/people.ts'
import { webPassword } from '../../../server/test/support/web-user.ts'
import { openBrowsers, refuseFaults, withoutBrowser } from '../browser.ts'

describe('the list', { skip: withoutBrowser }, async () => {
  const { ada, person, base } = await sharedTestService()
  const { sit } = await openBrowsers({ base })
  let ana: Person
  let wanda: Person
  let containerId: string
  before(async () => {
    ana = await person({ name: 'Ana Marković', email: 'ana.list@example.com', role: 3 })
    wanda = await person({ name: 'Wanda Okafor', email: 'wanda.list@example.com', role: 3 })
    for (const { id } of [ana, wanda]) await ada.post(`/user/${id}/password`, { password: webPassword })
    const step = (value: string, next: string, category: number) => ({ value, next, category, fieldId: 'status' })
    const { id: processId } = await ada.post('/process', {
      name: 'Triage',
      workflow: [
        { ...step('New', 'Accepted', 1), initial: true },
        step('Accepted', 'Closed', 2),
        step('Closed', 'New', 4),
      ],
    })
    const container = await ada.post('/container', { name: 'Triage', key: 'TRI', processIds: [processId] })
    containerId = container.id
    for (let at = 1; at <= 10; at++)
      await ada.post('/item', { title: `Report ${at}`, containerId, processId, status: 'New', estimateMinutes: 60 })
  })
  const items = (query: string) => ada.get(`/item?containerId=${containerId}&sort=number&${query}`)

  test('ana triages ten items by keys alone, changes them together, and undoes it', async () => {
    const seat = await sit('ana.list@example.com', '/container/TRI')
    const { page } = seat
    const row = (title: string) => page.getByRole('row').filter({ hasText: title })
    const editor = page.locator('.editor')
    const choose = async (key: string, text: string) => {
      await page.keyboard.press(key)
      await editor.getByRole('option').first().waitFor()
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
      await editor.waitFor({ state: 'detached' })
    }
    await row('Report 10').waitFor()
    await page.keyboard.press('j')
    // One by one: who, priority, due, label and status of the item in focus.
    await page.keyboard.press('i')
    await row('Report 1').getByRole('button', { name: 'Who: Ana Marković' }).first().waitFor()
    await choose('p', 'urg')
    await row('Report 1').getByRole('button', { name: 'Priority: Urgent' }).first().waitFor()
    await page.keyboard.press('d')
    await page.keyboard.type('2030-05-17')
    await page.keyboard.press('Enter')
    await row('17 May 2030').waitFor()
    await page.keyboard.press('l')
    await editor.getByRole('combobox').fill('paper')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await row('#paper').waitFor()
    // The workflow leads from new to accepted only, and says so.
    await page.keyboard.press('s')
    await editor.getByText('no such transition').waitFor()
    await page.keyboard.type('acc')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Accepted 1' }).waitFor()
    // All together: nine of ten may be accepted, and the tenth is already.
    await page.keyboard.press('ControlOrMeta+a')
    await page.getByText('10 selected').waitFor()
    await choose('a', 'wanda')
    await page.getByRole('button', { name: 'Who: Wanda Okafor' }).nth(9).waitFor()
    await page.getByText('Who: Wanda Okafor: 10 changed').waitFor()
    assert.equal((await items(`assignees=${wanda.id}`)).length, 10)
    await choose('s', 'acc')
    await page.getByText('Status: Accepted: 9 changed').waitFor()
    await page.getByRole('button', { name: 'Accepted 10' }).waitFor()
    await page.keyboard.press('ControlOrMeta+z')
    await page.getByRole('button', { name: 'New 9' }).waitFor()
    await page.keyboard.press('ControlOrMeta+z')
    await page.getByRole('button', { name: 'Who: Ana Marković' }).waitFor()
    await page.getByRole('button', { name: 'Who: Wanda Okafor' }).first().waitFor({ state: 'detached' })
    const [first, ...others] = await items('')
    assert.deepEqual(
      [first.status, first.priority, first.assignees, first.Tags, first.dueDate],
      ['Accepted', 1, [ana.id], ['paper'], '2030-05-17'],
    )
    assert.deepEqual(new Set(others.map((each: { status: string }) => each.status)), new Set(['New']))
    // What the workflow refuses is said before anything changes.
    await choose('s', 'clo')
    await page.getByText('9 refused').waitFor()
    await page.getByText('9 × the workflow has no such transition').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Status: Closed: 1 changed').waitFor()
    assert.equal((await items('status=Closed')).length, 1)
    refuseFaults(seat)
  })

  test('somebody is found while the list of people is on its way', async () => {
    const held = Promise.withResolvers<void>()
    const prepare = (page: Page) =>
      page.route(/\/api\/user\?.*fields=name%2Cemail/, async route => {
        await held.promise
        await route.continue()
      })
    const seat = await sit('ana.list@example.com', '/container/TRI', { prepare })
    const { page } = seat
    await page.getByRole('row').filter({ hasText: 'Report 9' }).waitFor()
    await page.keyboard.press('f')
    const editor = page.locator('.editor')
    await editor.getByRole('combobox').fill('who')
    await editor.getByRole('option', { name: 'Who' }).click()
    await editor.getByRole('option', { name: 'me', exact: true }).waitFor()
    await editor.getByRole('combobox').fill('wanda')
    await editor.getByRole('option', { name: 'Wanda Okafor' }).waitFor()
    held.resolve()
    refuseFaults(seat)
  })

  test('ana asks for one thing or another, saves it and shares it, and wanda opens it', async () => {
    const byTitle = (title: string) =>
      items(`title=${encodeURIComponent(title)}`).then(([item]: { id: string }[]) => item?.id)
    await ada.must('PATCH', `/item/${await byTitle('Report 4')}`, { body: { priority: 2, assignees: [wanda.id] } })
    await ada.must('PATCH', `/item/${await byTitle('Report 5')}`, { body: { Tags: ['toner'] } })
    const seat = await sit('ana.list@example.com', '/container/TRI')
    const { page } = seat
    const editor = page.locator('.editor')
    const rows = page.getByRole('row').filter({ hasText: /Report \d/ })
    const pick = async (text: string) => {
      await editor.getByRole('combobox').fill(text)
      await editor.getByRole('option').first().waitFor()
      await page.keyboard.press('Enter')
    }
    await rows.first().waitFor()
    // Who is Wanda or me, and the priority is not none …
    await page.keyboard.press('f')
    await pick('who')
    await editor.getByRole('option', { name: 'me', exact: true }).waitFor()
    await pick('wanda')
    await pick('me')
    await page.keyboard.press('Escape')
    await page.getByRole('group', { name: /Who is any of Wanda Okafor, me/ }).waitFor()
    await page.keyboard.press('f')
    await pick('prio')
    await editor.getByRole('option', { name: /None/ }).waitFor()
    await pick('none')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Comparison of Priority' }).click()
    await editor.getByRole('option', { name: 'is not', exact: true }).click()
    await page.getByRole('group', { name: 'Priority is not None' }).waitFor()
    // … or it has the label toner.
    await page.getByRole('button', { name: 'Add an alternative' }).click()
    await pick('label')
    await editor.getByPlaceholder('Labels…').waitFor()
    await pick('toner')
    await page.keyboard.press('Escape')
    await rows.filter({ hasText: 'Report 5' }).waitFor()
    await rows.filter({ hasText: 'Report 4' }).waitFor()
    await rows.filter({ hasText: 'Report 6' }).waitFor({ state: 'detached' })
    assert.match(decodeURIComponent(page.url()), /where=assignees:in:[^;]*@me;priority:notIn:0\|tags:in:toner/)
    // Kept under a name, for everybody in the container.
    await page.getByRole('button', { name: 'Save the filter' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Wanda or toner')
    await page.getByRole('radio', { name: /Everybody/ }).check()
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByRole('button', { name: 'Filter: Wanda or toner' }).waitFor()
    refuseFaults(seat)

    const other = await sit('wanda.list@example.com', '/container/TRI')
    await other.page.getByRole('button', { name: 'Filter: All items' }).click()
    await other.page.getByRole('menuitem', { name: /Wanda or toner/ }).click()
    const theirs = other.page.getByRole('row').filter({ hasText: /Report \d/ })
    await other.page.getByRole('group', { name: /Labels has toner/ }).waitFor()
    await theirs.filter({ hasText: 'Report 6' }).waitFor({ state: 'detached' })
    await theirs.filter({ hasText: 'Report 5' }).waitFor()
    // The star is in the sidebar and leads back to it.
    await other.page.getByRole('button', { name: 'Filter: Wanda or toner' }).click()
    await other.page.getByRole('menuitem', { name: 'Star it' }).click()
    await other.page.getByRole('navigation').getByRole('link', { name: 'Wanda or toner' }).waitFor()
    refuseFaults(other)
  })

  test('mia edits a title in its place, sees sub-items and clocks, and deletes a selection by one request', async () => {
    const mia = await person({ name: 'Mia', email: 'mia.list@example.com', role: roleCode.manager })
    await ada.post(`/user/${mia.id}/password`, { password: webPassword })
    const { id } = await ada.post('/container', { name: 'Cellar', key: 'CELL' })
    const shelf = await ada.post('/item', { title: 'Shelf', containerId: id, priority: itemPriority.high })
    for (const [n, category] of [statusCategory.done, statusCategory.started].entries())
      await ada.post('/item', { title: `Board ${n}`, containerId: id, parentId: shelf.id, statusCategory: category })
    await ada.post(
      '/item/bulk',
      Array.from({ length: 60 }, (_, n) => ({ title: `Crate ${n}`, containerId: id, priority: itemPriority.low })),
    )
    const kept = await ada.post('/item', { title: 'Crate that stays', containerId: id, priority: itemPriority.low })
    await ada.post('/access-control', {
      userId: mia.id,
      effect: grantEffect.deny,
      permissions: ['item.delete'],
      owner: ownerKind.item,
      ownerId: kept.id,
    })
    const seat = await sit('mia.list@example.com', '/container/CELL?group=priority')
    const { page } = seat
    const row = (title: string) => page.getByRole('row').filter({ hasText: title })
    await row('Shelf').getByRole('img', { name: '1 of 2 sub-items done' }).waitFor()
    await page.getByRole('columnheader').filter({ hasText: 'Clock' }).waitFor()
    // By a double click and by F2; a title is not emptied.
    const field = page.locator('.editor').getByRole('textbox', { name: 'Title' })
    await row('Shelf').getByText('Shelf').dblclick()
    await field.fill('Tall shelf')
    await page.keyboard.press('Enter')
    await row('Tall shelf').waitFor()
    await page.keyboard.press('F2')
    await field.fill('')
    await page.keyboard.press('Enter')
    await field.waitFor({ state: 'detached' })
    await page.keyboard.press('F2')
    await field.fill('Wide shelf')
    await page.keyboard.press('Enter')
    await row('Wide shelf').waitFor()
    await page.getByText(': Wide shelf').waitFor()
    assert.equal((await ada.get(`/item/${shelf.id}`)).title, 'Wide shelf')
    // The heading of a group stays above its items.
    const heading = page.getByRole('button', { name: /Low 61/ })
    await heading.waitFor()
    await page.evaluate("document.querySelector('[role=grid]').scrollTop = 900")
    await row('Crate 30').waitFor()
    const [grid, low] = [await page.getByRole('grid').boundingBox(), await heading.boundingBox()]
    assert.ok(grid && low && low.y - grid.y < 50 && low.y >= grid.y, JSON.stringify([grid, low]))
    // Sixty of sixty-one may be deleted.
    const deletions: string[] = []
    page.on('request', request => {
      if (request.method() !== 'GET' && /\/item/.test(request.url())) deletions.push(new URL(request.url()).pathname)
    })
    await page.goto(`${new URL(page.url()).origin}/container/CELL?where=priority:in:4`)
    await row('Crate 1').first().waitFor()
    await page.keyboard.press('ControlOrMeta+a')
    await page.getByText('61 selected').waitFor()
    await page.keyboard.press('.')
    await page.locator('.editor').getByRole('combobox').fill('delete')
    await page.keyboard.press('Enter')
    await page.getByText('60 items go to the trash').waitFor()
    await page.getByText('1 refused').waitFor()
    deletions.length = 0
    await page.keyboard.press('Enter')
    await page.getByText('60 items deleted').waitFor()
    await row('Crate 1').first().waitFor({ state: 'detached' })
    assert.deepEqual(
      deletions.filter(path => !path.endsWith('/search')),
      ['/api/item/delete'],
    )
    assert.equal((await ada.get(`/item?containerId=${id}&priority=4`)).length, 1)
    await page.keyboard.press('ControlOrMeta+z')
    await row('Crate 1').first().waitFor()
    refuseFaults(seat)
  })
  test('a change of many comes after what is on its way to each of them', async () => {
    const made = await ada.post('/container', { name: 'Orders', key: 'ORD' })
    for (const title of ['Order paper', 'Order ink']) await ada.post('/item', { title, containerId: made.id })
    const seat = await sit('ana.list@example.com', '/container/ORD')
    const { page } = seat
    await page.getByRole('row').filter({ hasText: 'Order ink' }).waitFor()
    const held = Promise.withResolvers<void>()
    await page.route(/\/api\/item\/[^/]+$/, async route => {
      if (route.request().method() === 'PATCH') await held.promise
      await route.continue()
    })
    const setPriority = async (name: string) => {
      await page.keyboard.press('p')
      await page.locator('.editor').getByRole('option', { name }).waitFor()
      await page.keyboard.type(name)
      await page.keyboard.press('Enter')
      await page.locator('.editor').waitFor({ state: 'detached' })
    }
    const asked = page.waitForRequest(each => each.method() === 'PATCH')
    await page.keyboard.press('j')
    await setPriority('Low')
    const one = await asked
    await page.keyboard.press('ControlOrMeta+a')
    await page.getByText('2 selected').waitFor()
    await setPriority('Urgent')
    await page.getByRole('row').getByRole('button', { name: 'Priority: Urgent' }).nth(1).waitFor()
    await page.waitForTimeout(500) // what does not wait is sent by then
    held.resolve()
    assert.equal((await one.response())?.status(), 200)
    await page.getByText('Priority: Urgent: 2 changed').waitFor()
    const priorities = await ada.get(`/item?containerId=${made.id}&fields=priority`)
    assert.deepEqual(
      priorities.map(({ priority }: { priority: number }) => priority),
      [itemPriority.urgent, itemPriority.urgent],
    )
    refuseFaults(seat)
  })
})
