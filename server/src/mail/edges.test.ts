import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { engines } from '../../test/support/engines.ts'
import { startTestService } from '../../test/support/people.ts'
import { eventually } from '../../test/support/until.ts'
import { action } from '../containers/action/action.ts'
import { containerKind } from '../containers/container-kind.ts'
import { triggerEvent } from '../notify/trigger-event.ts'
import { mailSecurity } from '../platform/mail-security.ts'
import { dnsQuery } from './mail-message/authenticity/name-server.ts'
import { outcome as mailOutcome } from './mail-message/mail-message.ts'
import { fetchingFor } from './test-support/test-fetch-mailboxes.ts'
import { nameServer } from './test-support/test-name-server.ts'
import { mailServers, missingServers } from './test-support/test-servers.ts'
import { signerFor } from './test-support/test-signer.ts'

// What happens at the server after a message was taken, and on the way out, through a real Dovecot and a real Postfix.

describe('edge cases of mail', { skip: missingServers }, async () => {
  if (missingServers) return
  const servers = await mailServers()
  const dns = await nameServer()
  const env = {
    OUTBOUND_ALLOW: servers.allow,
    MAIL_CA_FILE: servers.caFile,
    MAIL_DNS: dns.place,
    SMTP_URL: `smtp://relay:${servers.password}@localhost:${servers.smtpPort}`,
    MAIL_FROM: 'gantry@desk.test',
  }
  const home = await startTestService(env)
  const { ada, bob } = home
  await engines(home, env)
  const { fetching } = fetchingFor(home, env)
  fetching.start()

  await ada.post('/admin/setting', { key: 'mail.undoSeconds', value: 0 })
  const desk = await ada.post('/container', { name: 'Desk', key: 'DESK', kind: containerKind.desk })
  const imap = (user: string) => ({ host: 'localhost', port: servers.imapPort, user })
  const mailboxOf = (user: string, more: object) =>
    ada.post('/mail/mailbox', {
      name: user,
      address: `${user}@desk.test`,
      imap: imap(user),
      password: servers.password,
      containerId: desk.id,
      active: true,
      ...more,
    })

  const letter = (subject: string, body = 'Hello') =>
    `From: rita@people.test\r\nTo: desk@desk.test\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@people.test>\r\n\r\n${body}\r\n`
  const settled = (subject: string) =>
    eventually(
      async () => (await ada.get('/mail/message')).find((each: { subject: string }) => each.subject === subject),
      found => found && found.outcome !== mailOutcome.pending,
    )
  const inFolder = (user: string, folder: string) =>
    ['new', 'cur'].flatMap(part => {
      const path = join(servers.mail, user, `.${folder}`, part)
      return existsSync(path) ? readdirSync(path) : []
    })

  test('processed messages are deleted on the server, if the mailbox is set so', async () => {
    await servers.drop('second', letter('once'))
    await servers.drop('second', letter('twice'))
    await mailboxOf('second', { deleteAfterFetch: true })
    assert.deepEqual(
      [(await settled('once')).outcome, (await settled('twice')).outcome],
      [mailOutcome.created, mailOutcome.created],
    )
    await eventually(
      async () => servers.lying('second'),
      found => found.length === 0,
    )
    await servers.drop('second', letter('thrice'))
    assert.equal((await settled('thrice')).outcome, mailOutcome.created)
    await eventually(
      async () => servers.lying('second'),
      found => found.length === 0,
    )
  })

  test('older messages are imported as an archive with their own date, and later ones as new mail', async () => {
    const rule = { name: 'Urgent', active: true, triggerEvent: triggerEvent['item.created'], container: [desk.id] }
    const { id: ruleId } = await ada.post('/rule', {
      ...rule,
      actionValue: [{ actionType: action.setField, field: 'priority', value: 1 }],
    })
    await servers.drop('archive', `Date: Mon, 04 May 2020 10:00:00 +0000\r\n${letter('long ago')}`)
    await mailboxOf('archive', { archiveImport: { since: '2000-01-01' } })
    const { itemId: old, archived } = await settled('long ago')
    assert.equal(archived, true)
    await servers.drop('archive', letter('just now'))
    const { itemId: fresh } = await settled('just now')
    await eventually(
      () => ada.get(`/item/${fresh}`),
      item => item.priority === 1,
    )
    const item = await ada.get(`/item/${old}`)
    assert.deepEqual([item.priority, item.created], [0, '2020-05-04T10:00:00.000Z'])
    const kindsOf = async (id: string) =>
      (await ada.get(`/item/${id}/history`)).map((each: { actor: { kind: string } }) => each.actor.kind)
    assert.deepEqual([...new Set(await kindsOf(old))], ['import'])
    assert.ok((await kindsOf(fresh)).includes('mail'))
    await ada.delete(`/rule/${ruleId}`)
  })

  test('processed messages are moved to a folder, which is created if necessary', async () => {
    await servers.drop('sam', letter('moved'))
    const mailbox = await mailboxOf('sam', { moveTo: 'Done' })
    assert.equal((await settled('moved')).outcome, mailOutcome.created)
    // The server copies a message before it removes it, so for a moment it is in both folders.
    await eventually(
      async () => [inFolder('sam', 'Done').length, servers.lying('sam').length],
      found => isDeepStrictEqual(found, [1, 0]),
    )
    assert.equal((await ada.get(`/mail/mailbox/${mailbox.id}`)).state.lastError, '')
    // If the server refuses to create the folder, the error is shown, and mail is read nevertheless.
    await ada.put(`/mail/mailbox/${mailbox.id}`, { moveTo: 'No/../Folder' })
    await sleep(1500) // the reader notices the change within a second
    await servers.drop('sam', letter('unmoved'))
    await servers.drop('sam', letter('unmoved, too'))
    assert.deepEqual(
      [(await settled('unmoved')).outcome, (await settled('unmoved, too')).outcome],
      [mailOutcome.created, mailOutcome.created],
    )
    const state = async () => (await ada.get(`/mail/mailbox/${mailbox.id}`)).state.lastError
    assert.match(
      await eventually(state, found => found !== ''),
      /does not move processed messages to the folder No\/\.\.\/Folder/,
    )
    await ada.put(`/mail/mailbox/${mailbox.id}`, { moveTo: 'Done' })
    await eventually(
      async () => inFolder('sam', 'Done'),
      found => found.length === 3,
    )
    assert.equal(await eventually(state, found => found === ''), '')
  })

  test('a message of any size or shape is stored or refused, and the next one is read', async () => {
    await servers.drop(
      'bot',
      `From: rita@people.test\r\nSubject: heads\r\nX-Long: ${'x'.repeat(50 * 1024 * 1024)}\r\n\r\nHello\r\n`,
    )
    await servers.drop('bot', letter('after'))
    await mailboxOf('bot', {})
    assert.equal((await settled('after')).outcome, mailOutcome.created)
    const [large] = (await ada.get('/mail/quarantine')).filter((each: { size: number }) => each.size > 50 * 1024 * 1024)
    assert.match(large.reason, /larger than the limit/)
    // The message stays on the server unchanged.
    assert.equal(servers.unseen('bot'), 1)
  })

  test('a mailbox without a server sends through that of the installation, under its address', async () => {
    const mailbox = await ada.post('/mail/mailbox', { name: 'Plain', address: 'plain@desk.test', containerId: desk.id })
    const tried = await ada.post(`/mail/mailbox/${mailbox.id}/test`, undefined)
    assert.equal(tried.smtp, 'ok')
    const ticket = await ada.post('/ticket', {
      title: 'Through',
      containerId: desk.id,
      mailboxId: mailbox.id,
      requester: { email: 'rita@people.test' },
    })
    await bob.post(`/ticket/${ticket.id}/reply`, { body: 'By relay' })
    const mail =
      (
        await eventually(
          async () => servers.lying('rita').filter(each => /By relay/.test(each)),
          found => found.length > 0,
        )
      )[0] ?? ''
    assert.match(mail, /Authenticated sender: relay/)
    assert.match(mail, /with ESMTPSA/)
    assert.match(mail, /^From: .*<gantry@desk\.test>/m)
    assert.match(mail, /^Reply-To: plain\+/m)
  })

  test('outgoing mail is signed, and the DNS check finds the key', async () => {
    const [signer, other] = [signerFor('desk.test', 'gantry'), signerFor('desk.test', 'gantry')]
    const refused = await ada.ask('POST', '/mail/mailbox', {
      body: { name: 'K', address: 'k@desk.test', dkimKey: 'no key' },
    })
    assert.deepEqual([refused.status, refused.body.Fields[0].Code], [400, 'private-key'])
    const mailbox = await mailboxOf('desk', {
      active: false,
      smtp: { host: 'localhost', port: servers.smtpPort, security: mailSecurity.startTls, user: 'desk' },
      dkim: { domain: 'desk.test', selector: 'gantry' },
      dkimKey: signer.privateKey,
    })
    assert.equal(mailbox.dkimKey, '***')
    const ticket = await ada.post('/ticket', {
      title: 'Signed',
      containerId: desk.id,
      mailboxId: mailbox.id,
      requester: { email: 'rita@people.test' },
    })
    await bob.post(`/ticket/${ticket.id}/reply`, { body: 'With a name to it' })
    const mail =
      (
        await eventually(
          async () => servers.lying('rita').filter(each => /With a name/.test(each)),
          found => found.length > 0,
        )
      )[0] ?? ''

    const check = async () => await ada.get('/mail/outbound/dns?domain=desk.test')
    const none = await check()
    assert.deepEqual(
      [none.ok, none.spf.ok, none.dmarc.ok, none.dkim[0].ok, none.dkim[0].selector],
      [false, false, false, false, 'gantry'],
    )
    dns.texts.set(other.name, [other.text])
    const wrong = (await check()).dkim[0]
    assert.equal(wrong.ok, false)
    assert.ok(wrong.message.includes(signer.text.replace('v=DKIM1; k=rsa; ', '')), wrong.message)
    dns.texts.set(signer.name, [signer.text])
    dns.texts.set('desk.test', ['v=spf1 mx -all', 'something else'])
    dns.texts.set('_dmarc.desk.test', ['v=DMARC1; p=reject'])
    const well = await check()
    assert.deepEqual(
      [well.ok, well.spf.record, well.dmarc.record, well.dkim[0].ok],
      [true, 'v=spf1 mx -all', 'v=DMARC1; p=reject', true],
    )
    dns.texts.set('desk.test', ['v=spf1 mx -all', 'v=spf1 +all'])
    assert.match((await check()).spf.message, /more than one/)

    const ask = dnsQuery({ mailDns: [dns.place] })
    assert.ok(ask)
    const verified = async (raw: string) =>
      (await dkimVerify(Buffer.from(raw), { resolver: ask })).results.map(each => each.status.result)
    assert.deepEqual(await verified(mail.replaceAll(/\r?\n/g, '\r\n')), ['pass'])
    assert.notDeepEqual(await verified(mail.replaceAll(/\r?\n/g, '\r\n').replace('With a name', 'Without')), ['pass'])
    assert.equal((await bob.ask('GET', '/mail/outbound/dns?domain=desk.test')).status, 403)
    for (const domain of ['localhost', 'a b', 'intranet', 'x.internal'])
      assert.equal(
        (await ada.ask('GET', `/mail/outbound/dns?domain=${encodeURIComponent(domain)}`)).status,
        400,
        domain,
      )
  })
})
