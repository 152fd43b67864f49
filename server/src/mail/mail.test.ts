import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { engines } from '../../test/support/engines.ts'
import { isLong } from '../../test/support/form.ts'
import { startTestService } from '../../test/support/people.ts'
import { eventually, until } from '../../test/support/until.ts'
import { containerKind } from '../containers/container-kind.ts'
import { templateKind } from '../containers/content-template/content-template.ts'
import type { Work } from '../engine/dispatch/dispatch.ts'
import { tenantCaller } from '../identity/tenant-caller.ts'
import { mailSecurity } from '../platform/mail-security.ts'
import { openOutbound } from '../platform/outbound/outbound.ts'
import { openMailFetching } from './fetch-mailboxes.ts'
import { outcome as mailOutcome } from './mail-message/mail-message.ts'
import { mailboxes } from './mailbox/mailbox.ts'
import type { MailboxReading } from './mailbox/mailbox-reading.ts'
import { readOnce } from './mailbox/read-mailbox.ts'
import { mailPurpose, mailState } from './outbound-mail/outbound-mail.ts'
import { sendMailTask } from './outbound-mail/send-task.ts'
import { queueMail } from './queue-mail.ts'
import { fetchingFor } from './test-support/test-fetch-mailboxes.ts'
import { mailServers, missingServers } from './test-support/test-servers.ts'

// Mail as it really goes: through a Dovecot and a Postfix.

describe('mail in and out', { skip: missingServers }, async () => {
  if (missingServers) return
  const servers = await mailServers()
  const env = { OUTBOUND_ALLOW: servers.allow, MAIL_CA_FILE: servers.caFile }
  const home = await startTestService(env)
  const { ada, bob } = home
  await engines(home, env)
  const { fetching, database } = fetchingFor(home, env)

  await ada.post('/admin/setting', { key: 'mail.undoSeconds', value: 0 })
  const desk = await ada.post('/container', { name: 'Desk', key: 'DESK', kind: containerKind.desk })
  const template = await ada.post('/content-template', {
    name: 'Received',
    kind: templateKind.autoReply,
    subject: 'We have it: {{ item.title }}',
    body: 'Thank you, {{ requester.name }}.',
  })
  const server = { host: 'localhost', user: 'desk' }
  const mailbox = await ada.post('/mail/mailbox', {
    name: 'Desk',
    address: 'desk@desk.test',
    imap: { ...server, port: servers.imapPort },
    smtp: { ...server, port: servers.smtpPort, security: mailSecurity.startTls, user: '' },
    password: servers.password,
    containerId: desk.id,
    templateId: template.id,
    active: true,
  })
  fetching.start()

  const messages = () => ada.get('/mail/message')
  const settled = (subject: string) =>
    eventually(
      async () => (await messages()).find((each: { subject: string }) => each.subject === subject),
      found => found && found.outcome !== mailOutcome.pending,
    )

  test('a mailbox can be tested before it is used, and reports what fails', async () => {
    const well = await ada.post(`/mail/mailbox/${mailbox.id}/test`, undefined)
    assert.deepEqual([well.ok, well.imap, well.smtp], [true, 'ok', 'ok'])
    const other = await ada.post('/mail/mailbox', {
      ...mailbox,
      id: undefined,
      name: 'Other',
      address: 'other@desk.test',
      password: 'wrong',
      active: false,
    })
    const ill = await ada.post(`/mail/mailbox/${other.id}/test`, undefined)
    assert.equal(ill.ok, false)
    assert.match(ill.imap, /user name or the password/)
    await ada.delete(`/mail/mailbox/${other.id}`)
  })

  test('a mail, its reply and the next mail are one conversation of one ticket', async () => {
    await servers.drop(
      'desk',
      'From: Rita <rita@people.test>\r\nTo: desk@desk.test\r\nSubject: My screen stays dark\r\nMessage-ID: <first@people.test>\r\n\r\nIt does not do anything.\r\n',
    )
    const message = await settled('My screen stays dark')
    assert.equal(message.outcome, mailOutcome.created, JSON.stringify(message))
    const ticket = await ada.get(`/ticket/${message.itemId}`)
    assert.deepEqual(
      [ticket.title, ticket.requester.email, ticket.channel, ticket.source],
      ['My screen stays dark', 'rita@people.test', 0, 2],
    )
    const [first] = await ada.get(`/item/${ticket.id}/annotations`)
    assert.deepEqual(
      [first.kind, first.body, first.mail.messageId],
      [2, 'It does not do anything.', '<first@people.test>'],
    )

    const received = await eventually(
      async () => servers.lying('rita'),
      found => found.length > 0,
    )
    assert.match(received[0] ?? '', /Subject: We have it: My screen stays dark \[DESK-1:/)
    assert.match(received[0] ?? '', /Auto-Submitted: auto-replied/)

    await bob.post(`/ticket/${ticket.id}/reply`, { body: 'Is it *plugged in*?' })
    const answer =
      (
        await eventually(
          async () => servers.lying('rita'),
          found => found.length > 1,
        )
      ).find(each => !/^Auto-Submitted/m.test(each)) ?? ''
    const replyTo = /^Reply-To: (\S+)/m.exec(answer)?.[1] ?? ''
    assert.match(replyTo, /^desk\+[a-z2-9]{12}@desk\.test$/)
    assert.match(answer, /^In-Reply-To: <first@people\.test>/m)
    assert.match(answer, /Is it \*plugged in\*\?/)
    assert.doesNotMatch(answer, /Auto-Submitted/)
    // The mail can arrive before its sending is recorded.
    const [sent] = await eventually(
      async () =>
        (await ada.get('/mail/outbound')).filter((each: { purpose: number }) => each.purpose === mailPurpose.reply),
      found => found[0]?.state !== mailState.queued,
    )
    assert.deepEqual([sent.state, sent.to, sent.from], [mailState.sent, ['rita@people.test'], 'desk@desk.test'])

    await servers.drop(
      'desk',
      `From: Rita <rita@people.test>\r\nTo: ${replyTo}\r\nSubject: Something else entirely\r\nMessage-ID: <second@people.test>\r\n\r\nIt was not. Thank you!\r\n`,
    )
    const second = await settled('Something else entirely')
    assert.deepEqual([second.outcome, second.itemId], [mailOutcome.appended, ticket.id], JSON.stringify(second.steps))
  })

  test('a bounce is recorded, and no automatic mail is sent to the address any more', async () => {
    const ticket = await ada.post('/ticket', {
      title: 'Gone',
      containerId: desk.id,
      requester: { email: 'gone@people.test' },
    })
    await bob.post(`/ticket/${ticket.id}/reply`, { body: 'Are you there?' })
    const mail = await eventually(
      async () => (await ada.get('/mail/outbound')).find((each: { itemId: string }) => each.itemId === ticket.id),
      found => found?.state === mailState.bounced,
    )
    assert.deepEqual(mail.undelivered, ['gone@people.test'])
    assert.match(mail.lastError, /5\.1\.1/)
    const [entry] = await ada.get('/mail/suppression')
    assert.deepEqual([entry.address, entry.outboundMailId], ['gone@people.test', mail.id])
    const refused = await ada.post('/ticket', {
      title: 'Never',
      containerId: desk.id,
      requester: { email: 'x@nowhere.test' },
    })
    await bob.post(`/ticket/${refused.id}/reply`, { body: 'And you?' })
    await eventually(
      async () => (await ada.get('/mail/outbound')).find((each: { itemId: string }) => each.itemId === refused.id),
      found => found?.state === mailState.bounced,
    )
  })

  test('a loop of two automatic responders stops within ten mails', async () => {
    // One that knows no headers: it answers whatever comes, each time under another subject and as a mail of its own.
    let answers = 0
    const seen = new Set<string>()
    await servers.drop(
      'desk',
      'From: bot@people.test\r\nTo: desk@desk.test\r\nSubject: Bot begins\r\nMessage-ID: <bot0@people.test>\r\n\r\nHello',
    )
    await until(() => servers.lying('bot').length > 0)
    const enough = Date.now() + 4000
    while (Date.now() < enough) {
      for (const each of servers.lying('bot')) {
        const id = /^Message-ID: (\S+)/im.exec(each)?.[1] ?? ''
        if (seen.has(id)) continue
        seen.add(id)
        await servers.drop(
          'desk',
          `From: bot@people.test\r\nTo: desk@desk.test\r\nSubject: Bot answers ${++answers}\r\nMessage-ID: <bot${answers}@people.test>\r\n\r\nI am away.`,
        )
      }
      await sleep(100)
    }
    assert.ok(seen.size >= 1 && seen.size + answers <= 10, `${seen.size} and ${answers}`)
  })

  test('each message becomes one ticket, also if readers and servers restart', async () => {
    const before = (await ada.get('/ticket')).length
    const other = openMailFetching({
      database,
      log: () => {},
      pace: { look: 50, poll: 200, lease: 700 },
    })
    other.start()
    const count = isLong ? 30 : 9
    for (let i = 0; i < count; i++) {
      await servers.drop(
        'desk',
        `From: many${i}@people.test\r\nTo: desk@desk.test\r\nSubject: Many ${i}\r\nMessage-ID: <many${i}@people.test>\r\n\r\nHello`,
      )
      if (i === count / 3) await servers.restartImap()
      if (i === (count * 2) / 3) await other.stop()
    }
    // A reader that lost its connection tries again after five seconds.
    const found = await eventually(
      async () =>
        (await messages()).filter(
          (each: { subject: string; outcome: number }) =>
            /^Many/.test(each.subject) && each.outcome !== mailOutcome.pending,
        ),
      all => all.length >= count,
    )
    assert.equal(found.filter((each: { outcome: number }) => each.outcome === mailOutcome.created).length, count)
    assert.equal((await ada.get('/ticket')).length, before + count)
    const state = await eventually(
      async () => (await ada.get(`/mail/mailbox/${mailbox.id}`)).state,
      now => now.backlog === 0 && now.lastFetch,
    )
    assert.equal(state.lastError, '')
  })

  test('a recreated mailbox is read again without duplicate tickets', async () => {
    const before = (await ada.get('/ticket')).length
    await servers.renew('desk')
    await servers.drop(
      'desk',
      'From: rita@people.test\r\nTo: desk@desk.test\r\nSubject: After\r\nMessage-ID: <after@people.test>\r\n\r\nHello',
    )
    await servers.drop(
      'desk',
      'From: rita@people.test\r\nTo: desk@desk.test\r\nSubject: My screen stays dark\r\nMessage-ID: <first@people.test>\r\n\r\nHello',
    )
    assert.equal((await settled('After')).outcome, mailOutcome.created)
    await eventually(
      async () =>
        (await messages()).filter(
          (each: { messageId: string; outcome: number }) =>
            each.messageId === '<first@people.test>' && each.outcome === mailOutcome.dropped,
        ),
      all => all.length >= 2, // the one that lay there, under its new number, and its copy
    )
    assert.equal((await ada.get('/ticket')).length, before + 1)
  })

  test('a message that could not be stored is not marked as read, and is read later', async () => {
    const second = await ada.post('/mail/mailbox', {
      name: 'Second',
      address: 'second@desk.test',
      imap: { host: 'localhost', user: 'second', port: servers.imapPort },
      password: servers.password,
      containerId: desk.id,
    })
    await servers.drop(
      'second',
      'From: rita@people.test\r\nTo: second@desk.test\r\nSubject: Patience\r\nMessage-ID: <patience@people.test>\r\n\r\nHello',
    )
    const read = async (transaction: MailboxReading['transaction']) => {
      const record = await database.single(tenantCaller(ada.tenantId), ctx => mailboxes.get(ctx, second.id))
      const imap = {
        host: 'localhost',
        port: servers.imapPort,
        security: mailSecurity.tls,
        user: 'second',
        password: servers.password,
      }
      await readOnce({ mailbox: record, server: imap, rules: database.services.outboundRules, transaction })
    }
    const store: MailboxReading['transaction'] = act => database.transaction(tenantCaller(ada.tenantId), act)
    const dies: MailboxReading['transaction'] = act =>
      database.transaction(tenantCaller(ada.tenantId), async ctx => {
        const done = await act(ctx)
        const [taken] =
          await ctx.sql`select 1 from mail_message where tenant_id = ${ada.tenantId} and mailbox_id = ${second.id}`
        if (taken) throw new Error('the power went')
        return done
      })
    await assert.rejects(read(dies), /the power went/)
    assert.equal(servers.unseen('second'), 1)
    await read(store)
    assert.equal(servers.unseen('second'), 0)
    assert.equal((await settled('Patience')).outcome, mailOutcome.created)
    await read(store)
    await sleep(200)
    assert.equal((await messages()).filter((each: { subject: string }) => each.subject === 'Patience').length, 1)
  })

  test('after a crash between sending and committing the mail is sent again with the same Message-ID', async () => {
    const mail = await database.transaction(tenantCaller(ada.tenantId), ctx =>
      queueMail(ctx, { to: ['sam@people.test'], subject: 'Twice', text: 'x', auto: false, undo: 600_000 }),
    )
    const service = tenantCaller(ada.tenantId)
    let steps = 0
    const work: Work = {
      tenantId: ada.tenantId,
      payload: { id: mail.id },
      attempt: 1,
      signal: new AbortController().signal,
      outbound: openOutbound(database.services.outboundRules),
      service,
      caller: async () => undefined,
      single: (caller, act) => database.single(caller, act),
      transaction: (caller, act) => {
        if (++steps > 1) throw new Error('the power went')
        return database.transaction(caller, act)
      },
    }
    await assert.rejects(sendMailTask.run(work), /the power went/)
    await sendMailTask.run({ ...work, transaction: (caller, act) => database.transaction(caller, act) })
    const copies = await eventually(
      async () => servers.lying('sam'),
      found => found.length === 2,
    )
    assert.equal(new Set(copies.map(each => /^Message-ID: (\S+)/im.exec(each)?.[1])).size, 1)
    assert.equal((await ada.get(`/mail/outbound/${mail.id}`)).state, mailState.sent)
    assert.equal((await bob.ask('POST', `/mail/outbound/${mail.id}/cancel`)).status, 404)
    assert.equal((await ada.ask('POST', `/mail/outbound/${mail.id}/cancel`)).body.code, 'too-late')
  })
})
