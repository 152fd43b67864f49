import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { asOwner } from '../../../test/support/database/database.ts'
import { engines } from '../../../test/support/engines.ts'
import { type Person, startTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { annotationKind } from '../../desk/annotation/annotation.ts'
import { documentState } from '../../documents/document-state.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'
import { composeMail } from '../../mail/outbound-mail/compose-mail.ts'
import { mailPurpose, type OutboundMail } from '../../mail/outbound-mail/outbound-mail.ts'

describe('an article that a reply links to', async () => {
  const home = await startTestService()
  const { ada, bob, eve, nobody, person, databaseUrl } = home
  const running = await engines(home)
  const { slug } = (await ada.get('/session')).tenant
  const portal = { enabled: true, visitors: true }
  const desk = await ada.post('/container', { name: 'Help', kind: containerKind.desk, portal })
  const document = (name: string, values: object = {}, who: Person = ada) =>
    who.post('/docs/doc', { name, state: documentState.public, ...values })
  const toner = await document('Change the toner')
  const draft = await document('Secret toner', { state: documentState.draft })
  const theirs = await document('Their toner', {}, eve)
  const absent = '01890000-0000-7000-8000-000000000000'
  const ask = (requester: object = { email: 'who@example.com', name: 'Who' }) =>
    ada.post('/ticket', { title: 'No ink', containerId: desk.id, requester })
  const reply = async (itemId: string, body: string, more: object = {}) => {
    const said = await bob.post('/annotation', { itemId, kind: annotationKind.reply, body, ...more })
    // There is no mail server, which is another warning.
    return { ...said, warnings: said.warnings.filter((each: string) => !each.startsWith('nobody gets this reply')) }
  }
  const used = async (id: string) => (await ada.get(`/docs/doc/${id}/usage`)).usedInReplies
  const pageOf = (id: string) => `http://gantry.localhost/portal/${slug}/article/${id}`
  const guestOf = async (id: string) => {
    const { url } = await bob.post(`/ticket/${id}/guest-link`, undefined)
    return new URL(url).pathname.split('/').at(-1) ?? ''
  }
  const linkTo = async (id: string) => (await nobody.get(`/guest/${await guestOf(id)}`)).messages.at(-1)

  test('opens on the portal for a requester without an account, in the conversation and in mails', async () => {
    const ticket = await ask()
    const text = `See [this](/doc/${toner.id}), http://gantry.localhost/doc/${toner.id} and https://other.example/doc/${toner.id}`
    assert.deepEqual((await reply(ticket.id, text)).warnings, [])
    const message = await linkTo(ticket.id)
    assert.deepEqual(message.articles, [{ id: toner.id, title: 'Change the toner', url: pageOf(toner.id) }])
    assert.equal(message.html.split(pageOf(toner.id)).length >= 3, true, message.html)
    assert.match(message.html, /https:\/\/other\.example\/doc\//)
    const shown = await nobody.ask('GET', `//request/${await guestOf(ticket.id)}`)
    assert.match(shown.body, new RegExp(`<a href="${pageOf(toner.id)}">Change the toner</a>`))
    assert.equal((await nobody.ask('GET', `//portal/${slug}/article/${toner.id}`)).status, 200)
    await running.settle()
    const mails: OutboundMail[] = await ada.get(`/mail/outbound?itemId=${ticket.id}`)
    const mail = mails.find(each => each.purpose === mailPurpose.reply)
    if (!mail) throw new Error('there is no mail')
    const { mail: sent } = await home.database.transaction(tenantCaller(ada.tenantId), ctx => composeMail(ctx, mail))
    for (const words of [String(sent.text), String(sent.html)]) {
      assert.ok(words.includes(pageOf(toner.id)), words)
      assert.ok(!words.includes(`gantry.localhost/doc/${toner.id}`), words)
    }
    // What staff wrote stays as it is.
    const [said] = await bob.get(`/item/${ticket.id}/annotations`)
    assert.equal(said.body, text)
    // The page itself may be pasted, too.
    const pasted = await reply((await ask()).id, pageOf(toner.id), { bodyFormat: 'text' })
    assert.deepEqual(pasted.warnings, [])
    assert.equal((await linkTo(pasted.itemId)).articles.length, 1)
  })

  test('is told to its writer if the requester cannot open it, and not shown to the requester', async () => {
    const ticket = await ask()
    const { warnings } = await reply(ticket.id, `/doc/${draft.id} /doc/${theirs.id} /doc/${absent} /doc/x`)
    assert.deepEqual(warnings, [
      'the requester cannot open “Secret toner”, to which the reply links: it is not public',
      `the reply links to ${theirs.id}, and there is no such document`,
      `the reply links to ${absent}, and there is no such document`,
    ])
    const message = await linkTo(ticket.id)
    assert.deepEqual(message.articles, [])
    assert.doesNotMatch(JSON.stringify(message), /Secret|Their/)
    // Who does not see a document is not told its name, and a note goes to nobody.
    const locked = await document('Locked toner', {
      restrictedTo: [(await ada.post('/user-group', { name: 'Few' })).id],
    })
    assert.match((await reply(ticket.id, `/doc/${locked.id}`)).warnings[0], /there is no such document/)
    assert.deepEqual((await reply(ticket.id, `/doc/${draft.id}`, { kind: annotationKind.note })).warnings, [])
    const edited = await bob.put(`/annotation/${(await reply(ticket.id, 'Wait')).id}`, { body: `/doc/${draft.id}` })
    assert.match(edited.warnings[0], /it is not public/)
    const spoken = await bob.post(`/ticket/${ticket.id}/reply`, { body: `/doc/${draft.id}` })
    assert.match(JSON.stringify(spoken.warnings), /it is not public/)
  })

  test('is of no use without a portal for visitors', async () => {
    const desks = await eve.post('/container', { name: 'Closed', kind: containerKind.desk })
    const ticket = await eve.post('/ticket', {
      title: 'x',
      containerId: desks.id,
      requester: { email: 'w@example.com' },
    })
    const body = `/doc/${theirs.id}`
    const said = await eve.post('/annotation', { itemId: ticket.id, kind: annotationKind.reply, body })
    assert.match(JSON.stringify(said.warnings), /no desk is open to visitors/)
    const { url } = await eve.post(`/ticket/${ticket.id}/guest-link`, undefined)
    const { messages } = await nobody.get(`/guest/${new URL(url).pathname.split('/').at(-1)}`)
    assert.deepEqual(messages.at(-1).articles, [])
  })

  test('counts once for each public reply that links to it and exists', async () => {
    const lamp = await document('Change the lamp')
    const rita = await person({ name: 'Rita', role: roleCode.requester, kind: userKind.requester })
    const ticket = await rita.post('/ticket', { title: 'Dark', containerId: desk.id })
    const first = await reply(ticket.id, `/doc/${lamp.id} and again /doc/${lamp.id}`)
    const note = await reply(ticket.id, `/doc/${lamp.id} /doc/${draft.id}`, { kind: annotationKind.note })
    await rita.post('/annotation', { itemId: ticket.id, kind: annotationKind.message, body: `/doc/${lamp.id}` })
    assert.equal(await used(lamp.id), 1)
    const published = await bob.post(`/annotation/${note.id}/publish`, { confirm: true })
    assert.match(published.warnings[0], /it is not public/)
    assert.equal(await used(lamp.id), 2)
    await bob.delete(`/annotation/${first.id}`)
    assert.equal(await used(lamp.id), 1)
    await bob.must('POST', `/annotation/${first.id}/restore`)
    await bob.put(`/annotation/${first.id}`, { body: 'Never mind' })
    assert.equal(await used(lamp.id), 1)
    const [change] = await bob.get('/change?limit=1')
    await bob.post(`/change/${change.id}/undo`, {})
    assert.equal(await used(lamp.id), 2)

    const now = new Date().toISOString()
    const period = { startDate: now, endDate: now, timezone: 'UTC' }
    const rows: {
      document: string
      usedInReplies: number
      views: number
      suggested: number
      ticketsAvoided: number
    }[] = await bob.post('/insight/report/knowledge', period)
    const row = rows.find(each => each.document === lamp.id)
    assert.deepEqual([row?.usedInReplies, row?.views, row?.suggested, row?.ticketsAvoided], [2, 0, 0, 0])
    assert.equal(JSON.stringify(await eve.post('/insight/report/knowledge', period)).includes(lamp.id), false)
    assert.equal((await eve.ask('GET', `/docs/doc/${lamp.id}/usage`)).status, 404)
    assert.equal((await rita.ask('GET', `/docs/doc/${lamp.id}/usage`)).status, 403)
    const plan = await home.database.transaction(tenantCaller(ada.tenantId), async ctx => {
      await ctx.sql`set local enable_seqscan = off`
      return await ctx.sql<{ 'QUERY PLAN': string }>`explain (costs off) select 1 from annotation_link l
        where l.tenant_id = ${ada.tenantId} and l.document_id = ${lamp.id}`
    })
    assert.match(JSON.stringify(plan), /annotation_link_to/)
  })

  test('is known of the replies that were written before an upgrade', async () => {
    const file = new URL('../../../migrations/0108-annotation-link.sql', import.meta.url)
    const [, backfill = ''] = /(insert into annotation_link [^;]+);/.exec(readFileSync(file, 'utf8')) ?? []
    const all = 'select annotation_id, document_id, at from annotation_link order by 1, 2'
    const stored = await asOwner(databaseUrl, undefined, all)
    assert.ok(stored.length > 3)
    await asOwner(databaseUrl, undefined, 'delete from annotation_link')
    await asOwner(databaseUrl, undefined, backfill)
    assert.deepEqual(await asOwner(databaseUrl, undefined, all), stored)
  })
})
