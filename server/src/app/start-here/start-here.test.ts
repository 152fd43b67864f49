import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Person, sharedTestService } from '../../../test/support/people.ts'
import { newBrowser, signInToWeb, webPassword } from '../../../test/support/web-user.ts'
import { statusCategory } from '../../containers/status-category.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { createTenant } from '../seed-tenant.ts'
import { languageOf, startTexts } from './start-here-texts.ts'
import { translateStart } from './translate-start.ts'

test('German is for German locales, and English for all others', () => {
  for (const locale of ['de', 'de-AT', 'DE_ch']) assert.equal(languageOf(locale.replace('_', '-')), 'de')
  for (const locale of ['', 'en', 'fr', 'del', 'nds-de']) assert.equal(languageOf(locale), 'en')
  assert.equal(startTexts.de.tasks.length, startTexts.en.tasks.length)
})

describe('a new tenant', async () => {
  const { base, database } = await sharedTestService()
  const newcomer = async (more: { locale?: string; startHere?: boolean; email?: string } = {}) => {
    const made = await createTenant(database, { name: 'New', email: 'new@example.com', keyName: 'k', ...more })
    return new Person(base, made.RawKey, made.userId, made.tenantId)
  }
  const start = async (who: Person) =>
    (await who.get('/container')).find((each: { key: string }) => each.key === 'START')
  const inbox = async (who: Person) =>
    (await who.get('/container')).find((each: { key: string }) => each.key === 'INBOX')
  const tasks = async (who: Person) => await who.get(`/item?containerId=${(await start(who)).id}&sort=number`)

  test('has “Start here”, whose first card can be moved to Done on its board', async () => {
    const ann = await newcomer()
    const container = await start(ann)
    assert.equal(container.name, 'Start here')
    const items = await tasks(ann)
    assert.deepEqual(
      items.map((each: { key: string; title: string }) => [each.key, each.title]),
      startTexts.en.tasks.map(({ title }, i) => [`START-${i + 1}`, title]),
    )
    const [board] = await ann.get(`/board?ownerId=${container.id}`)
    const { columns } = await ann.get(`/board/${board.id}/cards`)
    assert.deepEqual(
      columns.slice(0, 3).map((each: { name: string; count: number }) => [each.name, each.count]),
      [
        ['To do', items.length],
        ['In progress', 0],
        ['Done', 0],
      ],
    )
    await ann.post(`/board/${board.id}/move`, { itemId: items[0].id, column: 'Done' })
    assert.equal((await ann.get(`/item/${items[0].id}`)).statusCategory, statusCategory.done)
    await ann.delete(`/container/${container.id}`)
    assert.equal(await start(ann), undefined)
  })

  test('is addressed in the language of its locale, and in none if it does not want to', async () => {
    const [first] = await tasks(await newcomer({ locale: 'de-AT' }))
    assert.deepEqual([first.title, first.status], [startTexts.de.tasks[0]?.title, 'Zu tun'])
    assert.equal((await inbox(await newcomer({ locale: 'de-AT' }))).name, 'Eingang')
    const quiet = await newcomer({ startHere: false })
    assert.deepEqual([await start(quiet), (await quiet.get('/board')).length], [undefined, 0])
  })

  test('is translated while nobody has touched it', async () => {
    const [ann, ben] = [await newcomer(), await newcomer()]
    const translate = async ({ tenantId, id }: Person) =>
      await database.transaction(tenantCaller(tenantId, id), ctx => translateStart(ctx, 'de'))
    const [changed] = await tasks(ben)
    await ben.put(`/item/${changed.id}`, { title: 'Mine' })
    for (const each of [ann, ben]) await translate(each)
    assert.equal((await start(ben)).name, 'Start here')
    assert.equal((await start(ann)).name, 'Hier anfangen')
    assert.deepEqual([(await inbox(ann)).name, (await inbox(ann)).key], ['Eingang', 'INBOX'])
    const items = await tasks(ann)
    assert.deepEqual(
      items.map((each: { title: string; status: string; statusCategory: number }) => [each.title, each.status]),
      startTexts.de.tasks.map(({ title }) => [title, 'Zu tun']),
    )
    const [board] = await ann.get('/board')
    await ann.post(`/board/${board.id}/move`, { itemId: items[0].id, column: 'Erledigt' })
    const { status, statusCategory: category } = await ann.get(`/item/${items[0].id}`)
    assert.deepEqual([status, category], ['Erledigt', statusCategory.done])
  })

  test('speaks the language of the browser in which its only user signs in first, and keeps it', async () => {
    const signIn = async (who: Person, email: string, language: string) => {
      await who.post(`/user/${who.id}/password`, { password: webPassword })
      await signInToWeb(who, email, { browser: newBrowser(base, { 'accept-language': language }) })
    }
    const [ann, ben] = [await newcomer({ email: 'ann@start.example' }), await newcomer({ email: 'ben@start.example' })]
    await signIn(ann, 'ann@start.example', 'de-AT,de;q=0.9,en;q=0.5')
    assert.deepEqual([(await start(ann)).name, (await inbox(ann)).name], ['Hier anfangen', 'Eingang'])
    assert.deepEqual([(await ann.get('/tenant')).locale, (await ann.get('/user/me')).locale], ['de-AT', 'de-AT'])
    await signIn(ann, 'ann@start.example', 'en-GB')
    assert.equal((await start(ann)).name, 'Hier anfangen')
    // Whoever is not alone does not speak for the others.
    await ben.post('/user', { name: 'Bea', email: 'bea@start.example' })
    await signIn(ben, 'ben@start.example', 'de-AT')
    assert.deepEqual([(await start(ben)).name, (await ben.get('/tenant')).locale], ['Start here', ''])
  })
})
