import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../../../test/support/engines.ts'
import { startTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { statusCategory } from '../../items/status.ts'
import { composeMail } from './compose-mail.ts'
import { mailPurpose, type OutboundMail } from './outbound-mail.ts'

describe('mails to a requester', async () => {
  const home = await startTestService()
  const { ada, bob, nobody } = home
  const running = await engines(home)
  const desk = await ada.post('/container', { name: 'Desk', kind: containerKind.desk })
  await ada.post('/admin/setting', { key: 'ticket.askSatisfaction', value: true, scope: 1, ownerId: desk.id })
  const open = (more: object = {}) =>
    ada.post('/ticket', { title: 'No light', containerId: desk.id, requester: { email: 'rita@example.com' }, ...more })
  const mailsOf = async (id: string, purpose: number): Promise<OutboundMail[]> => {
    await running.settle()
    return (await ada.get(`/mail/outbound?itemId=${id}`)).filter((each: OutboundMail) => each.purpose === purpose)
  }
  const textOf = async (mail: OutboundMail | undefined) => {
    if (!mail) throw new Error('there is no mail')
    const { mail: composed } = await home.database.transaction(tenantCaller(ada.tenantId), ctx =>
      composeMail(ctx, mail),
    )
    return { text: String(composed.text), html: String(composed.html) }
  }

  test('have a link to the ticket, unless others get them, too', async () => {
    const { id } = await open({ language: 'de' })
    await bob.post(`/ticket/${id}/reply`, { body: 'Is it on?' })
    const [mail] = await mailsOf(id, mailPurpose.reply)
    const { text, html } = await textOf(mail)
    const [, token = ''] = /Ihre Anfrage ansehen: http:\/\/gantry\.localhost\/request\/(\S+)/.exec(text) ?? []
    assert.equal((await nobody.get(`/guest/${token}`)).title, 'No light')
    assert.match(html, /<a href="http:\/\/gantry\.localhost\/request\//)
    const other = await open({ cc: ['boss@example.com'] })
    await bob.post(`/ticket/${other.id}/reply`, { body: 'Is it on?' })
    const [copied] = await mailsOf(other.id, mailPurpose.reply)
    assert.doesNotMatch((await textOf(copied)).text, /request/)
  })

  test('ask once how the help was, when the ticket is closed as done', async () => {
    const { id } = await open()
    for (const verb of ['close', 'reopen', 'close']) {
      await bob.post(`/ticket/${id}/${verb}`, {})
      await running.settle()
    }
    const [mail, ...more] = await mailsOf(id, mailPurpose.satisfaction)
    assert.deepEqual([mail?.to, more], [['rita@example.com'], []])
    const { text } = await textOf(mail)
    assert.deepEqual([...text.matchAll(/rate\/(\d)/g)].map(([, score]) => score).join(''), '54321')
    const [, token = ''] = /request\/([\w-]+)\/rate\/5/.exec(text) ?? []
    assert.equal((await nobody.ask('GET', `//request/${token}/rate/5`)).status, 200)
    assert.deepEqual((await ada.get(`/ticket/${id}`)).satisfaction, {})
    await nobody.post(`/guest/${token}/csat`, { score: 5 })
    assert.equal((await ada.get(`/ticket/${id}`)).satisfaction.score, 5)
    const cancelled = await open()
    await ada.put(`/ticket/${cancelled.id}`, { status: 'Dropped', statusCategory: statusCategory.cancelled })
    const silent = await ada.post('/container', { name: 'Silent', kind: containerKind.desk })
    const elsewhere = await open({ containerId: silent.id })
    await bob.post(`/ticket/${elsewhere.id}/close`, {})
    for (const each of [cancelled, elsewhere]) assert.deepEqual(await mailsOf(each.id, mailPurpose.satisfaction), [])
  })
})
