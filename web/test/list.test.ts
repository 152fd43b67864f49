import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../server/test/support/people.ts'
import { webPassword } from '../../server/test/support/web-user.ts'
import { openBrowsers, refuseFaults, withoutBrowser } from './browser.ts'

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
})
