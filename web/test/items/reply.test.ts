import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { codes } from '@gantry/sdk'
import { type Person, sharedTestService } from '../../../server/test/support/people.ts'
import { eventually, until } from '../../../server/test/support/until.ts'
import { webName, webPassword } from '../../../server/test/support/web-user.ts'
import { openBrowsers, refuseFaults, withoutBrowser } from '../browser.ts'

describe('a reply on a ticket', { skip: withoutBrowser }, async () => {
  const { ada, person, base } = await sharedTestService()
  const { sit } = await openBrowsers({ base })
  const mark = Math.random().toString(36).slice(2, 7).replace(/\d/g, 'x')
  const ana = `ana.${mark}@example.com`
  let ticket = { id: '', key: '' }
  let author: Person
  before(async () => {
    author = await person({ name: 'Ana Marković', email: ana, role: codes.role.member })
    await ada.post(`/user/${author.id}/password`, { password: webPassword })
    const zoe = await person({ name: 'Zoe Lindqvist', email: `zoe.${mark}@example.com`, role: codes.role.requester })
    const desk = { name: `Desk ${mark}`, key: `D${mark.toUpperCase()}`, kind: codes.containerKind.desk }
    const { id: containerId } = await ada.post('/container', desk)
    const more = { requesterId: zoe.id, cc: ['boss@example.com'] }
    ticket = await ada.post('/ticket', { title: 'Printer jams', containerId, ...more })
    const { cannedReply, macro } = codes.contentTemplateKind
    const own = { owner: codes.owner.container, ownerId: containerId }
    const body = 'Hello {{ requester.name }},\n\nwhat is the **serial number**?'
    await ada.post('/content-template', { name: 'Ask serial', kind: cannedReply, shortcut: 'serial', body, ...own })
    const actions = [{ actionType: codes.actionType.setField, field: 'priority', value: codes.priority.low }]
    await ada.post('/content-template', { name: 'Not ours', kind: macro, body: 'This is not ours.', actions, ...own })
  })
  const replies = async () =>
    (await ada.get(`/annotation?itemId=${ticket.id}&sort=created`)) as { body: string; mail: { cc?: string[] } }[]

  test('ana puts an answer from a template by ::, changes who gets a copy, and sends it', async () => {
    const seat = await sit(ana, `/item/${ticket.key}`)
    const { page } = seat
    await page.getByRole('button', { name: 'Reply' }).first().click()
    await page.locator('.composer .ProseMirror:focus').waitFor()
    const composer = page.getByRole('region', { name: 'Reply' })
    await composer.getByRole('button', { name: 'Template' }).waitFor()
    await page.keyboard.type('Hi. ::ser')
    await page.getByRole('option', { name: 'Ask serial' }).click()
    await composer.locator('strong', { hasText: 'serial number' }).waitFor()
    await composer.getByRole('button', { name: 'Remove boss@example.com' }).click()
    await composer.getByRole('button', { name: 'Cc', exact: true }).click()
    await page.keyboard.type('lea@example.com,')
    await composer.locator('.pill', { hasText: 'lea@example.com' }).waitFor()
    await page.keyboard.press('Shift+Tab')
    await composer.getByRole('button', { name: /^Send/ }).click()
    const [sent] = await eventually(replies, ({ length }) => length === 1)
    assert.match(sent?.body ?? '', /^Hi\.\s+Hello Zoe Lindqvist,\n\nwhat is the \*\*serial number\*\*\?$/)
    assert.deepEqual(sent?.mail.cc, ['lea@example.com'])
    refuseFaults(seat)
  })

  test('a requester who is no user is named by what they gave, and the ticket says that the address is not proven', async () => {
    const { containerId } = await ada.get(`/item/${ticket.id}`)
    const requester = { name: 'Zoe Smith', email: 'zoe.smith@example.com', unproven: true }
    const { key } = await ada.post('/ticket', { title: 'Forgot my password', containerId, requester })
    const seat = await sit(ana, `/item/${key}`)
    const { page } = seat
    const line = page.locator('.item-props .requester')
    for (const text of ['Zoe Smith', 'zoe.smith@example.com', 'address not proven'])
      await line.getByText(text).waitFor()
    await page.getByRole('button', { name: 'Reply' }).first().click()
    const to = page.getByRole('region', { name: 'Reply' }).locator('.composer-to')
    for (const text of ['Zoe Smith', 'address not proven']) await to.getByText(text).waitFor()
    refuseFaults(seat)
  })

  test('a macro changes the ticket and answers, and leaves a half-written reply alone', async () => {
    const seat = await sit(ana, `/item/${ticket.key}`)
    const { page } = seat
    await page.getByRole('button', { name: 'Reply' }).first().click()
    await page.locator('.composer .ProseMirror:focus').waitFor()
    await page.keyboard.type('Half written')
    await page.getByRole('button', { name: 'Template' }).click()
    await page.getByRole('menuitem', { name: 'Not ours' }).click()
    await page.getByRole('region', { name: 'Conversation' }).getByText('This is not ours.').waitFor()
    await eventually(
      () => ada.get(`/item/${ticket.id}`),
      ({ priority }) => priority === codes.priority.low,
    )
    await page.locator('.composer', { hasText: 'Half written' }).waitFor()
    assert.equal((await replies()).length, 2)
    await page.getByRole('status').getByRole('button', { name: /Undo/ }).click()
    await eventually(replies, ({ length }) => length === 1)
    refuseFaults(seat)
  })

  test('a text that was sent does not come back, however late its draft reaches the service', async () => {
    const { containerId } = await ada.get(`/item/${ticket.id}`)
    const { id, key } = await ada.post('/item', { title: 'Thank them', containerId })
    const said = (count: number) => until(async () => (await ada.get(`/annotation?itemId=${id}`)).length === count)
    const seat = await sit(ana, `/item/${key}`)
    const { page } = seat
    const text = page.locator('.composer .ProseMirror')
    const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route('**/draft', async route => {
      if (route.request().method() === 'PUT') {
        asked.resolve()
        await held.promise
      }
      await route.continue()
    })
    await page.getByRole('button', { name: 'Note' }).first().click()
    await text.fill('Thank you')
    await asked.promise
    await page.keyboard.press('ControlOrMeta+Enter')
    await said(1)
    const removed = page.waitForResponse(answer => answer.request().method() === 'DELETE')
    held.resolve()
    await removed
    assert.equal((await author.get(`/item/${id}/draft`)).body, '')

    await author.put(`/item/${id}/draft`, { kind: codes.annotationKind.note, body: 'Written elsewhere' })
    await page.reload()
    await text.filter({ hasText: 'Written elsewhere' }).click()
    await page.keyboard.press('ControlOrMeta+Enter')
    await said(2)
    await page.getByRole('link', { name: 'My work' }).click()
    await page.waitForURL(({ pathname }) => pathname === '/')
    await text.waitFor({ state: 'detached' })
    await page.goBack()
    await page.locator('.composer-closed').waitFor()
    assert.equal(await text.count(), 0)
    refuseFaults(seat)
  })

  test('the focus stays in the text while the code of the editor takes the place of a plain field', async () => {
    const { containerId } = await ada.get(`/item/${ticket.id}`)
    const { key } = await ada.post('/item', { title: 'Write early', containerId })
    const seat = await sit(ana)
    const { page } = seat
    const hold = Promise.withResolvers<void>()
    await page.route('**/rich-editor-*.js', async route => {
      await hold.promise
      await route.continue()
    })
    await page.goto(`${webName}/item/${key}`)
    const [plain, text] = [page.locator('.composer textarea:focus'), page.locator('.composer .ProseMirror')]
    await page.getByRole('button', { name: 'Note' }).first().click()
    await plain.waitFor()
    await page.keyboard.press('Escape')
    await plain.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Note' }).first().click()
    await plain.waitFor()
    await page.keyboard.type('c')
    // Whatever waits for a frame comes late.
    await page.evaluate('requestAnimationFrame = () => 0')
    hold.resolve()
    await text.waitFor()
    await page.keyboard.type('lean')
    await text.filter({ hasText: 'clean' }).waitFor()
    await page.locator('.composer').getByRole('button', { name: 'Reply' }).click()
    await page.keyboard.type('ed')
    await text.filter({ hasText: 'cleaned' }).waitFor()
    refuseFaults(seat)
  })

  test('a note waits for its files, and says which one did not arrive', async () => {
    const seat = await sit(ana, `/item/${ticket.key}`)
    const { page } = seat
    await page.getByRole('button', { name: 'Note' }).first().click()
    const composer = page.getByRole('region', { name: 'Note' })
    await composer.locator('.ProseMirror').fill('The picture')
    const hold = Promise.withResolvers<void>()
    await page.route('**/api/file', async route => {
      await hold.promise
      await route.continue()
    })
    const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('ten o’clock: jam') })
    await composer.locator('input[type=file]').setInputFiles(file('log.txt'))
    await composer.getByRole('list', { name: 'Uploads' }).getByText('log.txt').waitFor()
    assert.ok(await composer.getByRole('button', { name: /^Send/ }).isDisabled(), 'while a file is on its way')
    hold.resolve()
    await composer.locator('.pill', { hasText: 'log.txt' }).waitFor()
    await composer.getByRole('list', { name: 'Uploads' }).waitFor({ state: 'hidden' })
    await page.route('**/api/file', route => route.abort())
    await composer.locator('input[type=file]').setInputFiles(file('lost.txt'))
    await page.getByRole('status').getByText('lost.txt: The service did not answer').waitFor()
    await composer.getByRole('button', { name: /^Send/ }).click()
    await page.getByRole('region', { name: 'Conversation' }).getByText('The picture').waitFor()
    await page.getByRole('region', { name: 'Conversation' }).getByText('log.txt').waitFor()
    refuseFaults(seat)
  })
})
