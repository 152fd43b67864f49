import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type ParsedMail, simpleParser } from 'mailparser'
import { engines } from '../../../test/support/engines.ts'
import { type Person, startTestService } from '../../../test/support/people.ts'
import { eventually } from '../../../test/support/until.ts'
import { action } from '../../containers/action/action.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { itemVisibility } from '../../items/item/item.ts'
import { roleCode } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { appendEvents } from '../../kernel/events.ts'
import { mailServers, missingServers } from '../../mail/test-support/test-servers.ts'
import { mailSecurity } from '../../platform/mail-security.ts'
import { messageFormat } from '../notification/message/message-format.ts'
import { interval } from '../notification/notification-codes.ts'
import { digestInterval, notifiedUsers } from '../preference/preference.ts'
import { triggerEvent } from '../trigger-event.ts'
import { takeMail } from './mail-limit.ts'

// The budget of mails, with mails as they really go: through a Postfix into the mailboxes of their readers.

describe('the budget of mails', { skip: missingServers }, async () => {
  if (missingServers) return
  const servers = await mailServers()
  const env = { OUTBOUND_ALLOW: servers.allow, MAIL_CA_FILE: servers.caFile }
  const home = await startTestService(env)
  const { ada, person, database } = home
  const running = await engines(home, env)
  // A second process works on the same jobs all the time.
  await engines(home, env)
  const server = { host: 'localhost', user: '' }
  await ada.post('/mail/mailbox', {
    name: 'Desk',
    address: 'desk@desk.test',
    imap: { ...server, user: 'desk', port: servers.imapPort },
    smtp: { ...server, port: servers.smtpPort, security: mailSecurity.startTls },
    password: servers.password,
    active: true,
  })
  await ada.put('/mail/general', { defaultFrom: 'desk@desk.test' })
  const member = (name: string, box: string) => person({ name, email: `${box}@people.test`, role: roleCode.member })
  const [rita, sam] = [await member('Rita', 'rita'), await member('Sam', 'sam')]
  const desk = await ada.post('/container', { name: 'Desk' })
  const quiet = await ada.post('/container', { name: 'Quiet' })
  const query = <T>(look: (ctx: Context) => Promise<T>) => database.single(tenantCaller(ada.tenantId), look)

  /** The subjects of the mails to an address in the order in which they were queued, as soon as all have arrived. */
  async function subjects(box: string): Promise<string[]> {
    await running.settle()
    const rows = await query(
      ctx => ctx.sql<{ subject: string }>`select subject from outbound_mail where tenant_id = ${ada.tenantId}
        and ${`${box}@people.test`} = any("to") order by id`,
    )
    await eventually(
      () => arrived(box),
      found => found.length >= rows.length,
    )
    const mails = (await arrived(box)).map(each => each.subject?.replace(/ \[\w+-\d+:\w+\]$/, ''))
    assert.deepEqual(mails.sort(), rows.map(each => each.subject).sort())
    return rows.map(each => each.subject)
  }
  async function arrived(box: string): Promise<ParsedMail[]> {
    const folders = ['new', 'cur'].map(part => join(servers.mail, box, part)).filter(each => existsSync(each))
    const files = folders.flatMap(folder => readdirSync(folder).map(file => join(folder, file)))
    return await Promise.all(files.map(file => simpleParser(readFileSync(file))))
  }
  const textOf = async (box: string, subject: string) =>
    (await arrived(box)).find(each => each.subject === subject)?.text ?? ''

  /** Makes the day of the budget end: what it holds is due. */
  async function nextMorning(who: Person): Promise<void> {
    await running.settle()
    await query(async ctx => {
      await ctx.sql`update mail_day set day = day - 1, digest_due = digest_due - interval '2 days' where tenant_id = ${who.tenantId} and user_id = ${who.id}`
      await ctx.sql`update inbox_entry set mail_due = mail_due - interval '2 days' where tenant_id = ${who.tenantId} and user_id = ${who.id}`
      await ctx.sql`update queued_job set run_at = now() where tenant_id = ${who.tenantId} and lane = ${`inbox-digest key ${who.id}`}`
    })
    await running.settle()
  }
  /** Makes the mail about the inbox due. */
  async function digestNow(who: Person): Promise<void> {
    await running.settle()
    await query(async ctx => {
      await ctx.sql`update inbox_entry set mail_due = least(mail_due, now()) where tenant_id = ${who.tenantId} and user_id = ${who.id} and mail_due < now() + interval '1 hour'`
      await ctx.sql`update queued_job set run_at = now() where tenant_id = ${who.tenantId} and lane = ${`inbox-digest key ${who.id}`}`
    })
    await running.settle()
  }
  const reached = (limit: number) => `You have reached your limit of mails for today: ${limit}`
  const rule = (values: object) =>
    ada.post('/rule', { active: true, container: [desk.id], triggerEvent: triggerEvent['item.created'], ...values })
  const mailTo = (to: string[], subject: string, text = 'Text of {{item.title}}') => ({
    actionType: action.sendMail,
    value: { to, subject, text },
  })

  test('the limit is a setting of the tenant, and users choose another one within bounds', async () => {
    assert.partialDeepStrictEqual(await rita.get('/notification/preference'), { mailsPerDay: null, mailLimit: 30 })
    const setting = await ada.post('/admin/setting', { key: 'notify.mailsPerDay', value: 0 })
    assert.equal((await rita.get('/notification/preference')).mailLimit, 0)
    assert.equal((await rita.get('/notification/noise')).budget, null)
    await ada.put(`/admin/setting/${setting.id}`, { value: 3 })
    assert.equal((await rita.get('/notification/preference')).mailLimit, 3)
    for (const mailsPerDay of [0, -1, 201, 1.5, 'many'])
      assert.partialDeepStrictEqual(await rita.ask('PUT', '/notification/preference', { body: { mailsPerDay } }), {
        status: 400,
        body: { Fields: [{ Field: 'mailsPerDay' }] },
      })
    await sam.put('/notification/preference', { mailsPerDay: 200 })
    const kept = await sam.put('/notification/preference', { digest: digestInterval.none })
    assert.deepEqual([kept.mailsPerDay, kept.mailLimit], [200, 200])
    const back = await sam.put('/notification/preference', { mailsPerDay: null, digest: digestInterval.quarter })
    assert.deepEqual([back.mailsPerDay, back.mailLimit], [null, 3])
    assert.partialDeepStrictEqual((await rita.get('/notification/noise')).budget, { limit: 3, sent: 0, held: 0 })
  })

  test('mails beyond the limit come as one digest in the next morning, each once, and the user is told once', async () => {
    const loud = await rule({
      name: 'Loud',
      actionValue: [mailTo([rita.id, 'sam@people.test'], 'New: {{item.title}}')],
    })
    await sam.put('/notification/preference', { mailsPerDay: 200 })
    const titles = Array.from({ length: 8 }, (_, i) => `Item ${i}`)
    await Promise.all(titles.map(title => ada.post('/item', { title, containerId: desk.id })))
    const sent = await subjects('rita')
    const single = sent.filter(each => each.startsWith('New: '))
    assert.deepEqual([single.length, sent.filter(each => each === reached(3)).length, sent.length], [3, 1, 4])
    assert.equal((await subjects('sam')).length, 8)
    assert.match(await textOf('rita', reached(3)), /one digest tomorrow at 08:00(.|\n)*\/profile(.|\n)*mailsPerDay/)
    const { budget, ...before } = await rita.get('/notification/noise')
    assert.partialDeepStrictEqual(budget, { limit: 3, sent: 3, held: 5 })
    assert.ok(Date.parse(budget.digestAt) > Date.now())
    assert.partialDeepStrictEqual(
      before.sources.find((each: { id: string }) => each.id === loud.id),
      { inbox: 0, mail: 3, held: 5, digested: 0 },
    )
    // What is held is in the inbox at once.
    const held = titles.filter(title => !single.includes(`New: ${title}`))
    const inbox: { title: string }[] = await rita.get('/notification/inbox')
    assert.deepEqual(inbox.map(each => each.title).sort(), held)
    await nextMorning(rita)
    assert.deepEqual((await subjects('rita')).slice(4), ['5 things happened'])
    const digest = await textOf('rita', '5 things happened')
    for (const title of held)
      assert.equal(digest.split(`New: ${title}\nText of ${title}`).length, 2, `${title} in ${digest}`)
    for (const subject of single) assert.ok(!digest.includes(subject))
    const after = await rita.get('/notification/noise')
    assert.partialDeepStrictEqual(
      after.sources.find((each: { id: string }) => each.id === loud.id),
      { inbox: 0, mail: 3, held: 5, digested: 5 },
    )
    assert.partialDeepStrictEqual(after.budget, { sent: 1, held: 0, digestAt: null })
    await nextMorning(rita)
    assert.equal((await subjects('rita')).length, 5)
    await ada.delete(`/rule/${loud.id}`)
  })

  test('a digest contains what its reader may see when it is sent', async () => {
    const uma = await member('Uma', 'bot')
    await uma.put('/notification/preference', { mailsPerDay: 1 })
    const team = await ada.post('/user-group', { name: 'Team', members: [uma.id] })
    const list = await ada.post('/notification', {
      ...{ name: 'List', active: true, container: [quiet.id], interval: interval.daily },
      recipientUserGroup: [team.id],
      format: messageFormat.csv,
    })
    const about = await rule({
      ...{ name: 'About', container: [quiet.id] },
      actionValue: [mailTo([uma.id], 'New: {{item.title}}')],
    })
    for (const title of ['First', 'Plain', 'Vault']) {
      await ada.post('/item', { title, containerId: quiet.id })
      await running.settle()
    }
    await ada.post(`/notification/${list.id}/run`, undefined)
    assert.deepEqual(await subjects('bot'), ['New: First', reached(1)])
    const [run] = await ada.get(`/notification/${list.id}/log`)
    assert.deepEqual([run.sent[0].count, run.sent[0].mailId], [3, ''])
    assert.equal((await uma.get('/notification/noise')).budget.held, 3)
    const [vault] = await ada.get('/item?title=Vault')
    await ada.put(`/item/${vault.id}`, { visibility: itemVisibility.confidential })
    await nextMorning(uma)
    assert.deepEqual((await subjects('bot')).slice(2), ['2 things happened'])
    const [digest] = (await arrived('bot')).filter(each => each.subject === '2 things happened')
    assert.match(digest?.text ?? '', /New: Plain\nText of Plain/)
    assert.match(digest?.text ?? '', /List: 2\nList: 2 records\./)
    const [file] = digest?.attachments ?? []
    assert.match(String(file?.content), /First(.|\r|\n)*Plain/)
    assert.ok(!`${digest?.text} ${digest?.html} ${file?.content}`.includes('Vault'))
    for (const path of [`/rule/${about.id}`, `/notification/${list.id}`]) await ada.delete(path)
  })

  test('mail about the inbox waits, too, but not about a missed target', async () => {
    const ivy = await member('Ivy', 'second')
    await ada.put(`/user/${ivy.id}`, { notifications: true })
    await ivy.put('/notification/preference', { mailsPerDay: 1 })
    const add = async (title: string) => {
      const made = await ada.post('/item', { title, containerId: quiet.id, assignees: [ivy.id] })
      await digestNow(ivy)
      return { id: made.id, name: `${made.key} ${title}` }
    }
    const [one, two, three] = [await add('One'), await add('Two'), await add('Three')]
    assert.deepEqual(await subjects('second'), [one.name, reached(1)])
    assert.deepEqual((await ivy.get('/notification/inbox')).length, 3)
    await database.transaction(tenantCaller(ada.tenantId), ctx =>
      appendEvents(ctx, [{ kind: 'clock.breached', entity: 'Item', recordId: two.id, changes: {} }]),
    )
    await digestNow(ivy)
    assert.deepEqual((await subjects('second')).slice(2), [two.name])
    await nextMorning(ivy)
    assert.deepEqual((await subjects('second')).slice(3), [three.name])
    const { sources } = await ivy.get('/notification/noise')
    assert.partialDeepStrictEqual(
      sources.find((each: { kind: string }) => each.kind === 'digest'),
      { mail: 4, held: 2, digested: 1 },
    )
  })

  test('mails to the requester of an item, and about a missed target, are never held', async () => {
    await sam.put('/notification/preference', { mailsPerDay: 1 })
    const before = (await subjects('sam')).length
    const rules = [
      await rule({ name: 'Thanks', actionValue: [mailTo([sam.id], 'Thanks for {{item.title}}')] }),
      await rule({
        ...{ name: 'Late', triggerEvent: triggerEvent['clock.breached'] },
        actionValue: [mailTo([sam.id], 'Late: {{item.title}}')],
      }),
    ]
    for (const title of ['A', 'B']) {
      const { id } = await ada.post('/item', { title, containerId: desk.id, requesterId: sam.id })
      await running.settle()
      await ada.put(`/item/${id}`, { requesterId: '' })
      await database.transaction(tenantCaller(ada.tenantId), ctx =>
        appendEvents(ctx, [{ kind: 'clock.breached', entity: 'Item', recordId: id, changes: {} }]),
      )
    }
    const sent = (await subjects('sam')).slice(before)
    assert.deepEqual(sent.sort(), ['Late: A', 'Late: B', 'Thanks for A', 'Thanks for B'])
    for (const { id } of rules) await ada.delete(`/rule/${id}`)
  })

  test('several processes together neither exceed the limit nor send a digest twice', async () => {
    const kim = await member('Kim', 'archive')
    await kim.put('/notification/preference', { mailsPerDay: 2 })
    const loud = await rule({ name: 'Many', actionValue: [mailTo([kim.id], 'Many: {{item.title}}')] })
    await Promise.all(Array.from({ length: 12 }, (_, i) => ada.post('/item', { title: `${i}`, containerId: desk.id })))
    const sent = await subjects('archive')
    assert.deepEqual([sent.length, sent.filter(each => each.startsWith('Many')).length], [3, 2])
    // What processes leave behind that die after their work and before they have said so: the same job again, in any lane.
    await query(async ctx => {
      await ctx.sql`update mail_day set digest_due = now() - interval '1 minute' where tenant_id = ${kim.tenantId} and user_id = ${kim.id}`
      await ctx.sql`insert into queued_job (tenant_id, id, task, lane, payload, run_at)
        select ${kim.tenantId}, gen_random_uuid(), 'inbox-digest', 'again ' || n, ${JSON.stringify({ userId: kim.id })}::jsonb, now() from generate_series(1, 8) n returning true`
    })
    assert.deepEqual((await subjects('archive')).slice(3), ['10 things happened'])
    const reader = (await query(ctx => notifiedUsers(ctx, [kim.id]))).get(kim.id)
    assert.ok(reader)
    await query(ctx => ctx.sql`delete from mail_day where tenant_id = ${kim.tenantId} and user_id = ${kim.id}`)
    const taken = await Promise.all(
      Array.from({ length: 12 }, () => database.transaction(tenantCaller(kim.tenantId), ctx => takeMail(ctx, reader))),
    )
    assert.equal(taken.filter(Boolean).length, 2)
    const left = await query(
      ctx => ctx.sql`select 1 from held_message where tenant_id = ${kim.tenantId} and user_id = ${kim.id}`,
    )
    assert.equal(left.length, 0)
    await ada.delete(`/rule/${loud.id}`)
  })
})
