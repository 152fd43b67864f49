import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { codes } from '@gantry/sdk'
import type { Page, Route } from 'playwright-core'
import { casesOf } from '../../../server/test/support/form.ts'
import { type Person, sharedTestService } from '../../../server/test/support/people.ts'
import { until } from '../../../server/test/support/until.ts'
import { webPassword } from '../../../server/test/support/web-user.ts'
import { openBrowsers, refuseFaults, withoutBrowser } from '../browser.ts'

describe('nothing that somebody does is lost or done twice', { skip: withoutBrowser }, async () => {
  const { ada, person, base } = await sharedTestService()
  const { sit } = await openBrowsers({ base })
  const email = 'ana@resilience.example'
  let ana: Person
  let containerId = ''
  before(async () => {
    ana = await person({ name: 'Ana Marković', email, role: 3 })
    await ada.post(`/user/${ana.id}/password`, { password: webPassword })
    containerId = (await ada.post('/container', { name: 'Operations', key: 'RES' })).id
  })

  /** A new item; `changed` tells how often its properties were changed. */
  async function newItem(title: string) {
    const { id, key } = await ada.post('/item', { title, containerId })
    return {
      id,
      key,
      path: `/item/${key}`,
      now: () => ada.get(`/item/${id}`),
      changed: async () => {
        const events = await ada.get(`/event?types=item.updated&limit=1000`)
        return events.filter(({ recordId }: { recordId: string }) => recordId === id).length
      },
    }
  }
  const titleOf = (page: Page) => page.getByRole('textbox', { name: 'Title' })
  async function retitle(page: Page, title: string) {
    await titleOf(page).fill(title)
    await titleOf(page).press('Enter')
  }
  /** Waits until the browser keeps the app itself. */
  async function prepareForOffline(page: Page) {
    await until(() => page.evaluate("navigator.serviceWorker.ready.then(({ active }) => active.state === 'activated')"))
    await page.reload()
    await until(() =>
      page.evaluate("caches.open('gantry-shell').then(each => each.keys()).then(all => all.length > 5)"),
    )
  }
  async function quickAdd(page: Page, line: string) {
    await page.keyboard.press('c')
    await page.getByRole('combobox', { name: 'Title' }).fill(line)
    await page.keyboard.press('Enter')
  }

  test('changes that are made offline wait, are counted, and go out once when the network is back', async () => {
    const item = await newItem('VPN drops')
    const seat = await sit(email, item.path)
    const { page, context } = seat
    await titleOf(page).waitFor()
    await context.setOffline(true)
    await page.getByText('Offline').waitFor()
    await retitle(page, 'VPN drops at')
    await retitle(page, 'VPN drops at noon')
    await page.getByText('Offline · 1 change waits').waitFor()
    assert.equal(await titleOf(page).inputValue(), 'VPN drops at noon')
    assert.equal((await item.now()).title, 'VPN drops')
    await context.setOffline(false)
    await until(async () => (await item.now()).title === 'VPN drops at noon')
    await page.getByText('Offline').waitFor({ state: 'detached' })
    assert.deepEqual([(await item.now()).version, await item.changed()], [2, 1])
    refuseFaults(seat)
  })

  test('a change whose request or answer is lost by a reload is made once', async () => {
    // The request is lost, or the answer.
    for (const arrives of casesOf([true, false], 2)) {
      const item = await newItem('Order laptops')
      const seat = await sit(email, item.path)
      const { page } = seat
      await titleOf(page).waitFor()
      let held = 0
      await page.route('**/api/item/*', async route => {
        if (route.request().method() !== 'PATCH') return route.continue()
        if (arrives) await ana.must('PATCH', `/item/${item.id}`, { body: route.request().postDataJSON() })
        held++
        // No answer: the page is left before.
      })
      await retitle(page, 'Order ten')
      await until(async () => held > 0)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      // The browser may have sent the first one after the page was left: then the second one is refused.
      await Promise.all([page.waitForResponse(each => each.request().method() === 'PATCH'), page.reload()])
      await until(async () => (await item.now()).title === 'Order ten')
      assert.deepEqual([(await item.now()).version, await item.changed()], [2, 1])
      refuseFaults(seat)
    }
  })

  test('a list that could not be fetched after a change is fetched again', async () => {
    const { id, key } = await ada.post('/container', { name: 'Fetched again' })
    await ada.post('/item', { title: 'Known', containerId: id })
    const seat = await sit(email, `/container/${key}`)
    const { page } = seat
    const row = (title: string) => page.getByRole('row').filter({ hasText: title })
    await row('Known').waitFor()
    let refused = 0
    await page.route('**/api/insight/query', async route => {
      refused++
      await route.fulfill({ status: 503, headers: { 'retry-after': '0' } })
    })
    await ada.post('/item', { title: 'Added meanwhile', containerId: id })
    // The first request and both of its repetitions.
    await until(async () => refused >= 3)
    await page.unrouteAll({ behavior: 'wait' })
    await row('Added meanwhile').waitFor()
    assert.equal(await row('Known').count(), 1)
  })

  test('what waits in a tab that is closed is sent by another one, once', async () => {
    const item = await newItem('Replace the switch')
    const seat = await sit(email, item.path)
    await titleOf(seat.page).waitFor()
    const other = await seat.context.newPage()
    await other.goto(seat.page.url())
    await titleOf(other).waitFor()
    await seat.context.setOffline(true)
    await retitle(seat.page, 'Replace the core switch')
    await seat.page.getByText('1 change waits').waitFor()
    await seat.page.close()
    await seat.context.setOffline(false)
    await until(async () => (await item.now()).title === 'Replace the core switch')
    await until(async () => (await titleOf(other).inputValue()) === 'Replace the core switch')
    assert.deepEqual([(await item.now()).version, await item.changed()], [2, 1])
  })

  test('without a network the app opens with what was seen last, and a change that is made then is sent', async () => {
    const item = await newItem('Label the cables')
    const seat = await sit(email, item.path, { offline: true })
    const { page, context } = seat
    await titleOf(page).waitFor()
    await prepareForOffline(page)
    await titleOf(page).waitFor()
    await until(() =>
      page.evaluate(`indexedDB.databases().then(all => new Promise(done => {
        const opening = indexedDB.open(all.find(({ name }) => name.startsWith('gantry.records')).name)
        opening.onsuccess = () => {
          const row = opening.result.transaction('rows').objectStore('rows').get('Item ${item.id}')
          row.onsuccess = () => done(row.result !== undefined)
        }
      }))`),
    )
    await context.setOffline(true)
    await page.reload()
    await page.getByText('Offline').waitFor()
    assert.equal(await titleOf(page).inputValue(), 'Label the cables')
    await retitle(page, 'Label all cables')
    await page.getByText('1 change waits').waitFor()
    await page.reload()
    await page.getByText('1 change waits').waitFor()
    assert.equal(await titleOf(page).inputValue(), 'Label all cables')
    await context.setOffline(false)
    await until(async () => (await item.now()).title === 'Label all cables')
    assert.equal(await item.changed(), 1)
    refuseFaults(seat)
  })

  test('an item that is created offline is there at once, can be changed and ranked, survives a reload on the list and the board, and is created once', async () => {
    const garden = await ada.post('/container', { name: 'Garden', key: 'GRD' })
    for (const title of ['Water the plants', 'Cut the hedge'])
      await ada.post('/item', { title, containerId: garden.id, priority: 2 })
    const column = (name: string, priority: string) => ({ id: name, name, values: [priority] })
    await ada.post('/board', {
      name: 'Garden',
      containerIds: [garden.id],
      columnField: 'priority',
      columns: [column('High', '2'), column('Low', '4')],
    })
    const board = '/container/GRD?view=board'
    const list = '/container/GRD?sort=rank'
    const seat = await sit(email, board, { offline: true })
    const { page, context } = seat
    const open = (path: string) => page.goto(new URL(path, page.url()).href)
    await page.getByRole('article', { name: 'Water the plants' }).waitFor()
    await open(list)
    await prepareForOffline(page)
    await page.getByRole('row').filter({ hasText: 'Water the plants' }).waitFor()
    const titles = () => page.locator('.lrow .tt').allTextContents()
    const row = page.getByRole('row').filter({ hasText: 'Made in a tunnel' })
    await page.keyboard.press('c')
    await page.getByRole('combobox', { name: 'Title' }).waitFor()
    await page.keyboard.press('Escape')
    await context.setOffline(true)
    await page.getByText('Offline').waitFor()
    await quickAdd(page, 'Made in a tunnel !high')
    await row.waitFor()
    await page.getByText('1 change waits').waitFor()
    await page.keyboard.press('i')
    await page.getByText('2 changes wait').waitFor()
    const [, first, second] = await titles()
    assert.equal((await titles())[0], 'Made in a tunnel')
    await page.keyboard.press('Alt+ArrowDown')
    await page.keyboard.press('Alt+ArrowDown')
    await page.getByText('4 changes wait').waitFor()
    const ranked = [first, second, 'Made in a tunnel']
    await until(async () => JSON.stringify(await titles()) === JSON.stringify(ranked), titles)
    await page.reload()
    await page.getByText('4 changes wait').waitFor()
    await until(async () => JSON.stringify(await titles()) === JSON.stringify(ranked), titles)
    await open(board)
    const high = page.getByRole('region', { name: 'High', exact: true })
    await high.getByRole('article', { name: 'Made in a tunnel' }).waitFor()
    assert.equal(await high.getByRole('article').count(), 3)
    await open(list)
    await row.waitFor()
    await context.setOffline(false)
    const found = () => ada.get('/item?title=Made in a tunnel')
    await until(async () => (await found())[0]?.assignees[0] === ana.id)
    await page.getByText('Offline').waitFor({ state: 'detached' })
    const [made, ...more] = await found()
    assert.deepEqual([more.length, made.priority], [0, 2])
    await page.getByRole('row').filter({ hasText: made.key }).waitFor()
    const order = async () =>
      (await ada.get(`/item?containerId=${garden.id}&sort=rank`)).map(({ title }: { title: string }) => title)
    await until(async () => JSON.stringify(await order()) === JSON.stringify(ranked), order)
    await until(async () => JSON.stringify(await titles()) === JSON.stringify(ranked), titles)
    refuseFaults(seat)
  })

  test('comments, time and sub-items wait for the network in a tab that is closed, and are made once by another', async () => {
    const item = await newItem('Paint the walls')
    const seat = await sit(email, item.path)
    const { page, context } = seat
    await titleOf(page).waitFor()
    const other = await context.newPage()
    await other.goto(page.url())
    await titleOf(other).waitFor()
    await page.keyboard.press('n')
    await page.locator('.composer .ProseMirror').waitFor()
    await context.setOffline(true)
    await page.getByText('Offline').waitFor()
    await page.locator('.composer .ProseMirror').pressSequentially('White, twice')
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByText('1 change waits').waitFor()
    await page.getByRole('region', { name: 'Conversation' }).getByText('White, twice').waitFor()
    await page.getByRole('button', { name: 'Log time' }).click()
    await page.getByRole('textbox', { name: 'Duration' }).fill('45m')
    await page.keyboard.press('Enter')
    await page.getByText('2 changes wait').waitFor()
    await page.getByRole('region', { name: 'Time' }).getByRole('listitem').filter({ hasText: '45m' }).waitFor()
    await page.getByRole('button', { name: 'Add a sub-item' }).click()
    await page.getByRole('textbox', { name: 'Add a sub-item' }).fill('Buy brushes')
    await page.keyboard.press('Enter')
    await page.getByText('3 changes wait').waitFor()
    await page.getByRole('link', { name: 'Buy brushes' }).waitFor()
    await page.close()
    await context.setOffline(false)
    const made = async () => [
      ...(await ada.get(`/annotation?itemId=${item.id}`)).map((each: { body: string }) => each.body),
      ...(await ada.get(`/time?itemId=${item.id}`)).map((each: { minutes: number }) => each.minutes),
      ...(await ada.get(`/item?parentId=${item.id}`)).map((each: { title: string }) => each.title),
    ]
    await until(async () => (await made()).length === 3)
    await other.getByText('White, twice').first().waitFor()
    assert.deepEqual(await made(), ['White, twice', 45, 'Buy brushes'])
  })

  test('a creation whose answer is lost is made once', async () => {
    const seat = await sit(email, '/container/RES')
    const { page } = seat
    await page.waitForSelector('.app')
    let lost = 0
    await page.route('**/api/item', async route => {
      if (route.request().method() !== 'POST' || lost > 0) return route.continue()
      lost++
      // It arrives under another key, as after the day for which the service remembers it.
      await ana.must('POST', '/item', { body: route.request().postDataJSON() })
      await route.abort()
    })
    await quickAdd(page, 'Answer lost')
    const found = () => ada.get('/item?title=Answer lost')
    await until(async () => (await found()).length > 0)
    const [{ key }] = await found()
    await page.getByRole('row').filter({ hasText: key }).waitFor()
    await page.getByText('waits').waitFor({ state: 'detached' })
    assert.deepEqual([lost, (await found()).length], [1, 1])
  })

  test('what is refused when the network returns is there to be edited and sent again', async () => {
    const place = await ada.post('/container', { name: 'Closing', key: 'CLO' })
    const dated = await ada.post('/container', { name: 'Dated', key: 'DATED' })
    await ada.post('/screen', {
      name: 'Estimated',
      containerId: dated.id,
      moment: codes.screenMoment.quickAdd,
      sections: [{ fields: [{ fieldId: 'title' }, { fieldId: 'estimateMinutes', required: true }] }],
    })
    const about = await ada.post('/item', { title: 'About', containerId: place.id })
    const seat = await sit(email, `/item/${about.key}`)
    const { page, context } = seat
    await titleOf(page).waitFor()
    // The form has asked for its fields before, and the editor for its code.
    await page.keyboard.press('c')
    const line = page.getByRole('combobox', { name: 'Title' })
    await line.fill('Hand over the keys /DATED')
    const estimate = page.getByRole('dialog').getByRole('button', { name: 'Est.' })
    await estimate.click()
    await page.getByRole('textbox', { name: 'Est.' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('textbox', { name: 'Est.' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await line.waitFor({ state: 'detached' })
    await page.keyboard.press('n')
    await page.locator('.composer .ProseMirror').waitFor()
    await context.setOffline(true)
    await page.getByText('Offline').waitFor()
    await page.locator('.composer .ProseMirror').pressSequentially('My long thoughts')
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByText('1 change waits').waitFor()
    await page.getByRole('button', { name: 'Log time' }).focus()
    await page.keyboard.press('c')
    await estimate.click()
    await page.getByRole('textbox', { name: 'Est.' }).fill('3h')
    await page.keyboard.press('Enter')
    await line.press('Enter')
    await page.getByText('2 changes wait').waitFor()
    await ada.delete(`/item/${about.id}`)
    await ada.post('/constraint', {
      name: 'Dated',
      owner: codes.owner.container,
      ownerId: dated.id,
      then: [{ kind: codes.constraintThenKind.required, field: 'dueDate' }],
    })
    await context.setOffline(false)
    await page.getByText(/changes? waits?/).waitFor({ state: 'detached' })
    await page.keyboard.press('c')
    await until(async () => (await line.inputValue()).startsWith('Hand over the keys'))
    await page.getByRole('dialog').getByRole('alert').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Est.: 3h' }).waitFor()
    await page.keyboard.press('Escape')
    const kept = () =>
      page.evaluate(`indexedDB.databases().then(all => new Promise(done => {
        const opening = indexedDB.open(all.find(({ name }) => name.startsWith('gantry.drafts')).name)
        opening.onsuccess = () => {
          const row = opening.result.transaction('rows').objectStore('rows').get('reply ${about.id}')
          row.onsuccess = () => done(row.result?.body)
        }
      }))`)
    await until(async () => (await kept()) === 'My long thoughts')
    await ada.must('POST', `/item/${about.id}/restore`)
    await page.goto(new URL(`/item/${about.key}`, page.url()).href)
    await page.locator('.composer .ProseMirror').filter({ hasText: 'My long thoughts' }).waitFor()
    await page.locator('.composer .ProseMirror').click()
    await page.keyboard.press('ControlOrMeta+Enter')
    await until(async () => (await ada.get(`/annotation?itemId=${about.id}`))[0]?.body === 'My long thoughts')
    refuseFaults(seat)
  })

  test('while the service restarts, changes wait', async () => {
    const item = await newItem('Renew the certificate')
    const seat = await sit(email, item.path)
    const { page } = seat
    await titleOf(page).waitFor()
    await page.route('**/api/**', route => route.fulfill({ status: 503, body: 'starting' }))
    await retitle(page, 'Renew the certificates')
    await page.getByText('1 change waits').waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await until(async () => (await item.now()).title === 'Renew the certificates')
    assert.deepEqual([(await item.now()).version, await item.changed()], [2, 1])
    refuseFaults(seat)
  })

  test('a change of another property goes on top of somebody else’s, and one of the same property is not written over theirs', async () => {
    const item = await newItem('Clean the server room')
    const seat = await sit(email, item.path)
    const { page, context } = seat
    await titleOf(page).waitFor()
    await context.setOffline(true)
    await retitle(page, 'Clean both server rooms')
    await page.getByText('1 change waits').waitFor()
    await ada.must('PATCH', `/item/${item.id}`, { body: { priority: 2 } })
    await context.setOffline(false)
    await until(async () => (await item.now()).title === 'Clean both server rooms')
    assert.deepEqual([(await item.now()).priority, await item.changed()], [2, 2])
    await page.getByText('Offline').waitFor({ state: 'detached' })
    await context.setOffline(true)
    await retitle(page, 'Mine')
    await page.getByText('1 change waits').waitFor()
    await ada.must('PATCH', `/item/${item.id}`, { body: { title: 'Theirs' } })
    await context.setOffline(false)
    await until(async () => (await titleOf(page).inputValue()) === 'Theirs')
    assert.deepEqual([(await item.now()).title, await item.changed()], ['Theirs', 3])
    refuseFaults(seat)
  })

  test('a session that ends during work is opened again in a window, and what waited goes out', async () => {
    const item = await newItem('Move the desks')
    const seat = await sit(email, item.path)
    const { page, context } = seat
    await titleOf(page).waitFor()
    // The change is the first to learn that the session has ended: what the page still asks for would be told before.
    const held: Route[] = []
    await page.route('**/api/**', route => {
      if (route.request().method() !== 'GET') return route.continue()
      held.push(route)
    })
    await context.clearCookies()
    await retitle(page, 'Move all desks')
    const sheet = page.getByRole('dialog', { name: 'You are signed out' })
    await sheet.getByText('1 change waits').waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    for (const route of held) await route.abort().catch(() => undefined) // it may be over
    const [popup] = await Promise.all([
      context.waitForEvent('page'),
      sheet.getByRole('button', { name: 'Sign in again' }).click(),
    ])
    await popup.fill('input[type=email], input[name=email]', email)
    await popup.fill('input[type=password]', webPassword)
    await popup.keyboard.press('Enter')
    await sheet.waitFor({ state: 'detached' })
    await until(async () => (await item.now()).title === 'Move all desks')
    assert.equal(await item.changed(), 1)
    refuseFaults(seat)
  })

  /** The number of rows that the browser keeps on some shelves. */
  const keptIn = (page: Page, shelf: string): Promise<number> =>
    page.evaluate(`indexedDB.databases().then(all => Promise.all(
      all.filter(({ name }) => name.startsWith('gantry.${shelf}')).map(({ name }) => new Promise(done => {
        const opening = indexedDB.open(name)
        opening.onsuccess = () => {
          const rows = opening.result.transaction('rows').objectStore('rows').count()
          rows.onsuccess = () => done(rows.result)
        }
      })),
    )).then(counts => counts.reduce((sum, each) => sum + each, 0))`)

  // The promise is five seconds, which a busy machine cannot guarantee: the time is reported.
  for (const [what, act] of [
    ['locked', (id: string) => ada.put(`/user/${id}`, { locked: '2999-01-01T00:00:00Z' })],
    ['removed', (id: string) => ada.delete(`/user/${id}`)],
    ['out of all sessions', (id: string) => ada.delete(`/user/${id}/session`)],
  ] as const)
    test(`whoever is ${what} has no records in the browser any more, in any tab`, async t => {
      const address = `${what.replaceAll(' ', '-')}@resilience.example`
      const { id } = await person({ name: `Leo ${what}`, email: address, role: 3 })
      await ada.post(`/user/${id}/password`, { password: webPassword })
      const item = await newItem(`Seen by whoever is ${what}`)
      const { page, context } = await sit(address, item.path)
      const other = await context.newPage()
      await other.goto(page.url())
      await titleOf(other).waitFor()
      await until(async () => (await keptIn(page, 'records')) > 0 && (await keptIn(page, 'session')) > 0)
      const since = performance.now()
      await act(id)
      for (const tab of [page, other]) await tab.getByRole('dialog', { name: 'You are signed out' }).waitFor()
      await until(async () => (await keptIn(page, '')) === 0)
      t.diagnostic(`out after ${Math.round(performance.now() - since)} ms`)
    })

  test('what ana may no longer see leaves her screen, and a sign-out leaves nothing in any tab', async t => {
    const secret = await ada.post('/container', { name: 'Merger', key: 'MRG' })
    await ada.post('/item', { title: 'Secret plan', containerId: secret.id })
    const seat = await sit(email, '/container/MRG')
    const { page, context } = seat
    await page.getByText('Secret plan').first().waitFor()
    const since = performance.now()
    await ada.must('PATCH', `/container/${secret.id}`, { body: { private: true } })
    await page.getByText('Secret plan').first().waitFor({ state: 'detached' })
    t.diagnostic(`gone after ${Math.round(performance.now() - since)} ms`)
    const other = await context.newPage()
    await other.goto(new URL('/', page.url()).href)
    await other.waitForSelector('.app')
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByPlaceholder('Search').fill('Sign out')
    await page.getByRole('option', { name: 'Sign out' }).first().click()
    await other.waitForSelector('input[type=password]')
    await page.waitForSelector('input[type=password]')
  })
})
