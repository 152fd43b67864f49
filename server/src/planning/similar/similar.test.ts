import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { grantEffect } from '../../identity/grant-effect.ts'
import { userKind } from '../../identity/user-kind.ts'
import { itemVisibility } from '../../items/item-codes.ts'
import { roleCode } from '../../kernel/access.ts'
import { chooseWords, textWords } from './text-words.ts'

interface Found {
  score: number
  words: string[]
  item: { id: string; title: string; Field?: unknown[] }
}

describe('similar items', async () => {
  const { ada, bob, eve, person, databaseUrl } = await sharedTestService()
  const desk = await ada.post('/container', { name: 'Desk', kind: containerKind.desk })
  const shop = await ada.post('/container', { name: 'Shop' })
  const vault = await ada.post('/container', { name: 'Vault', private: true })
  const rita = await person({ name: 'Rita', role: roleCode.requester, kind: userKind.requester })
  const group = await ada.post('/user-group', { name: 'Board', members: [ada.id] })
  const make = (title: string, more: object = {}) => ada.post('/item', { title, containerId: desk.id, ...more })
  const printer = await make('Printer on floor 3 does not answer', { requesterId: rita.id })
  await make('Printer paper is missing', { containerId: shop.id })
  await make('Coffee machine leaks', { description: 'Beside the printer on floor 3' })
  await make('Printer on floor 3 burns', { containerId: vault.id })
  await make('Printer on floor 3 listens', { visibility: itemVisibility.restricted, restrictedTo: [group.id] })
  const ask = async (body: object, who: Person = ada): Promise<Found[]> => await who.post('/item/similar', body)
  const titles = (all: Found[]) => all.map(each => each.item.title)

  test('are found by the words that they share, those in titles first, with the reasons', async () => {
    const found = await ask({ title: 'PRINTER, floor 3: no answer', containerId: desk.id })
    assert.deepEqual(titles(found), [
      'Printer on floor 3 does not answer',
      'Printer on floor 3 listens',
      'Coffee machine leaks',
    ])
    assert.deepEqual(found[0]?.words.toSorted(), ['answer', 'floor', 'printer'])
    assert.ok(found.every(({ score }) => score > 0 && score <= 1))
    assert.deepEqual(titles(await ask({ title: 'Zebra', description: 'Quagga' })), [])
    assert.deepEqual(await ask({ title: '!?' }), [])
  })

  test('are limited by number, container and process', async () => {
    assert.equal((await ask({ title: 'printer', limit: 2 })).length, 2)
    assert.deepEqual(titles(await ask({ title: 'printer', containerId: shop.id })), ['Printer paper is missing'])
    const process = await ada.post('/process', { name: 'Repair' })
    assert.deepEqual(await ask({ title: 'printer', processId: process.id }), [])
    for (const [body, status] of [
      [{ title: 'printer', limit: 21 }, 400],
      [{ title: 'printer', limit: 0 }, 400],
      [{ title: '' }, 400],
      [{ description: 'printer' }, 400],
      [{ title: 'printer', containerId: 'x' }, 422],
      [{ title: 'printer', containerId: (await eve.post('/container', { name: 'Foreign' })).id }, 422],
    ] as const)
      assert.equal((await ada.ask('POST', '/item/similar', { body })).status, status, JSON.stringify(body))
  })

  test('are those that the caller may see', async () => {
    const text = { title: 'Printer on floor 3', limit: 20 }
    assert.ok(titles(await ask(text)).includes('Printer on floor 3 burns'))
    for (const hidden of ['Printer on floor 3 burns', 'Printer on floor 3 listens'])
      assert.ok(!titles(await ask(text, bob)).includes(hidden), hidden)
    assert.deepEqual(titles(await ask(text, rita)), [printer.title])
    assert.deepEqual(await ask(text, eve), [])
  })

  test('have scores that do not depend on items that the caller does not see', async () => {
    const text = { title: 'Printer nightingale answer' }
    const before = await ask(text, rita)
    for (let i = 0; i < 5; i++) await make(`Nightingale ${i}`, { containerId: vault.id })
    assert.deepEqual(await ask(text, rita), before)
    assert.equal(before.length, 1)
  })

  test('are not found by the words of hidden fields', async () => {
    const field = await ada.post('/field/text', { name: 'Codename', key: 'codename' })
    const secret = await make('Plain walrus', { Field: [{ key: 'codename', value: 'xylophone' }] })
    const text = { title: 'walrus xylophone' }
    assert.deepEqual((await ask(text))[0]?.words.toSorted(), ['walrus', 'xylophone'])
    const permissions = [`field.${field.key}.*`]
    await ada.post('/access-control', { userId: bob.id, effect: grantEffect.deny, permissions })
    const [found] = await ask(text, bob)
    assert.deepEqual([found?.item.id, found?.words], [secret.id, ['walrus']])
    assert.doesNotMatch(JSON.stringify(found), /xylophone/)
    assert.deepEqual(await ask({ title: 'xylophone' }, bob), [])
  })

  test('come in the order of their use at equal score', async () => {
    const old = await make('Okapi escapes', { status: 'Done' })
    const fresh = await make('Okapi escapes')
    const found = async () => (await ask({ title: 'Okapi escapes' })).map(each => each.item.id)
    assert.deepEqual(await found(), [fresh.id, old.id])
    await ada.put(`/item/${old.id}`, { description: 'By night' })
    assert.deepEqual(await found(), [old.id, fresh.id])
    const owner = new pg.Client({ connectionString: databaseUrl })
    await owner.connect()
    await owner.query(`update item set closed_at = now() - interval '31 days' where id = $1`, [old.id])
    await owner.end()
    assert.deepEqual(await found(), [fresh.id, old.id])
  })

  test('are named by the creation of an item that asks for them, also by a dry run', async () => {
    const body = { title: 'Printer on floor 3 is silent', containerId: desk.id }
    const { body: dry } = await ada.ask('POST', '/item?similar=true&dryRun=true', { body })
    assert.ok(titles(dry.would.similar).includes(printer.title))
    const made = await ada.post('/item?similar=true', body)
    assert.ok(titles(made.similar).includes(printer.title))
    assert.ok(!titles(made.similar).includes(body.title))
    assert.equal((await ada.get(`/item/${made.id}`)).title, body.title)
    assert.equal('similar' in (await ada.post('/item', body)), false)
    assert.equal((await ada.ask('POST', '/item?similar=yes', { body })).status, 400)
    const ofRita = await rita.post('/item?similar=true', { title: body.title })
    assert.deepEqual(titles(ofRita.similar), [printer.title])
  })
})

test('the rarest words of a text are compared, and few of them are asked from the index', () => {
  const words = textWords('The office printer of Room 977', `the ${'of '.repeat(9)} toner age000000812 x`)
  assert.deepEqual(
    words.map(each => each.word),
    ['office', 'printer', 'room', '977', 'toner'],
  )
  const counts: Record<string, number> = { office: 900, printer: 15, room: 4, 977: 0, toner: 3 }
  const frequencies = words.map(({ word }) => ({ word, count: counts[word] ?? 0, known: word !== '977' }))
  const { compared, finders } = chooseWords(words, frequencies)
  assert.deepEqual(
    compared.map(each => each.word),
    ['977', 'toner', 'room', 'printer', 'office'],
  )
  assert.deepEqual(finders, ['toner', 'room'])
})
