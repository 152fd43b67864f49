import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { engines } from '../../../../test/support/engines.ts'
import { casesOf, isLong } from '../../../../test/support/form.ts'
import { sharedTestService } from '../../../../test/support/people.ts'
import { action } from '../../../containers/action/action.ts'
import { containerKind } from '../../../containers/container-kind.ts'
import { templateKind } from '../../../containers/content-template/content-template.ts'
import { tenantCaller } from '../../../identity/tenant-caller.ts'
import type { Run } from '../../../kernel/context.ts'
import { operator } from '../../../language/conditions/operators/operators.ts'
import { trigger } from '../../../rules/rule/rule-codes.ts'
import { mailPurpose } from '../../outbound-mail/outbound-mail.ts'
import { nameServer } from '../../test-support/test-name-server.ts'
import { type Signer, signerFor } from '../../test-support/test-signer.ts'
import { outcome as mailOutcome } from '../mail-message.ts'
import { senderProof } from './authenticity.ts'

// Mail with a forged sender, in every known way, runs through the whole pipeline. It must change nothing that the sender
// could not change as a stranger.

describe('mail with a forged sender', async () => {
  const dns = await nameServer()
  const home = await sharedTestService()
  const { ada, bob, database } = home
  const running = await engines(home, { MAIL_DNS: dns.place })

  // example.com is the domain of the agents, people.test that of a requester who takes part in the ticket; both sign their
  // mail and publish DMARC policies. The domain of the forger signs its mail, too.
  const signers = Object.fromEntries(
    ['example.com', 'people.test', 'evil.test'].map(domain => [domain, signerFor(domain)] as const),
  )
  for (const { name, text } of Object.values(signers)) dns.texts.set(name, [text])
  dns.texts.set('_dmarc.example.com', ['v=DMARC1; p=reject'])
  dns.texts.set('_dmarc.people.test', ['v=DMARC1; p=quarantine'])
  dns.texts.set('_dmarc.evil.test', ['v=DMARC1; p=reject'])
  const signer = (domain: string): Signer => signers[domain] ?? signerFor(domain)

  const template = await ada.post('/content-template', {
    name: 'Received',
    kind: templateKind.autoReply,
    subject: 'Received',
    body: 'We have it.',
  })
  const desk = await ada.post('/container', { name: 'Desk', key: 'HELP', kind: containerKind.desk })
  const mailboxOf = (address: string, more: object) =>
    ada.post('/mail/mailbox', { name: address, address, containerId: desk.id, templateId: template.id, ...more })
  /** One mailbox verifies senders itself, the other trusts the results of its server. */
  const boxes = {
    asking: await mailboxOf('help@desk.test', {}),
    told: await mailboxOf('told@desk.test', { trustedAuthHosts: ['mx.desk.test'] }),
  }
  await ada.post('/admin/setting', { key: 'mail.undoSeconds', value: 0 })
  // The rule applies to mail from the agents' domain, and must not apply to forged mail.
  await ada.post('/rule', {
    name: 'Ours first',
    active: true,
    trigger: trigger.mail,
    conditionGroup: [
      { condition: [{ leftSide: 'mail.from', operator: operator.contains, rightSide: '@example.com' }] },
    ],
    actionValue: [{ actionType: action.addToList, field: 'labels', value: 'ours' }],
  })

  let count = 0
  async function handIn(raw: string, box: keyof typeof boxes = 'asking'): Promise<string> {
    return (await ada.post('/mail/message', { mailboxId: boxes[box].id, raw })).id
  }
  async function receive(raw: string, box: keyof typeof boxes = 'asking') {
    const id = await handIn(raw, box)
    await running.settle()
    return await ada.get(`/mail/message/${id}`)
  }
  const look = <T>(act: (sql: Run) => Promise<T>) => database.single(tenantCaller(ada.tenantId), ctx => act(ctx.sql))

  const thread = { itemId: '', messageId: '', token: '', key: '' }

  before(async () => {
    const first = await receive(
      await signer('people.test').sign(
        [
          'From: Rita <rita@people.test>',
          'To: help@desk.test',
          'Subject: It is dark',
          'Message-ID: <first@people.test>',
          '',
          'Hello',
          '',
        ].join('\r\n'),
      ),
    )
    assert.deepEqual(
      [first.outcome, first.authenticity.verdict],
      [mailOutcome.created, senderProof.proven],
      JSON.stringify(first),
    )
    await ada.put(`/ticket/${first.itemId}`, { cc: ['bob@example.com', 'ada@example.com'] })
    await bob.post(`/ticket/${first.itemId}/reply`, { body: 'Is it on?' })
    await bob.post(`/ticket/${first.itemId}/note`, { body: 'Between us: a canary' })
    await running.settle()
    await bob.post(`/ticket/${first.itemId}/close`, {})
    await running.settle()
    const [mail] = (await ada.get('/mail/outbound')).filter(
      (each: { purpose: number }) => each.purpose === mailPurpose.reply,
    )
    const [row] = await look(
      sql =>
        sql<{
          token: string
        }>`select token from mail_thread where tenant_id = ${ada.tenantId} and item_id = ${first.itemId}`,
    )
    const { key } = await ada.get(`/item/${first.itemId}`)
    Object.assign(thread, { itemId: first.itemId, messageId: mail.messageId, token: row?.token ?? '', key })
    assert.ok(thread.token !== '' && thread.messageId !== '')
  })

  type Headers = [name: string, value: string][]
  interface Letter {
    headers: Headers
    body: string
  }

  /** The ways in which a mail refers to the ticket. */
  const ways: Record<string, (letter: Letter) => void> = {
    'no thread': () => {},
    'the token in the address': ({ headers }) =>
      replace(headers, 'To', `help+${thread.token}@desk.test, told+${thread.token}@desk.test`),
    'an answer': ({ headers }) => headers.push(['In-Reply-To', thread.messageId]),
    references: ({ headers }) => headers.push(['References', `<first@people.test> ${thread.messageId}`]),
    'the token in the subject': ({ headers }) =>
      replace(headers, 'Subject', `Re: It is dark [${thread.key}:${thread.token}]`),
    'delivered to': ({ headers }) => headers.unshift(['Delivered-To', `help+${thread.token}@desk.test`]),
  }

  const commands: Headers = [
    ['X-Gantry', 'true'],
    ['X-Gantry-Status', 'Closed'],
    ['X-Status', 'done'],
    ['X-Assignee', 'mallory@evil.test'],
    ['X-Group', 'Admins'],
    ['X-Priority', '1'],
    ['X-Ticket-State', 'closed'],
    ['X-Zammad-Ticket-Owner', 'bob@example.com'],
  ]

  /** Further ways to forge a sender; `domain` is the domain of the forged address. */
  const tricks: Record<string, (letter: Letter, domain: string) => unknown> = {
    plain: () => {},
    'a copy to the forger': ({ headers }) => headers.push(['Cc', 'mallory@evil.test, mallory2@evil.test']),
    'another Reply-To': ({ headers }) => headers.push(['Reply-To', 'mallory@evil.test']),
    'a forged return path': ({ headers }, domain) => headers.unshift(['Return-Path', `<someone@${domain}>`]),
    'a forged Sender header': ({ headers }, domain) =>
      headers.push(['Sender', `boss@${domain}`], ['Resent-From', `boss@${domain}`]),
    'headers with commands': ({ headers }) => headers.push(...commands),
    'commands in the text': letter => {
      letter.body = '#close\n/assign mallory@evil.test\n@status done\nStatus: Closed\nAssignee: mallory@evil.test\n'
    },
    'results of a foreign server': ({ headers }, domain) =>
      headers.unshift([
        'Authentication-Results',
        `mx.evil.test; dmarc=pass header.from=${domain}; dkim=pass header.d=${domain}`,
      ]),
    'forged results of our server': ({ headers }, domain) =>
      headers.push([
        'Authentication-Results',
        `mx.desk.test; dmarc=pass header.from=${domain}; dkim=pass header.d=${domain}`,
      ]),
    'a forged Received header': ({ headers }, domain) =>
      headers.push(['Received', `from mail.${domain} (mail.${domain} [93.184.216.34]) by mx.desk.test with ESMTP`]),
    'an invalid signature': ({ headers }, domain) =>
      headers.unshift([
        'DKIM-Signature',
        `v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain}; s=s1; h=from:to; bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; b=AAAA`,
      ]),
    'an ARC seal': ({ headers }) =>
      headers.unshift(
        ['ARC-Authentication-Results', 'i=1; mx.desk.test; dmarc=pass'],
        ['ARC-Seal', 'i=1; a=rsa-sha256; d=evil.test; s=s1; cv=none; b=AAAA'],
      ),
    'a file': letter => {
      replace(letter.headers, 'Content-Type', 'multipart/mixed; boundary=b')
      letter.body =
        '--b\r\nContent-Type: text/html\r\n\r\n<p>x</p>\r\n--b\r\nContent-Type: text/calendar; name=a.ics\r\n\r\nX\r\n--b--'
    },
  }

  function replace(headers: Headers, name: string, value: string): void {
    const at = headers.findIndex(([each]) => each === name)
    headers.splice(at < 0 ? headers.length : at, at < 0 ? 0 : 1, [name, value])
  }

  function written(letter: Letter): string {
    return [...letter.headers.map(each => each.join(': ')), '', letter.body, ''].join('\r\n')
  }

  function letterFrom(from: string, way: string, trick: string, domain: string): Letter {
    const letter: Letter = {
      headers: [
        ['From', from],
        ['To', 'help@desk.test'],
        ['Subject', `Letter ${++count}`],
        ['Message-ID', `<${++count}@evil.test>`],
      ],
      body: 'Please do.',
    }
    tricks[trick]?.(letter, domain)
    ways[way]?.(letter)
    return letter
  }

  const forged: { name: string; raw: string; box: keyof typeof boxes }[] = []
  const own: typeof forged = []

  const persons = [
    ['Bob <bob@example.com>', 'example.com'],
    ['"Ada, Admin" <ADA@Example.COM>', 'example.com'],
    ['rita@people.test', 'people.test'],
  ] as const

  const ourServer = (says: string) =>
    `Authentication-Results: mx.desk.test; ${says}\r\nReceived: from x (x [203.0.114.9]) by mx.desk.test with ESMTP\r\n`

  before(async () => {
    const all = persons.flatMap(([from, domain]) =>
      Object.keys(ways).flatMap(way => Object.keys(tricks).map(trick => ({ from, domain, way, trick }))),
    )
    // An interval that divides neither the ways nor the tricks, so that the short form has every one of them.
    for (const { from, domain, way, trick } of casesOf(all, 5)) {
      const name = `${from}, ${way}, ${trick}`
      const raw = written(letterFrom(from, way, trick, domain))
      const says = `dmarc=fail (p=none) header.from=${domain}; spf=pass smtp.mailfrom=x@evil.test; dkim=pass header.d=evil.test`
      // Each mail is in turn unsigned, signed by the domain of the forger, or received by our server with its results:
      // all combinations would take too long.
      const kinds = [
        async () => ({ name, raw, box: 'asking' as const }),
        async () => ({
          name: `${name}, signed by another`,
          raw: await signer('evil.test').sign(raw),
          box: 'asking' as const,
        }),
        async () => ({ name: `${name}, known to our server`, raw: ourServer(says) + raw, box: 'told' as const }),
      ]
      const letter = await kinds[forged.length % kinds.length]?.()
      if (letter) forged.push(letter)
    }
    // Mail under the sender's own address, with misleading display names.
    const names = [
      'mallory@evil.test',
      '"bob@example.com" <mallory@evil.test>',
      'Bob <bob@example.com> <mallory@evil.test>',
      '"rita@people.test via desk" <mallory@evil.test>',
      '=?utf-8?b?Ym9iQGV4YW1wbGUuY29t?= <mallory@evil.test>',
      'mallory@evil.test (bob@example.com)',
      '"Bob\\" <bob@example.com>" <mallory@evil.test>',
    ]
    const wayed = (froms: string[][]) => froms.flatMap(from => Object.keys(ways).map(way => ({ from, way })))
    for (const { from, way } of casesOf(wayed(names.map(each => [each])), 5))
      own.push({
        name: `${from}, ${way}`,
        raw: await signer('evil.test').sign(written(letterFrom(`${from}`, way, 'headers with commands', 'evil.test'))),
        box: 'asking',
      })
    // Mail with two authors, one of which is proven, in one line or in two.
    const authors = [
      ['mallory@evil.test, Bob <bob@example.com>'],
      ['Bob <bob@example.com>, mallory@evil.test'],
      ['Staff: bob@example.com, mallory@evil.test;'],
      ['mallory@evil.test', 'rita@people.test'],
      ['rita@people.test', 'mallory@evil.test'],
    ]
    for (const { from, way } of casesOf(wayed(authors), 5)) {
      const [first = '', ...more] = from
      const letter = letterFrom(first, way, 'plain', 'evil.test')
      letter.headers.splice(1, 0, ...more.map((each): [string, string] => ['From', each]))
      forged.push({
        name: `${from.join(' and ')}, ${way}`,
        raw: await signer('evil.test').sign(written(letter)),
        box: 'asking',
      })
    }
  })

  /** The rows that determine access, and those of the ticket. */
  async function privileges(): Promise<string> {
    const rows = await look(
      sql => sql<{ kind: string; row: string }>`
        select 'user' as kind, (to_jsonb(t) - 'last_seen')::text as row from "user" t where tenant_id = ${ada.tenantId}
        union all select 'group', to_jsonb(t)::text from user_group t where tenant_id = ${ada.tenantId}
        union all select 'grant', to_jsonb(t)::text from access_control t where tenant_id = ${ada.tenantId}
        union all select 'container', (to_jsonb(t) - 'next_number')::text from container t where tenant_id = ${ada.tenantId}
        union all select 'settings', to_jsonb(t)::text from mail_general t where tenant_id = ${ada.tenantId}
        union all select 'item', to_jsonb(t)::text from item t where tenant_id = ${ada.tenantId} and id = ${thread.itemId}
        union all select 'ticket', to_jsonb(t)::text from ticket t where tenant_id = ${ada.tenantId} and id = ${thread.itemId}
        union all select 'said', to_jsonb(t)::text from annotation t where tenant_id = ${ada.tenantId} and item_id = ${thread.itemId}
        union all select 'watch', to_jsonb(t)::text from watch t where tenant_id = ${ada.tenantId}
        order by 1, 2`,
    )
    return JSON.stringify(rows, null, 1)
  }

  async function handInAll(all: typeof forged): Promise<string[]> {
    const ids: string[] = []
    for (let at = 0; at < all.length; at += 40)
      ids.push(...(await Promise.all(all.slice(at, at + 40).map(({ raw, box }) => handIn(raw, box)))))
    await running.settle()
    return ids
  }

  interface Made {
    id: string
    outcome: number
    verdict: number
    itemId: string | null
    requesterId: string | null
    assignees: string[]
    category: number
    closed: boolean
    cc: string[] | null
    queue: string | null
    author: string | null
    kind: number | null
    warning: string | null
    labels: string[]
  }

  const made = (ids: string[]) =>
    look(
      sql => sql<Made>`select m.id, m.outcome, (m.authenticity ->> 'verdict')::int as verdict, m.item_id as "itemId", i.requester_id as "requesterId", i.assignees, i.labels,
          i.status_category as category, i.closed_at is not null as closed, t.cc, t.queue_group_id as queue, a.author_id as author, a.kind, a.mail #>> '{headers,warning}' as warning
        from mail_message m left join item i on i.tenant_id = ${ada.tenantId} and i.id = m.item_id
        left join ticket t on t.tenant_id = ${ada.tenantId} and t.id = m.item_id left join annotation a on a.tenant_id = ${ada.tenantId} and a.id = m.annotation_id
        where m.tenant_id = ${ada.tenantId} and m.id = any(${ids}::uuid[])`,
    )

  test('opens a ticket as a stranger, or goes to quarantine', async () => {
    assert.ok(forged.length >= (isLong ? 200 : 50), String(forged.length))
    const was = await privileges()
    const mailsBefore = (await ada.get('/mail/outbound')).length
    const ids = await handInAll(forged)
    assert.equal(await privileges(), was)
    assert.equal((await ada.get('/mail/outbound')).length, mailsBefore)
    const names = new Map(ids.map((id, i) => [id, forged[i]?.name ?? '']))
    for (const each of await made(ids)) {
      const name = `${names.get(each.id)}: ${JSON.stringify(each)}`
      assert.ok([1, 3].includes(each.outcome) && each.itemId !== thread.itemId, name)
      assert.equal(each.verdict, senderProof.unproven, name)
      if (each.outcome === mailOutcome.quarantined) continue
      assert.deepEqual(
        [each.requesterId, each.author, each.assignees, each.cc, each.queue],
        [null, null, [], [], null],
        name,
      )
      assert.deepEqual([each.closed, each.kind, each.labels], [false, 2, []], name)
      assert.match(each.warning ?? '', /not proven/, name)
    }
  })

  test('a sender under their own address is a stranger, whatever display name they use', async () => {
    const was = await privileges()
    const ids = await handInAll(own)
    assert.equal(await privileges(), was)
    const names = new Map(ids.map((id, i) => [id, own[i]?.name ?? '']))
    for (const each of await made(ids)) {
      const name = `${names.get(each.id)}: ${JSON.stringify(each)}`
      assert.deepEqual(
        [each.outcome, each.requesterId, each.author, each.assignees, each.cc, each.closed],
        [mailOutcome.created, null, null, [], [], false],
        name,
      )
    }
    for (const mail of await ada.get('/mail/outbound'))
      if (mail.purpose === mailPurpose.autoReply)
        assert.ok(['mallory@evil.test', 'rita@people.test'].includes(mail.to[0]), mail.to[0])
  })

  test('a proven sender is recognized as the user, by each way to match the ticket', async () => {
    let said = (await ada.get(`/item/${thread.itemId}/annotations`)).length
    for (const way of Object.keys(ways)) {
      const raw = await signer('people.test').sign(written(letterFrom('rita@people.test', way, 'plain', 'people.test')))
      const message = await receive(raw)
      assert.deepEqual(
        [message.authenticity.verdict, message.itemId === thread.itemId],
        [senderProof.proven, way !== 'no thread'],
        way,
      )
      if (way !== 'no thread') said++
    }
    assert.equal((await ada.get(`/item/${thread.itemId}/annotations`)).length, said)
    assert.equal((await ada.get(`/item/${thread.itemId}`)).closedAt, null)
    const fromBob = await receive(
      await signer('example.com').sign(written(letterFrom('bob@example.com', 'no thread', 'plain', 'example.com'))),
    )
    assert.equal((await ada.get(`/annotation/${fromBob.annotationId}`)).authorId, bob.id)
    assert.equal((await ada.get(`/item/${fromBob.itemId}`)).labels.length, 1)
    const told = await receive(
      ourServer('dmarc=pass header.from=people.test') +
        written(letterFrom('rita@people.test', 'the token in the subject', 'plain', 'people.test')),
      'told',
    )
    assert.deepEqual([told.authenticity.by, told.itemId], ['mx.desk.test', thread.itemId])
  })

  test('an answer of a proven sender proves the address of the requester', async () => {
    const { requesterId: was } = await ada.get(`/item/${thread.itemId}`)
    const stated = { name: 'Rita', email: 'rita@people.test', unproven: true }
    assert.equal((await ada.put(`/ticket/${thread.itemId}`, { requester: stated })).requesterId, '')
    const letter = () => written(letterFrom('rita@people.test', 'an answer', 'plain', 'people.test'))
    await receive(letter())
    assert.equal((await ada.get(`/ticket/${thread.itemId}`)).requester.unproven, true)
    await receive(await signer('people.test').sign(letter()))
    const { requesterId, requester } = await ada.get(`/ticket/${thread.itemId}`)
    assert.deepEqual([requesterId, requester.unproven], [was, undefined])
  })

  test('the token in the subject alone matches no ticket if the sender was checked and not proven', async () => {
    await ada.put(`/ticket/${thread.itemId}`, { cc: ['sam@plain.test'] })
    const ask = async (way: string) =>
      (await receive(written(letterFrom('sam@plain.test', way, 'plain', 'plain.test')))).itemId === thread.itemId
    assert.deepEqual(
      [await ask('the token in the subject'), await ask('the token in the address'), await ask('an answer')],
      [false, true, true],
    )
  })

  test('a forged mail that is released from quarantine is still a stranger’s', async () => {
    const says = 'dmarc=fail (p=reject) header.from=example.com'
    const letter = letterFrom('bob@example.com', 'the token in the address', 'plain', 'example.com')
    const message = await receive(ourServer(says) + written(letter), 'told')
    assert.deepEqual(
      [message.outcome, message.reason],
      [mailOutcome.quarantined, 'it is not from example.com, which wants such mail to be refused (DMARC)'],
    )
    await ada.put('/mail/general', { trustedSenders: ['example.com'], domainStopList: ['example.com'] })
    assert.match(
      (
        await receive(
          ourServer(says) + written(letterFrom('bob@example.com', 'no thread', 'plain', 'example.com')),
          'told',
        )
      ).reason,
      /stop list/,
    )
    await ada.put('/mail/general', { trustedSenders: [], domainStopList: [] })
    await ada.post(`/mail/message/${message.id}/release`, {})
    await running.settle()
    const now = await ada.get(`/mail/message/${message.id}`)
    assert.deepEqual([now.outcome, now.itemId === thread.itemId], [mailOutcome.created, false])
    assert.equal((await ada.get(`/annotation/${now.annotationId}`)).authorId, '')
    const ticket = await ada.get(`/ticket/${now.itemId}`)
    assert.deepEqual([ticket.requester.email, ticket.requesterId], ['bob@example.com', ''])
  })
})
