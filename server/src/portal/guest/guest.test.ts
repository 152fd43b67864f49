import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { multipart } from '../../../test/support/multipart.ts'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { eventually } from '../../../test/support/until.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { annotationKind } from '../../desk/annotation/annotation.ts'
import { guestLinkInMail } from '../../desk/guest/guest.ts'
import { grantEffect } from '../../identity/grant-effect.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { userKind } from '../../identity/user-kind.ts'
import { statusCategory } from '../../items/status.ts'
import { roleCode } from '../../kernel/access.ts'
import { ownerKind } from '../../records/references/owner.ts'

describe('a guest', async () => {
  const { ada, bob, eve, nobody, person, database } = await sharedTestService()
  const desk = await ada.post('/container', { name: 'Guest desk', kind: containerKind.desk })
  const rita = await person({
    name: 'Rita',
    email: 'rita@guests.test',
    role: roleCode.requester,
    kind: userKind.requester,
  })
  let asked = 0
  const ask = (requester: object = { email: 'who@guests.test', name: 'Who' }, more: object = {}) =>
    ada.post('/ticket', { title: `No light ${++asked}`, containerId: desk.id, requester, ...more })
  const linkTo = async (ticket: { id: string }, by: Person = bob) => {
    const { url } = await by.post(`/ticket/${ticket.id}/guest-link`, undefined)
    return new URL(url).pathname.split('/').at(-1) ?? ''
  }
  const page = (token: string, path = '') => nobody.ask('GET', `//request/${token}${path}`)
  const send = (token: string, path: string, fields: Record<string, string> = {}) =>
    nobody.ask('POST', `//request/${token}/${path}`, {
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })

  test('reads the public conversation and the state, and nothing internal', async () => {
    const ticket = await ask()
    await bob.post(`/ticket/${ticket.id}/note`, { body: 'walrus' })
    await bob.post(`/annotation`, {
      itemId: ticket.id,
      kind: annotationKind.reply,
      body: 'Is it *on*? <script>x</script>',
    })
    const token = await linkTo(ticket)
    const { status, body, headers } = await nobody.ask('GET', `/guest/${token}`)
    assert.equal(status, 200)
    assert.deepEqual(
      [body.key, body.title, body.status, body.desk, body.can, body.satisfaction],
      [ticket.key, ticket.title, ticket.status, 'Guest desk', { close: true, reopen: false, rate: false }, null],
    )
    assert.deepEqual(
      body.messages.map((each: { author: string; own: boolean }) => [each.author, each.own]),
      [['Bob', false]],
    )
    assert.match(body.messages[0].html, /<em>on<\/em>/)
    assert.equal(headers.get('cache-control'), 'no-store')
    const shown = await page(token)
    for (const text of [JSON.stringify(body), shown.body]) assert.doesNotMatch(text, /walrus|<script>|who@guests/)
    assert.match(shown.headers.get('content-security-policy') ?? '', /default-src 'none'/)
    assert.equal(shown.headers.get('referrer-policy'), 'no-referrer')
    assert.match(shown.body, /<em>on<\/em>/)
  })

  test('writes, closes, reopens and rates once, by the API and by the forms of the page', async () => {
    const ticket = await ask()
    const token = await linkTo(ticket)
    const said = await nobody.post(`/guest/${token}/message`, { body: 'It is <b>dark</b>' })
    assert.deepEqual([said.messages.length, said.messages[0].own], [1, true])
    const [message] = await ada.get(`/item/${ticket.id}/annotations`)
    assert.deepEqual(
      [message.kind, message.authorId, message.body, message.mail.headers.from.address],
      [annotationKind.message, '', 'It is <b>dark</b>', 'who@guests.test'],
    )
    const early = await nobody.ask('POST', `/guest/${token}/csat`, { body: { score: 4 } })
    assert.deepEqual([early.status, early.body.code], [422, 'not-closed'])
    assert.equal((await send(token, 'close')).status, 303)
    assert.equal((await ada.get(`/ticket/${ticket.id}`)).statusCategory, statusCategory.done)
    assert.equal((await nobody.post(`/guest/${token}/reopen`, {})).can.close, true)
    assert.equal((await nobody.post(`/guest/${token}/close`, {})).can.rate, true)
    // A program that follows the links of mails rates nothing.
    const opened = await page(token, '/rate/4')
    assert.match(opened.body, /value="4" required checked/)
    assert.deepEqual((await ada.get(`/ticket/${ticket.id}`)).satisfaction, {})
    assert.equal((await send(token, 'csat', { score: '4', comment: 'Fine' })).status, 303)
    const { satisfaction } = await ada.get(`/ticket/${ticket.id}`)
    assert.deepEqual([satisfaction.score, satisfaction.comment], [4, 'Fine'])
    const again = await send(token, 'csat', { score: '1' })
    assert.equal(again.status, 422)
    assert.equal((await ada.get(`/ticket/${ticket.id}`)).satisfaction.score, 4)
  })

  test('is refused wrong input by the name of the property, and gets the message back on the page', async () => {
    const token = await linkTo(await ask())
    for (const [verb, body, field] of [
      ['message', {}, 'body'],
      ['message', { body: 'x', kind: annotationKind.note }, 'kind'],
      ['message', { body: 'x'.repeat(20_001) }, 'body'],
      ['csat', { score: 6 }, 'score'],
      ['close', { status: 'Done' }, 'status'],
    ] as const) {
      const { status, body: problem } = await nobody.ask('POST', `/guest/${token}/${verb}`, { body })
      assert.deepEqual([status, problem.Fields[0].Field], [400, field])
    }
  })

  test('whose text is blank or cannot be stored is told so on the page', async () => {
    const token = await linkTo(await ask())
    assert.equal((await send(token, 'message', { body: '  ' })).status, 422)
    assert.equal((await send(token, 'message', { body: 'a\0b' })).status, 400)
  })

  test('gets the same answer for every link that is not valid', async () => {
    const ticket = await ask()
    const token = await linkTo(ticket)
    const answerTo = async (each: string) => {
      const { status, body } = await nobody.ask('GET', `/guest/${each}`)
      return [status, body.code, body.detail]
    }
    const expected = await answerTo('wrong')
    assert.deepEqual(expected.slice(0, 2), [404, 'not-found'])
    const tampered = `${token.slice(0, -4)}${token.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`
    assert.deepEqual(await answerTo(tampered), expected)
    assert.equal((await page(tampered)).status, 404)
    // Revoked, and then a new one.
    await bob.delete(`/ticket/${ticket.id}/guest-link`)
    assert.deepEqual(await answerTo(token), expected)
    const fresh = await linkTo(ticket)
    assert.equal((await nobody.ask('GET', `/guest/${fresh}`)).status, 200)
    // Another requester.
    await ada.put(`/ticket/${ticket.id}`, { requester: { email: 'other@guests.test' } })
    assert.deepEqual(await answerTo(fresh), expected)
    // A deleted ticket.
    const gone = await ask()
    const last = await linkTo(gone)
    await ada.delete(`/ticket/${gone.id}`)
    assert.deepEqual(await answerTo(last), expected)
  })

  test('whose link has expired is not let in', async () => {
    const ticket = await ask()
    const past = new Date(Date.now() - 31 * 86_400_000)
    const old = await database.single(
      tenantCaller(ada.tenantId),
      ctx => guestLinkInMail(ctx, ticket.id, ['who@guests.test']),
      { now: past },
    )
    const token = new URL(old?.url ?? '').pathname.split('/').at(-1) ?? ''
    assert.equal((await nobody.ask('GET', `/guest/${token}`)).status, 404)
  })

  test('with an account acts as that account, as long as it may sign in', async () => {
    const ticket = await rita.post('/ticket', { title: 'Mine', containerId: desk.id })
    const token = await linkTo(ticket)
    await nobody.post(`/guest/${token}/message`, { body: 'By the link' })
    const [message] = await ada.get(`/item/${ticket.id}/annotations`)
    assert.equal(message.authorId, rita.id)
    const [event] = (await ada.get(`/event?limit=1000`)).filter(
      (each: { recordId: string; type: string }) => each.recordId === message.id,
    )
    assert.deepEqual([event.type, event.actor.kind], ['annotation.requesterReplied', 'guest'])
    await ada.put(`/user/${rita.id}`, { active: false })
    assert.equal((await nobody.ask('GET', `/guest/${token}`)).status, 404)
    await ada.put(`/user/${rita.id}`, { active: true })
    assert.equal((await nobody.ask('GET', `/guest/${token}`)).status, 200)
  })

  test('does not see what is hidden from requesters', async () => {
    const token = await linkTo(await ask())
    const { id } = await ada.post('/access-control', {
      audience: '@requesters',
      effect: grantEffect.deny,
      permissions: ['field.status.read'],
    })
    const { body } = await nobody.ask('GET', `/guest/${token}`)
    await ada.delete(`/access-control/${id}`)
    assert.ok(!('status' in body) && body.title)
  })

  test('writes about a ticket that was closed long ago into its follow-up, and gets the link to it', async () => {
    const late = await ada.post('/container', { name: 'Late desk', kind: containerKind.desk })
    await ada.post('/admin/setting', { key: 'ticket.reopenDays', value: 0, scope: 1, ownerId: late.id })
    const ticket = await ask(undefined, { containerId: late.id })
    const token = await linkTo(ticket)
    await nobody.post(`/guest/${token}/close`, {})
    const refused = await nobody.ask('POST', `/guest/${token}/reopen`, { body: {} })
    assert.deepEqual([refused.status, refused.body.code], [422, 'reopen-too-late'])
    const { followUp } = await nobody.post(`/guest/${token}/message`, { body: 'Again' })
    const next = await nobody.get(`/guest/${new URL(followUp.url).pathname.split('/').at(-1)}`)
    assert.deepEqual([next.title, next.messages.length], [ticket.title, 1])
  })

  test('has a link by whoever answers the requester, in their tenant, if links are on', async () => {
    const ticket = await ask()
    const path = `/ticket/${ticket.id}/guest-link`
    assert.equal((await eve.ask('POST', path)).status, 404)
    assert.equal((await eve.ask('DELETE', path)).status, 404)
    assert.equal((await rita.ask('POST', path)).status, 403)
    const without = await bob.ask('POST', `/ticket/${(await ask({})).id}/guest-link`)
    assert.deepEqual([without.status, without.body.code], [422, 'no-guest-links'])
    const quiet = await ada.post('/container', { name: 'Quiet desk', kind: containerKind.desk })
    await ada.post('/admin/setting', { key: 'ticket.guestDays', value: 0, scope: 1, ownerId: quiet.id })
    const off = await bob.ask('POST', `/ticket/${(await ask(undefined, { containerId: quiet.id })).id}/guest-link`)
    assert.equal(off.body.code, 'no-guest-links')
  })

  test('has the link in mails to the requester alone', async () => {
    const ticket = await ask()
    const linked = (...to: string[]) =>
      database.single(tenantCaller(ada.tenantId), ctx => guestLinkInMail(ctx, ticket.id, to))
    assert.ok(await linked('Who@guests.test'))
    assert.equal(await linked('who@guests.test', 'boss@guests.test'), undefined)
    assert.equal(await linked('boss@guests.test'), undefined)
  })

  test('downloads the files of the conversation, and no others', async () => {
    const upload = async (text: string, itemId: string, who: Person = bob) => {
      return await who.must(
        'POST',
        '/file',
        multipart({ owner: ownerKind.item, ownerId: itemId, file: text }, 'Some.html'),
      )
    }
    const [ticket, other] = [await ask(), await ask()]
    const write = async (itemId: string, kind: number, text: string, more: object = {}) => {
      const file = await upload(text, itemId)
      await bob.post('/annotation', { itemId, kind, body: text, attachments: [file.id], ...more })
      return file
    }
    const shown = await write(ticket.id, annotationKind.reply, '<script>alert(1)</script>')
    const group = await ada.post('/user-group', { name: 'Few', members: [bob.id] })
    const hidden = [
      await write(ticket.id, annotationKind.note, 'walrus'),
      await write(ticket.id, annotationKind.reply, 'restricted walrus', { restrictedTo: [group.id] }),
      await write(other.id, annotationKind.reply, 'another walrus'),
      await upload('attached to nothing', ticket.id),
    ]
    const token = await linkTo(ticket)
    const download = (id: string, headers: Record<string, string> = {}) =>
      nobody.ask('GET', `/guest/${token}/file/${id}`, { headers })
    const [message] = (await nobody.get(`/guest/${token}`)).messages
    assert.deepEqual(message.attachments, [{ id: shown.id, name: 'Some.html', size: 25 }])
    assert.match((await page(token)).body, new RegExp(`/api/guest/[^"]+/file/${shown.id}`))
    const whole = await download(shown.id)
    assert.deepEqual([whole.status, whole.body], [200, '<script>alert(1)</script>'])
    assert.match(whole.headers.get('content-disposition') ?? '', /^attachment/)
    assert.match(whole.headers.get('content-security-policy') ?? '', /sandbox/)
    assert.equal(whole.headers.get('x-content-type-options'), 'nosniff')
    const part = await download(shown.id, { range: 'bytes=1-6' })
    assert.deepEqual([part.status, part.body, part.headers.get('content-range')], [206, 'script', 'bytes 1-6/25'])
    const known = await download(shown.id, { 'if-none-match': whole.headers.get('etag') ?? '' })
    assert.deepEqual([known.status, (await download(shown.id, { range: 'bytes=99-' })).status], [304, 416])
    const absent = await download('01890000-0000-7000-8000-000000000000')
    for (const { id } of [...hidden, { id: 'x' }]) {
      const refused = await download(id)
      assert.deepEqual([refused.status, refused.body.detail], [404, absent.body.detail])
    }
    await bob.ask('DELETE', `/file/${shown.id}`)
    assert.equal((await download(shown.id)).status, 404)
    assert.equal((await nobody.ask('GET', `/guest/x/file/${shown.id}`)).status, 404)
  })

  test('is limited in the number of writes', async () => {
    const token = await linkTo(await ask())
    await eventually(
      async () => (await nobody.ask('POST', `/guest/${token}/close`, { body: {} })).status,
      status => status === 429,
    )
    const page = await send(token, 'close')
    assert.deepEqual([page.status, page.headers.get('retry-after')], [429, '60'])
  })
})
