import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { asOwner } from '../../../test/support/database/database.ts'
import { engines } from '../../../test/support/engines.ts'
import { isLong } from '../../../test/support/form.ts'
import { Person, sharedTestService } from '../../../test/support/people.ts'
import { retentionRules } from '../../app/engines.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { templateKind } from '../../containers/content-template/content-template.ts'
import { sweepFiles } from '../../documents/file/sweep-files.ts'
import { applyRetention } from '../../engine/retention/retention.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { openHttp } from '../../kernel/http/http.ts'
import { Unauthorized } from '../../kernel/refusal.ts'
import { readForm } from '../../platform/requests/form.ts'
import { idempotently } from '../../platform/requests/idempotency.ts'
import { mailPurpose, mailState } from '../outbound-mail/outbound-mail.ts'
import { queueMail } from '../queue-mail.ts'
import { mountUnsubscribe, type Unsubscription, unsubscribeLink } from '../unsubscribe.ts'
import { outcome as mailOutcome } from './mail-message.ts'

// The processing of messages. No mail server is needed, because the messages are submitted by the API.

describe('incoming mail', async () => {
  const home = await sharedTestService()
  const { ada, bob, eve, person, database } = home
  const running = await engines(home)
  const desk = await ada.post('/container', { name: 'Desk', key: 'HELP', kind: containerKind.desk })
  const template = await ada.post('/content-template', {
    name: 'Received',
    kind: templateKind.autoReply,
    subject: 'Received',
    body: 'We have it.',
  })
  const mailbox = await ada.post('/mail/mailbox', {
    name: 'Help',
    address: 'help@desk.test',
    containerId: desk.id,
    templateId: template.id,
  })
  let count = 0

  interface Letter {
    from?: string
    to?: string
    subject?: string
    id?: string
    headers?: string[]
    body?: string
  }

  function letter({
    from = 'rita@people.test',
    to = 'help@desk.test',
    subject = `Letter ${++count}`,
    id = `<${++count}@people.test>`,
    headers = [],
    body = 'Hello',
  }: Letter = {}) {
    return [`From: ${from}`, `To: ${to}`, `Subject: ${subject}`, `Message-ID: ${id}`, ...headers, '', body].join('\r\n')
  }

  async function receive(raw: string) {
    const { id } = await ada.post('/mail/message', { mailboxId: mailbox.id, raw })
    await running.settle()
    return await ada.get(`/mail/message/${id}`)
  }

  const said = (itemId: string) => ada.get(`/item/${itemId}/annotations`)
  const mails = async (itemId: string) =>
    (await ada.get('/mail/outbound')).filter((each: { itemId: string }) => each.itemId === itemId)
  const tokenOf = async (itemId: string) => {
    for (const { id, state } of await mails(itemId))
      if (state !== mailState.sent) await ada.post(`/mail/outbound/${id}/retry`, undefined)
    await running.settle()
    const [row] = await database.single(
      tenantCaller(ada.tenantId),
      ctx =>
        ctx.sql<{
          token: string
        }>`select token from mail_thread where tenant_id = ${ada.tenantId} and item_id = ${itemId}`,
    )
    return row?.token ?? ''
  }
  /** A ticket from rita, answered once. */
  async function answered() {
    const { itemId } = await receive(letter())
    await bob.post(`/ticket/${itemId}/reply`, { body: 'Is it on?' })
    await running.settle()
    const [mail] = (await mails(itemId)).filter((each: { purpose: number }) => each.purpose === mailPurpose.reply)
    return { itemId, mail }
  }

  test('each step is recorded, and only staff can download the received message', async () => {
    const raw = letter({ headers: ['X-Mood: curious'] })
    const message = await receive(raw)
    assert.equal(message.outcome, mailOutcome.created)
    assert.deepEqual(
      message.steps.map((each: { step: string }) => each.step),
      [
        'parse',
        'own',
        'duplicate',
        'automatic',
        'bounce',
        'stop list',
        'authenticity',
        'spam',
        'thread',
        'rules',
        'attachments',
        'create',
        'auto-reply',
      ],
    )
    assert.equal((await bob.ask('GET', `/annotation/${message.annotationId}/raw`)).body, raw)
    assert.equal((await ada.ask('GET', `/mail/message/${message.id}/raw`)).body, raw)
    const rob = await person({
      name: 'Rob',
      role: roleCode.requester,
      kind: userKind.requester,
      email: 'rob@people.test',
    })
    assert.equal((await rob.ask('GET', `/annotation/${message.annotationId}/raw`)).status, 403)
    assert.equal((await eve.ask('GET', `/annotation/${message.annotationId}/raw`)).status, 404)
  })

  test('the customer of a new ticket is that of the account, of the contact or of the domain', async () => {
    const names = ['Contact', 'Domain', 'Account', 'Twin']
    const [contact, domain, account, twin] = await Promise.all(names.map(name => ada.post('/finance/crm', { name })))
    await ada.put(`/finance/crm/${contact.id}`, { contacts: [{ email: 'Carl@firm.test' }], domain: 'twins.test' })
    await ada.put(`/finance/crm/${domain.id}`, { domains: ['firm.test', 'gmail.com'] })
    await ada.put(`/finance/crm/${twin.id}`, { domain: 'twins.test' })
    const paul = { name: 'Paul', email: 'paul@firm.test', kind: userKind.requester, role: roleCode.requester }
    await ada.post('/user', { ...paul, crmId: account.id })
    const customerOf = async (from: string) => {
      const { itemId } = await receive(letter({ from }))
      return (await ada.get(`/item/${itemId}`)).crmId
    }
    assert.equal(await customerOf('Carl <carl@FIRM.test>'), contact.id)
    assert.equal(await customerOf('dora@firm.test'), domain.id)
    assert.equal(await customerOf('paul@firm.test'), account.id)
    assert.equal(await customerOf('somebody@gmail.com'), '', 'everybody has such an address')
    assert.equal(await customerOf('tom@twins.test'), '', 'two customers have the domain')
    await ada.delete(`/finance/crm/${twin.id}`)
    assert.equal(await customerOf('tom@twins.test'), contact.id)
    assert.equal(await customerOf('ann@sub.firm.test'), '')
  })

  test('a reply becomes one mail, and without a mail server its error says what is missing', async () => {
    const { mail } = await answered()
    assert.equal(mail.state, mailState.queued)
    assert.match(mail.messageId, /^<gantry\.[0-9a-f-]{36}@desk\.test>$/)
    await ada.post(`/mail/outbound/${mail.id}/retry`, undefined)
    await running.settle()
    const deferred = await ada.get(`/mail/outbound/${mail.id}`)
    assert.equal(deferred.state, mailState.deferred)
    assert.match(deferred.lastError, /has no SMTP server/)
    const [finding] = (await ada.get(`/mail/mailbox/${mailbox.id}/check`)).filter(
      (each: { path: string }) => each.path === '/smtp/host',
    )
    assert.equal(finding.code, 'no-server')
  })

  test('the author of a reply can cancel it while it waits', async () => {
    const { mail } = await answered()
    const rea = await person({ name: 'Rea', email: 'rea@example.com' })
    assert.equal((await rea.ask('POST', `/mail/outbound/${mail.id}/cancel`)).status, 403)
    assert.equal((await bob.post(`/mail/outbound/${mail.id}/cancel`, undefined)).state, mailState.cancelled)
    assert.equal((await bob.post(`/mail/outbound/${mail.id}/cancel`, undefined)).state, mailState.cancelled)
    await running.settle()
    assert.equal((await ada.get(`/mail/outbound/${mail.id}`)).attempts, 0)
  })

  test('a deleted reply is not sent, and notes are never sent', async () => {
    const { itemId, mail } = await answered()
    await bob.delete(`/annotation/${mail.annotationId}`)
    await ada.post(`/mail/outbound/${mail.id}/retry`, undefined)
    await bob.post(`/ticket/${itemId}/note`, { body: 'Between us' })
    await running.settle()
    assert.deepEqual(
      [(await ada.get(`/mail/outbound/${mail.id}`)).state, (await mails(itemId)).length],
      [mailState.cancelled, 1],
    )
  })

  test('an answer is matched by the token in the address, by the answered message, or by the token in the subject', async () => {
    const { itemId, mail } = await answered()
    const token = await tokenOf(itemId)
    const ways = [
      { to: `help+${token}@desk.test` },
      { headers: [`In-Reply-To: ${mail.messageId}`] },
      { headers: [`References: <x@y> ${mail.messageId}`] },
      { subject: `Re: x [HELP-1:${token}]` },
    ]
    for (const way of ways) assert.deepEqual([(await receive(letter(way))).itemId], [itemId], JSON.stringify(way))
    assert.notEqual((await receive(letter({ subject: 'Re: x [HELP-1]' }))).itemId, itemId)
  })

  test('a sender who takes no part in a ticket opens another one, even with its token', async () => {
    const { itemId, mail } = await answered()
    const token = await tokenOf(itemId)
    const before = (await said(itemId)).length
    for (const way of [
      { to: `help+${token}@desk.test` },
      { headers: [`In-Reply-To: ${mail.messageId}`] },
      { subject: `[HELP-1:${token}]` },
    ]) {
      const message = await receive(
        letter({ from: 'mallory@evil.test', ...way, headers: [...(way.headers ?? []), 'Cc: mallory2@evil.test'] }),
      )
      assert.deepEqual([message.outcome, message.itemId === itemId], [mailOutcome.created, false])
      assert.deepEqual((await ada.get(`/ticket/${message.itemId}`)).cc, [])
    }
    assert.equal((await said(itemId)).length, before)
  })

  test('a mail from the address of an agent is a requester’s message, and its commands have no effect', async () => {
    const { itemId } = await answered()
    await ada.put(`/ticket/${itemId}`, { cc: ['bob@example.com'] })
    const token = await tokenOf(itemId)
    const before = await ada.get(`/item/${itemId}`)
    const message = await receive(
      letter({
        from: 'Bob <bob@example.com>',
        to: `help+${token}@desk.test`,
        body: '@ada close this\n#close',
        headers: ['X-Gantry: status=done', 'X-Priority: 1'],
      }),
    )
    const [last] = (await said(itemId)).slice(-1)
    assert.deepEqual([message.outcome, last.kind, last.createdBy === bob.id], [mailOutcome.appended, 2, false])
    const now = await ada.get(`/item/${itemId}`)
    assert.deepEqual([now.status, now.assignees, now.priority], [before.status, before.assignees, before.priority])
  })

  test('a person reopens a closed ticket; a machine does not, and gets no automatic reply', async () => {
    const { itemId } = await answered()
    await bob.post(`/ticket/${itemId}/close`, {})
    const to = `help+${await tokenOf(itemId)}@desk.test`
    const count = (await mails(itemId)).length
    for (const sign of [
      'Auto-Submitted: auto-replied',
      'Precedence: bulk',
      'List-Id: <x.y>',
      'X-Auto-Response-Suppress: All',
      'Return-Path: <>',
    ]) {
      const message = await receive(letter({ to, headers: [sign] }))
      assert.deepEqual([message.itemId, (await said(itemId)).at(-1).kind], [itemId, 3], sign)
    }
    assert.notEqual((await ada.get(`/item/${itemId}`)).closedAt, null)
    const fresh = await receive(letter({ from: 'monitor@people.test', headers: ['Auto-Submitted: auto-generated'] }))
    assert.deepEqual(
      [fresh.outcome, (await mails(fresh.itemId)).length, (await mails(itemId)).length],
      [mailOutcome.created, 0, count],
    )
    await receive(letter({ to }))
    assert.equal((await ada.get(`/item/${itemId}`)).closedAt, null)
  })

  test('an address gets at most one automatic reply within an hour', async () => {
    const [first, second] = [
      await receive(letter({ from: 'often@people.test' })),
      await receive(letter({ from: 'often@people.test' })),
    ]
    assert.deepEqual([(await mails(first.itemId)).length, (await mails(second.itemId)).length], [1, 0])
  })

  test('copies of a message become one ticket, also if they arrive at the same time', async () => {
    const raw = letter({ id: '<twin@people.test>' })
    await Promise.all([1, 2, 3].map(() => ada.post('/mail/message', { mailboxId: mailbox.id, raw })))
    await running.settle()
    const twins = (await ada.get('/mail/message')).filter(
      (each: { messageId: string }) => each.messageId === '<twin@people.test>',
    )
    assert.deepEqual(twins.map((each: { outcome: number }) => each.outcome).sort(), [1, 4, 4])
  })

  test('a mail of the tenant that comes back is dropped', async () => {
    const { mail } = await answered()
    const message = await receive(letter({ from: 'help@desk.test', id: mail.messageId }))
    assert.deepEqual([message.outcome, message.reason], [mailOutcome.dropped, 'the tenant sent this mail itself'])
  })

  test('a stopped message is in quarantine with its reason, and can be released and its sender trusted', async () => {
    await ada.put('/mail/general', { domainStopList: ['spam.test'], subjectStopList: ['/^win .* now/'] })
    const stopped = await receive(letter({ from: 'x@mail.spam.test' }))
    assert.deepEqual([stopped.outcome, stopped.itemId], [mailOutcome.quarantined, ''])
    assert.equal((await receive(letter({ subject: 'Win a car NOW' }))).outcome, mailOutcome.quarantined)
    const listed = await ada.get('/mail/quarantine')
    assert.deepEqual(listed.map((each: { reason: string }) => each.reason).slice(-2), [
      'the domain spam.test is on the stop list',
      'the subject matches /^win .* now/ of the stop list',
    ])
    assert.equal((await bob.ask('POST', `/mail/message/${stopped.id}/release`, { body: {} })).status, 403)
    await ada.post(`/mail/message/${stopped.id}/release`, { trust: true })
    await running.settle()
    assert.equal((await ada.get(`/mail/message/${stopped.id}`)).outcome, mailOutcome.created)
    assert.equal((await receive(letter({ from: 'x@mail.spam.test' }))).outcome, mailOutcome.created)
    assert.equal((await ada.ask('POST', `/mail/message/${stopped.id}/reprocess`)).body.code, 'became-ticket')
    await ada.put('/mail/general', { domainStopList: [], subjectStopList: [] })
  })

  const report = (messageId: string, recipient: string, action = 'failed', status = '5.1.1') =>
    [
      'From: MAILER-DAEMON@mail.test',
      'To: help@desk.test',
      `Subject: Undelivered ${++count}`,
      `Message-ID: <${++count}@mail.test>`,
      'Return-Path: <>',
      'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'Sorry.',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mail.test',
      '',
      `Final-Recipient: rfc822; ${recipient}`,
      `Action: ${action}`,
      `Status: ${status}`,
      'Diagnostic-Code: smtp; 550 unknown user',
      '--b',
      'Content-Type: text/rfc822-headers',
      '',
      `Message-ID: ${messageId}`,
      '--b--',
    ].join('\r\n')

  test('a delivery report marks the mail and suppresses its recipient, and a forged report does not', async () => {
    const { itemId, mail } = await answered()
    const suppressed = async () => (await ada.get('/mail/suppression')).map((each: { address: string }) => each.address)
    await receive(report('<made-up@desk.test>', 'rita@people.test'))
    await receive(report(mail.messageId, 'somebody-else@people.test'))
    await receive(report(mail.messageId, 'rita@people.test', 'delayed', '4.4.1'))
    assert.deepEqual(await suppressed(), [])
    assert.equal((await receive(report(mail.messageId, 'rita@people.test'))).outcome, mailOutcome.report)
    const now = await ada.get(`/mail/outbound/${mail.id}`)
    assert.deepEqual(
      [now.state, now.undelivered, await suppressed()],
      [mailState.bounced, ['rita@people.test'], ['rita@people.test']],
    )
    assert.match((await said(itemId)).at(-1).body, /could not be delivered/)
    const next = await database.transaction(tenantCaller(ada.tenantId), ctx =>
      queueMail(ctx, { to: ['Rita@people.test'], subject: 'x', text: 'x', auto: true }),
    )
    assert.equal(next.state, mailState.suppressed)
    const [entry] = await ada.get('/mail/suppression')
    await ada.delete(`/mail/suppression/${entry.id}`)
    const then = await database.transaction(tenantCaller(ada.tenantId), ctx =>
      queueMail(ctx, { to: ['rita@people.test'], subject: 'x', text: 'x', auto: true }),
    )
    assert.equal(then.state, mailState.queued)
  })

  test('a forwarded message and the answer to it are internal', async () => {
    const { itemId } = await answered()
    await bob.post(`/ticket/${itemId}/forward`, { to: ['maker@parts.test'], body: 'Do you know this?' })
    await running.settle()
    const [forward] = (await mails(itemId)).filter((each: { purpose: number }) => each.purpose === mailPurpose.forward)
    await ada.post(`/mail/outbound/${forward.id}/retry`, undefined)
    await running.settle()
    await database.transaction(
      tenantCaller(ada.tenantId),
      ctx => ctx.sql`update outbound_mail set state = 1 where tenant_id = ${ada.tenantId} and id = ${forward.id}`,
    )
    const message = await receive(letter({ from: 'maker@parts.test', headers: [`In-Reply-To: ${forward.messageId}`] }))
    const later = await receive(letter({ from: 'maker@parts.test', to: `help+${await tokenOf(itemId)}@desk.test` }))
    assert.deepEqual([message.outcome, later.outcome], [mailOutcome.appended, mailOutcome.appended])
    assert.deepEqual(
      (await said(itemId)).slice(-2).map((each: { kind: number }) => each.kind),
      [0, 0],
    )
  })

  test('inline images are linked to their files, equal files are stored once, and scripts are removed', async () => {
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const body = [
      '--b',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<p onclick="x()">Look: <img src="cid:pic@x"><script>alert(1)</script></p>',
      '--b',
      'Content-Type: image/png; name="../../a.png"',
      'Content-ID: <pic@x>',
      'Content-Transfer-Encoding: base64',
      '',
      png,
      '--b',
      'Content-Type: image/png; name="b.png"',
      'Content-Transfer-Encoding: base64',
      '',
      png,
      '--b--',
    ].join('\r\n')
    const headers = ['MIME-Version: 1.0', 'Content-Type: multipart/related; boundary="b"']
    const message = await receive(letter({ headers, body }))
    const [first] = await said(message.itemId)
    assert.equal(first.attachments.length, 1)
    const file = await ada.get(`/file/${first.attachments[0]}`)
    assert.deepEqual([file.name, file.mime], ['a.png', 'image/png'])
    assert.match(first.body, new RegExp(`<img src="/api/file/download/${file.id}\\?inline=true" ?/?>`))
    assert.doesNotMatch(first.body, /script|onclick/)
    const again = await receive(letter({ headers: [...headers, `In-Reply-To: ${message.messageId}`], body }))
    assert.deepEqual((await said(again.itemId)).at(-1).attachments, [file.id])
  })

  test('a message beyond a limit is refused with the reason', async () => {
    const boundary = (depth: number) => `Content-Type: multipart/mixed; boundary="b${depth}"\r\n\r\n--b${depth}\r\n`
    const deep = `From: a@people.test\r\nSubject: deep\r\n${Array.from({ length: 15 }, (_, i) => boundary(i)).join('')}`
    const many = `From: a@people.test\r\nSubject: many\r\n${boundary(0)}${'\r\n--b0\r\nContent-Type: text/plain\r\n\r\nx'.repeat(150)}`
    const wide = `From: a@people.test\r\nX: ${'y'.repeat(900)}\r\n${`X-More: ${'z'.repeat(900)}\r\n`.repeat(90)}\r\nx`
    assert.match((await receive(deep)).reason, /more than 10 deep/)
    assert.match((await receive(many)).reason, /more than 100 parts/)
    assert.match((await receive(wide)).reason, /headers/)
    assert.match((await receive('Subject: from nobody\r\n\r\nx')).reason, /who sent it/)
  })

  test('every message has an outcome, however malformed it is', async () => {
    const pieces = fc.constantFrom(
      ...[
        'From: a@b.test\r\n',
        'From: =?utf-8?q?=00=FF?= <a@b.test>\r\n',
        'Subject: =?utf-16?b?AAAA?=\r\n',
        'Content-Type: multipart/mixed; boundary=x\r\n',
        '\r\n',
        '--x\r\n',
        '--x--\r\n',
      ],
      ...[
        'Content-Type: text/html; charset=nonsense\r\n',
        'Content-Transfer-Encoding: base64\r\n',
        '<img src="cid:',
        '\ud800',
        '\0',
        'Date: yesterday\r\n',
        'Message-ID: <>\r\n',
        'constructor: x\r\n',
        '__proto__: y\r\n',
      ],
      ...[
        'Content-Type: message/rfc822\r\n',
        'Content-Type: multipart/report; report-type=delivery-status; boundary=x\r\n',
        'References: <a@b> <a@b>\r\n',
        'To: :;,<>@\r\n',
        'To: g: a@b.test, c@d.test;\r\n',
      ],
    )
    const message = fc
      .array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 30 })), { minLength: 1, maxLength: 20 })
      .map(all => `${all.join('')} `)
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 10, maxLength: 10 }), async all => {
        const answers = await Promise.all(
          all.map(raw => ada.ask('POST', '/mail/message', { body: { mailboxId: mailbox.id, raw } })),
        )
        for (const { status } of answers) assert.ok(status === 201 || status === 400, String(status))
        await running.settle()
        for (const { status, body } of answers) {
          if (status !== 201) continue
          const { outcome, reason } = await ada.get(`/mail/message/${body.id}`)
          assert.ok(outcome !== mailOutcome.pending && outcome !== mailOutcome.failed, `${outcome} ${reason}`)
        }
      }),
      { numRuns: isLong ? 12 : 3 },
    )
  })

  test('line breaks in headers are refused, and a quota ends mail loops', async () => {
    const asAda = tenantCaller(ada.tenantId)
    const send = (more: object) =>
      database.transaction(asAda, ctx =>
        queueMail(ctx, { to: ['x@people.test'], subject: 'x', text: 'x', auto: true, ...more }),
      )
    for (const more of [
      { subject: 'x\r\nBcc: all@people.test' },
      { to: ['x@people.test\r\nBcc: y@z.test'] },
      { cc: ['no address'] },
    ])
      await assert.rejects(send(more), { status: 400 })
    const item = await ada.post('/item', { title: 'Loop' })
    const states: number[] = []
    for (let i = 0; i < 12; i++) states.push((await send({ itemId: item.id })).state)
    assert.deepEqual(states, [...Array(10).fill(0), 4, 4])
  })

  test('one click unsubscribes a reader, and a forged link does not', async () => {
    const received: unknown[] = []
    const { secrets } = database.services
    const app = openHttp({
      database,
      bodyLimit: 65_536,
      baseUrl: () => 'http://gantry.localhost',
      log: () => {},
      idempotently,
      readForm,
      authenticate: async () => {
        throw new Unauthorized('nobody needs a credential here')
      },
    })
    const unsubscribers = new Map([
      ['test-topic', async (_ctx: Context, wanted: Unsubscription) => void received.push(wanted)],
    ])
    mountUnsubscribe(app, { database, secrets, unsubscribers })
    const nobody = new Person(await app.listen({ port: 0, host: '127.0.0.1' }), '', '', '')
    after(() => app.close())
    const claim = { tenantId: ada.tenantId, topic: 'test-topic', address: 'rita@people.test', key: 'k1' }
    const path = `/${unsubscribeLink(secrets, '', claim)}`
    const shown = await nobody.ask('GET', path)
    assert.deepEqual([shown.status, received.length], [200, 0])
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    assert.equal((await nobody.ask('POST', path, { body: 'List-Unsubscribe=One-Click', headers })).status, 200)
    assert.deepEqual(received, [{ address: 'rita@people.test', key: 'k1' }])
    const forged = `${path.slice(0, -20)}AAAA${path.slice(-16)}`
    const refused = await nobody.ask('POST', forged, { body: '', headers })
    assert.deepEqual([refused.status, refused.body.code], [404, 'not-found'])
    const page = await nobody.ask('GET', forged, { headers: { accept: 'text/html,*/*;q=0.8' } })
    assert.deepEqual([page.status, page.headers.get('content-type')], [404, 'text/html; charset=utf-8'])
    assert.match(page.body, /not valid/)
  })

  test('old mail is removed with its bytes when the tenant says so; newer mail, unfinished mail and tickets stay', async () => {
    const withAttachment = (text: string) =>
      letter({
        headers: ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary="b"'],
        body: `--b\r\n\r\nSee the file\r\n--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename="a.txt"\r\n\r\n${text}\r\n--b--`,
      })
    const conversation = async (text: string) => {
      const message = await receive(withAttachment(text))
      await bob.post(`/ticket/${message.itemId}/reply`, { body: 'Is it on?' })
      await running.settle()
      const sent = (await mails(message.itemId)).map((each: { id: string }) => each.id)
      const [first] = await said(message.itemId)
      return { message, sent, file: first.attachments[0] }
    }
    const [old, young] = [await conversation('the old one'), await conversation('the young one')]
    const { message: failed } = await conversation('failed long ago')
    const { sent: waiting } = await conversation('still to be sent')
    assert.ok(old.sent.length > 0 && waiting.length > 0)
    const change = (text: string, ids: string[]) =>
      asOwner(home.databaseUrl, undefined, `update ${text} where id = any($1)`, [ids])
    const hashOf = async ({ id }: { id: string }) =>
      (await asOwner(home.databaseUrl, undefined, 'select sha256 from mail_message where id = $1', [id]))[0]?.sha256
    const [oldHash, youngHash] = [await hashOf(old.message), await hashOf(young.message)]
    const longAgo = `created = now() - interval '11 days'`
    await change(`mail_message set ${longAgo}`, [old.message.id, failed.id])
    await change(`mail_message set outcome = ${mailOutcome.failed}`, [failed.id])
    await change(`outbound_mail set state = ${mailState.sent}`, [...old.sent, ...young.sent])
    await change(`outbound_mail set ${longAgo}`, [...old.sent, ...waiting])

    await ada.put('/tenant', { retention: { mailDays: 10 } })
    const never = new AbortController().signal
    await applyRetention(database, retentionRules).run(never)
    const inTwoDays = () => new Date(Date.now() + 2 * 86_400_000)
    await sweepFiles(database, inTwoDays).run(never)

    const [event] = await ada.get('/event?types=tenant.retentionApplied')
    assert.deepEqual(event.changes, { mail_message: { to: 1 }, outbound_mail: { to: old.sent.length } })
    const left = async (path: string) => (await ada.ask('GET', path)).status
    for (const path of ['', '/raw']) {
      assert.equal(await left(`/mail/message/${old.message.id}${path}`), 404)
      assert.equal(await left(`/mail/message/${young.message.id}${path}`), 200)
      assert.equal(await left(`/mail/message/${failed.id}${path}`), 200)
    }
    for (const id of old.sent) assert.equal(await left(`/mail/outbound/${id}`), 404)
    for (const id of [...young.sent, ...waiting]) assert.equal(await left(`/mail/outbound/${id}`), 200)
    await assert.rejects(database.services.blobs.size(ada.tenantId, oldHash), /ENOENT/)
    assert.ok((await database.services.blobs.size(ada.tenantId, youngHash)) > 0)
    assert.match(await ada.get(`/file/download/${old.file}`), /the old one/)
    assert.equal((await said(old.message.itemId)).length, 2)
  })

  test('passwords are never shown, and are not sent to another host', async () => {
    const made = await ada.post('/mail/mailbox', {
      name: 'S',
      address: 's@desk.test',
      imap: { host: 'imap.example.com' },
      password: 'hidden',
    })
    assert.equal(made.password, '***')
    assert.equal(
      (await ada.ask('PUT', `/mail/mailbox/${made.id}`, { body: { imap: { host: 'imap.evil.test' } } })).body.Fields[0]
        .Code,
      'other-host',
    )
    assert.equal(
      (await ada.ask('PUT', `/mail/mailbox/${made.id}`, { body: { imap: { host: '127.0.0.1' } } })).status,
      400,
    )
    assert.doesNotMatch(JSON.stringify(await ada.get(`/mail/mailbox/${made.id}/history`)), /hidden/)
    const moved = await ada.ask('PUT', `/mail/mailbox/${made.id}`, {
      body: { imap: { host: 'imap.example.net' }, password: 'newer' },
    })
    await ada.post(`/change/${moved.headers.get('change-set')}/undo`, undefined)
    const back = await ada.get(`/mail/mailbox/${made.id}`)
    assert.deepEqual(
      [back.imap.host, back.password],
      ['imap.example.com', ''],
      'the newer password is not for this host',
    )
    assert.equal((await bob.ask('PUT', `/mail/mailbox/${made.id}`, { body: { name: 'x' } })).status, 403)
  })
})
