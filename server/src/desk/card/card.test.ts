import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Person, sharedTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { grantEffect } from '../../identity/grant-effect.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { userKind } from '../../identity/user-kind.ts'
import { itemVisibility } from '../../items/item/item.ts'
import { statusCategory } from '../../items/status.ts'
import { noRole, roleCode, tenantStatus } from '../../kernel/access.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { rightsOn } from './item-rights.ts'

interface Card {
  id: string
  can?: Record<string, boolean>
  [property: string]: unknown
}

const { ada, bob, person } = await sharedTestService()
const desk = await ada.post('/container', { name: 'Desk', kind: containerKind.desk })
const shop = await ada.post('/container', { name: 'Shop' })
const rita = await person({ name: 'Rita', role: roleCode.requester, kind: userKind.requester })

/** The five lists of items, each as a function that asks one of them. */
const board = await ada.post('/board', { name: 'Board', containerIds: [desk.id] })
const filter = await ada.post(`/container/${desk.id}/filter`, { name: 'All', criteria: { includeClosed: true } })
const asked = (path: string) => (who: Person, query: Record<string, string>) =>
  who.ask('GET', `${path}?${new URLSearchParams(query)}`)
const lists: Record<string, (who: Person, query: Record<string, string>) => ReturnType<Person['ask']>> = {
  item: asked('/item'),
  ticket: asked('/ticket'),
  filter: asked(`/container/${desk.id}/filter/${filter.id}/items`),
  cards: asked(`/board/${board.id}/cards`),
  search: (who, { limit, ...body }) =>
    who.ask('POST', '/item/search', { body: { ...body, ...(limit ? { limit: Number(limit) } : {}) } }),
}
async function cardsOf(list: string, who: Person, query: Record<string, string>): Promise<Card[]> {
  const { status, body } = (await lists[list]?.(who, query)) ?? { status: 0, body: undefined }
  assert.equal(status, 200, `${list} ${JSON.stringify(body)}`)
  return Array.isArray(body) ? body : body.columns.flatMap((column: { cards: Card[] }) => column.cards)
}

describe('a list of items', async () => {
  const severity = await ada.post('/field/text', { name: 'Cause' })
  const first = await ada.post('/item', {
    title: 'Printer',
    containerId: desk.id,
    Tags: ['hardware', 'Floor 3'],
    Field: [{ key: severity.key, value: 'dust' }],
    Time: [{ date: '2026-03-31', minutes: 45 }],
  })
  const second = await ada.post('/item', { title: 'Mouse', containerId: desk.id })
  const properties = ['Tags', 'Field', 'spentMinutes']

  for (const list of Object.keys(lists)) {
    test(`(${list}) gives labels, custom values and time spent among few properties`, async () => {
      const all = await cardsOf(list, bob, { fields: 'status,Tags,Field,spentMinutes', limit: '10' })
      for (const item of [first, second]) {
        const card = all.find(each => each.id === item.id)
        assert.deepEqual(
          properties.map(each => card?.[each]),
          properties.map(each => item[each]),
        )
        assert.ok(card && !('description' in card))
      }
      const alone = await cardsOf(list, bob, { fields: 'spentMinutes', limit: '10' })
      assert.deepEqual(alone.find(each => each.id === first.id)?.spentMinutes, 45)
      assert.ok(alone.every(each => !('Tags' in each)))
    })

    test(`(${list}) refuses unknown properties and parts, and names all that it has`, async () => {
      const fields = await lists[list]?.(bob, { fields: 'title,colour' })
      assert.deepEqual([fields?.status, fields?.body.Fields[0].Field], [400, 'fields'])
      for (const each of ['title', ...properties]) assert.match(fields?.body.Fields[0].Message, new RegExp(each))
      const include = await lists[list]?.(bob, { include: 'can,weather' })
      assert.deepEqual(
        [include?.status, include?.body.Fields[0].Field, include?.body.Fields[0].Message],
        [400, 'include', 'weather is not one of clock, can, subItems'],
      )
    })

    test(`(${list}) includes clocks and rights`, async () => {
      const [card] = (await cardsOf(list, bob, { include: 'clock,can', fields: 'title' })).filter(
        each => each.id === first.id,
      )
      assert.deepEqual(card?.clock, [])
      assert.deepEqual(card?.can, { update: true, delete: false, move: true, comment: true, log: true })
    })
  }

  test('includes how many sub-items there are and are closed, of those that the caller sees', async () => {
    const parent = await ada.post('/item', { title: 'Whole', containerId: desk.id })
    const part = (title: string, more: object = {}) =>
      ada.post('/item', { title, containerId: desk.id, parentId: parent.id, ...more })
    await part('Open')
    await part('Closed', { statusCategory: statusCategory.done })
    await part('Secret', { visibility: itemVisibility.confidential })
    await ada.delete(`/item/${(await part('Deleted')).id}`)
    for (const list of Object.keys(lists)) {
      const cards = await cardsOf(list, bob, { include: 'subItems', fields: 'title', limit: '1000' })
      const of = (id: string) => cards.find(each => each.id === id)?.subItems
      assert.deepEqual(of(parent.id), { all: 2, done: 1 }, list)
      assert.deepEqual(of(first.id), { all: 0, done: 0 }, list)
    }
    const { id } = await ada.post('/access-control', {
      userId: bob.id,
      effect: grantEffect.deny,
      permissions: ['field.statusCategory.*'],
    })
    assert.ok((await cardsOf('item', bob, { include: 'subItems' })).every(each => !('subItems' in each)))
    await ada.delete(`/access-control/${id}`)
  })

  test('pages by the same cursor, whatever it includes', async () => {
    const [, following] = await bob.get(`/item?containerId=${desk.id}&limit=2&fields=key`)
    const page = await bob.ask('GET', `/item?containerId=${desk.id}&limit=1&include=can`)
    assert.equal(page.body.length, 1)
    assert.ok(page.body[0].can.update)
    assert.match(String(page.headers.get('link')), /include=can/)
    const [next] = await bob.get(`/item?containerId=${desk.id}&limit=1&cursor=${page.headers.get('x-next-cursor')}`)
    assert.deepEqual([next.id, next.can], [following.id, undefined])
  })

  test('gives the same with a formula, which is computed for each row', async () => {
    const { key, id } = await ada.post('/field', {
      name: 'Double',
      fieldType: 'formula',
      formula: 'estimateMinutes * 2',
    })
    const [card] = await ada.get(`/item?id=${first.id}&fields=Tags,Field,spentMinutes`)
    const whole = await ada.get(`/item/${first.id}`)
    assert.ok(card.Field.some((each: { key: string }) => each.key === key))
    for (const each of properties) assert.deepEqual(card[each], whole[each])
    await ada.delete(`/field/${id}`)
  })
})

describe('what a card says can be done', async () => {
  const vault = await ada.post('/container', { name: 'Vault', private: true })
  const attic = await ada.post('/container', { name: 'Attic' })
  const [meg, ron, vera, den, nina] = [
    await person({ name: 'Meg', role: roleCode.manager }),
    await person({ name: 'Ron', role: roleCode.readOnly }),
    await person({ name: 'Vera', role: noRole }),
    await person({ name: 'Den', role: roleCode.manager }),
    await person({ name: 'Nina', role: roleCode.member }),
  ]
  const make = async (title: string, body: object = {}) =>
    await ada.post('/item', { title, containerId: shop.id, ...body })
  const all = {
    plain: await make('Plain'),
    urgent: await make('Urgent', { priority: 1 }),
    requested: await ada.post('/item', { title: 'Requested', containerId: desk.id, requesterId: rita.id }),
    confidential: await make('Confidential', { visibility: itemVisibility.confidential, assignees: [bob.id] }),
    hidden: await make('In the vault', { containerId: vault.id }),
    stored: await make('In the attic', { containerId: attic.id }),
    archived: await make('Archived', { statusCategory: 4 }),
    merged: await make('Merged', { containerId: desk.id }),
    deleted: await make('Deleted'),
  }
  await ada.post(`/item/${all.archived.id}/archive`, {})
  await ada.post(`/item/${all.merged.id}/merge`, { into: all.requested.id })
  await ada.put(`/container/${attic.id}`, { archived: true })
  await ada.delete(`/item/${all.deleted.id}`)
  const inShop = { owner: ownerKind.container, ownerId: shop.id }
  const urgently = [{ condition: [{ leftSide: 'priority', operator: 0, rightSide: '1' }] }]
  for (const grant of [
    { userId: vera.id, role: roleCode.manager, ...inShop, conditionGroup: urgently },
    { userId: den.id, effect: grantEffect.deny, permissions: ['item.update'], ...inShop },
    { userId: den.id, effect: grantEffect.deny, permissions: ['item.delete'], conditionGroup: urgently },
    { userId: nina.id, effect: grantEffect.deny, permissions: ['item.create', 'time.create'] },
    { userId: nina.id, effect: grantEffect.deny, permissions: ['annotation.create'], ...inShop },
    { userId: meg.id, role: roleCode.member, owner: ownerKind.container, ownerId: vault.id },
  ])
    await ada.post('/access-control', grant)
  const key = await bob.post('/admin/api-key', { name: 'reads', scopes: ['*:read', 'annotation:write'] })
  const reader = new Person(bob.base, key.RawKey, bob.id, bob.tenantId)

  /** What really happens: each write as a dry run. */
  const writes: Record<string, (who: Person, id: string) => ReturnType<Person['ask']>> = {
    update: (who, id) => who.ask('PATCH', `/item/${id}?dryRun=true`, { body: { title: 'Other' } }),
    delete: (who, id) => who.ask('DELETE', `/item/${id}?dryRun=true`),
    move: (who, id) => who.ask('POST', `/item/${id}/move?dryRun=true`, { body: { containerId: target.id } }),
    comment: (who, id) => who.ask('POST', '/annotation?dryRun=true', { body: { itemId: id, body: 'Hello' } }),
    log: (who, id) =>
      who.ask('POST', '/time?dryRun=true', { body: { itemId: id, date: '2026-03-31', minutes: 5, userId: who.id } }),
  }
  const target = await ada.post('/container', { name: 'Target' })
  await ada.post('/access-control', {
    userId: vera.id,
    role: roleCode.member,
    owner: ownerKind.container,
    ownerId: target.id,
  })

  const people = { ada, bob, meg, ron, vera, den, nina, rita, reader }
  for (const [name, who] of Object.entries(people))
    test(`is what the writes of ${name} answer`, async () => {
      const query = 'include=can&fields=title&archived=include&deleted=include'
      const seen: Card[] = await who.get(`/item?${query}`)
      const mine = seen.filter(card => Object.values(all).some(each => each.id === card.id))
      assert.ok(mine.length > 0)
      for (const card of mine) {
        const real: Record<string, boolean> = {}
        for (const [right, write] of Object.entries(writes)) real[right] = (await write(who, card.id)).status < 300
        assert.deepEqual(card.can, real, `${name}: ${card.title}`)
      }
    })

  test('differs between people and items', async () => {
    const can = async (who: Person, { id }: { id: string }) => {
      const { update, delete: deletes, move, comment, log } = (await who.get(`/item/${id}?include=can`)).can
      return [update, deletes, move, comment, log].map(Number).join('')
    }
    assert.equal(await can(ada, all.plain), '11111')
    assert.equal(await can(bob, all.plain), '10111')
    assert.equal(await can(ron, all.plain), '00000')
    assert.equal(await can(rita, all.requested), '00010')
    assert.equal(await can(vera, all.urgent), '11100')
    assert.equal(await can(den, all.plain), '01011')
    assert.equal(await can(den, all.urgent), '00011')
    assert.equal(await can(nina, all.plain), '10000')
    assert.equal(await can(reader, all.plain), '00010')
    assert.equal(await can(bob, all.confidential), '10111')
    assert.equal((await can(bob, all.archived)).slice(0, 3), '000')
    assert.equal((await can(bob, all.stored)).slice(0, 3), '000')
    assert.equal((await can(bob, all.merged)).slice(0, 4), '0000')
  })

  test('is asked of no item that the caller does not see', async () => {
    for (const [who, item] of [
      [ron, all.confidential],
      [bob, all.hidden],
      [rita, all.plain],
    ] as const) {
      assert.equal((await who.ask('GET', `/item/${item.id}?include=can`)).status, 404)
      assert.ok(!(await cardsOf('item', who, { include: 'can' })).some(each => each.id === item.id))
    }
  })

  test('is nothing in a suspended tenant', () => {
    const caller = tenantCaller(ada.tenantId)
    const { id, containerId } = all.plain
    const place = { id: containerId, kind: containerKind.project, archived: false, portal: {} }
    const state = { areaId: '', mergedInto: '', archived: false, deleted: false, mayUpdate: null, mayDelete: null }
    const rights = (status: number) =>
      Object.values(rightsOn({ ...caller, tenantStatus: status }, { id, containerId, place, ...state })).map(Number)
    assert.deepEqual(rights(tenantStatus.active), [1, 1, 1, 1, 1])
    assert.deepEqual(rights(tenantStatus.suspended), [0, 0, 0, 0, 0])
  })

  test('requesters get the same parts', async () => {
    for (const list of ['item', 'ticket', 'search'])
      assert.ok((await cardsOf(list, rita, { include: 'clock,can' })).every(each => each.clock && each.can))
  })
})
