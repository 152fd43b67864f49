import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { multipart } from '../../../test/support/multipart.ts'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { momentCodes } from '../../containers/screen/screen.ts'
import { grantEffect } from '../../identity/grant-effect.ts'
import { userKind } from '../../identity/user-kind.ts'
import { itemVisibility } from '../../items/item/item.ts'
import { roleCode } from '../../kernel/access.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { openedParts } from './open-item.ts'

describe('an opened item', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const rita = await person({ name: 'Rita', role: roleCode.requester, kind: userKind.requester })
  const process = await ada.post('/process', {
    name: 'Repair',
    workflow: [
      { fieldId: 'status', value: 'New', next: 'Done', initial: true },
      { fieldId: 'status', value: 'Done', next: '' },
    ],
  })
  const desk = await ada.post('/container', {
    name: 'Desk',
    kind: containerKind.desk,
    processIds: [process.id],
    defaultProcessId: process.id,
  })
  const item = await ada.post('/item', { title: 'Printer', containerId: desk.id, requesterId: rita.id })
  const child = await ada.post('/item', { title: 'Toner', containerId: desk.id, parentId: item.id })
  const secret = await ada.post('/item', {
    title: 'Secret part',
    containerId: desk.id,
    parentId: item.id,
    visibility: itemVisibility.confidential,
  })
  for (const to of [child, secret]) await ada.post('/link', { fromId: item.id, toId: to.id })
  const form = multipart({ file: 'noise', owner: ownerKind.item, ownerId: item.id })
  await ada.must('POST', '/file', { body: form.body, headers: form.headers })
  const all = `include=${openedParts.join(',')}`

  /** The answer of each part's own address. */
  const own = async (who: Person) => ({
    screen: await who.get(`/item/${item.id}/screen?moment=${momentCodes.edit}`),
    transitions: await who.get(`/item/${item.id}/transitions`),
    links: await who.get(`/item/${item.id}/links`),
    watch: await who.get(`/item/${item.id}/watch`),
    children: await who.get(`/item?parentId=${item.id}&sort=rank`),
    files: await who.get(`/file?owner=${ownerKind.item}&ownerId=${item.id}`),
  })

  test('has every part as its own address answers it, for a key, too', async () => {
    for (const name of [item.id, item.key]) {
      const { body, headers } = await bob.ask('GET', `/item/${name}?${all}&moment=${momentCodes.edit}`)
      for (const [part, answer] of Object.entries(await own(bob))) assert.deepEqual(body[part], answer, part)
      assert.deepEqual(
        openedParts.filter(each => !(each in body)),
        [],
      )
      assert.deepEqual([body.childrenNext, body.filesNext, headers.get('etag')], [null, null, null])
      assert.deepEqual([body.children.length, body.files.length, body.links[0].links.length], [1, 1, 2])
    }
  })

  test('has the screen of the moment: to edit, fields can be written', async () => {
    const readOnly = async (query: string) =>
      (await bob.get(`/item/${item.id}?include=screen${query}`)).screen.sections
        .flatMap((each: { fields: { readOnly: boolean }[] }) => each.fields)
        .every((each: { readOnly: boolean }) => each.readOnly)
    assert.deepEqual([await readOnly(''), await readOnly(`&moment=${momentCodes.edit}`)], [true, false])
    for (const query of ['include=screen&moment=77', 'include=can&moment=2', 'include=screen,weather'])
      assert.equal((await bob.ask('GET', `/item/${item.id}?${query}`)).status, 400, query)
    const { body } = await bob.ask('GET', `/item/${item.id}?include=weather,can,wind`)
    assert.deepEqual(
      body.Fields.map((each: { Message: string }) => each.Message.split(' ')[0]),
      ['weather', 'wind'],
    )
    for (const each of openedParts) assert.match(body.Fields[0].Message, new RegExp(each))
  })

  test('shows a requester no more than its addresses do', async () => {
    const body = await rita.get(`/item/${item.id}?${all}`)
    assert.deepEqual(body.clock, [])
    assert.deepEqual(body.children, [])
    assert.ok(
      body.links[0].links.every((each: { restricted: boolean; item: unknown }) => each.restricted && !each.item),
    )
    const portal = await rita.get(`/item/${item.id}/screen`)
    assert.deepEqual(body.screen, portal)
    assert.equal((await rita.ask('GET', `/item/${item.id}?include=screen&moment=${momentCodes.edit}`)).status, 403)
    assert.ok(!JSON.stringify(body).includes('Secret part'))
  })

  test('leaves out what the scopes of the credential do not contain', async () => {
    const { RawKey } = await bob.post('/admin/api-key', { name: 'items', scopes: ['item:read'] })
    const { status, body } = await bob.ask('GET', `/item/${item.id}?${all}`, {
      headers: { authorization: `Bearer ${RawKey}` },
    })
    assert.equal(status, 200)
    assert.deepEqual(
      openedParts.filter(each => !(each in body)),
      ['watch', 'checklist', 'files'],
    )
  })

  test('has no parts but clocks and rights while it is deleted, and none for strangers', async () => {
    const gone = await ada.post('/item', { title: 'Gone', containerId: desk.id })
    await ada.delete(`/item/${gone.id}`)
    const body = await ada.get(`/item/${gone.id}?deleted=include&include=transitions,links,watch,can`)
    assert.deepEqual(
      ['transitions', 'links', 'watch', 'can'].filter(each => each in body),
      ['can'],
    )
    assert.equal((await eve.ask('GET', `/item/${item.id}?${all}`)).status, 404)
  })

  test('shows no hidden property, neither its own nor of the items around it', async () => {
    await ada.put(`/item/${child.id}`, { dueDate: '2031-07-19' })
    const denied = await ada.post('/access-control', {
      userId: bob.id,
      effect: grantEffect.deny,
      permissions: ['field.dueDate.*'],
    })
    for (const path of [`/item/${item.id}?${all}`, `/item/${item.id}/links`])
      assert.ok(!JSON.stringify(await bob.get(path)).includes('2031-07-19'), path)
    await ada.delete(`/access-control/${denied.id}`)
    assert.ok(JSON.stringify(await bob.get(`/item/${item.id}/links`)).includes('2031-07-19'))
    const hidden = await ada.post('/access-control', {
      userId: bob.id,
      effect: grantEffect.deny,
      permissions: ['field.parentId.*'],
    })
    assert.ok(!('children' in (await bob.get(`/item/${item.id}?${all}`))))
    await ada.delete(`/access-control/${hidden.id}`)
  })
})
