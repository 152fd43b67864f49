import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../../../test/support/engines.ts'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { watchLevel } from '../../desk/watch/watch-codes.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { itemVisibility } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'
import { composeMail } from '../../mail/outbound-mail/compose-mail.ts'
import { outboundMails } from '../../mail/outbound-mail/outbound-mail.ts'
import { channelsFor } from '../preference/channels.ts'
import { digestInterval } from '../preference/preference.ts'

describe('digest mails', async () => {
  const home = await sharedTestService()
  const { ada, bob, nobody, database } = home
  const running = await engines(home)
  const desk = await ada.post('/container', { name: 'Desk' })
  await ada.put(`/user/${bob.id}`, { notifications: true })

  const query = async <T>(look: (ctx: Context) => Promise<T>) => await database.single(tenantCaller(ada.tenantId), look)
  const item = async (values: object = {}) =>
    await ada.post('/item', { title: 'Cable', containerId: desk.id, assignees: [bob.id], ...values })

  interface Mail {
    to: string[]
    subject: string
    text: string
    list: { topic: string }
  }
  let counted = 0

  /** Returns the mails queued since the last call. */
  async function mails(): Promise<Mail[]> {
    await running.settle()
    const all = await query(
      ctx =>
        ctx.sql<Mail>`select "to", subject, body_text as text, list from outbound_mail where tenant_id = ${ada.tenantId} order by id`,
    )
    const fresh = all.slice(counted)
    counted = all.length
    return fresh
  }

  /** Moves the due time of a user’s mail into the past. */
  async function wait(who: Person, minutes: number): Promise<void> {
    await running.settle()
    await query(async ctx => {
      await ctx.sql`update inbox_entry set mail_due = mail_due - ${minutes} * interval '1 minute' where tenant_id = ${ada.tenantId} and user_id = ${who.id}`
      await ctx.sql`update queued_job set run_at = now() where tenant_id = ${ada.tenantId} and lane = ${`inbox-digest key ${who.id}`}`
    })
    await running.settle()
  }

  test('events within 15 minutes are sent as one mail that names the reasons', async () => {
    const first = await item()
    await item({ title: 'Plug' })
    await ada.put(`/item/${first.id}`, { priority: 1 })
    await wait(bob, 14)
    assert.deepEqual(await mails(), [])
    await wait(bob, 2)
    const [mail, ...more] = await mails()
    assert.deepEqual(
      [more, mail?.to, mail?.subject, mail?.list.topic],
      [[], ['bob@example.com'], '2 things happened', 'inbox'],
    )
    for (const part of [
      'Cable',
      'Plug',
      'Item assigned',
      'You get this because you are assigned to it.',
      'No more mail about',
    ])
      assert.ok(mail?.text.includes(part), part)
    await wait(bob, 60)
    assert.deepEqual(await mails(), [])
  })

  test('an entry that was read in the application is not mailed', async () => {
    await item()
    await running.settle()
    await bob.post('/notification/inbox/read', { all: true })
    await wait(bob, 16)
    assert.deepEqual(await mails(), [])
  })

  test('an entry about an item that the user may no longer see is not mailed', async () => {
    const { id } = await item({ assignees: [] })
    await bob.put(`/item/${id}/watch`, { level: watchLevel.all })
    await ada.put(`/item/${id}`, { priority: 1 })
    await running.settle()
    await ada.put(`/item/${id}`, { visibility: itemVisibility.confidential })
    await wait(bob, 16)
    assert.deepEqual(await mails(), [])
  })

  test('a link turns off mail about these events in that container only', async () => {
    const { id } = await item()
    await wait(bob, 16)
    const [mail] = await mails()
    const link = /No more mail about this \(.*\): (\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
    const path = `/${new URL(link).pathname}`
    assert.equal((await nobody.ask('GET', path)).status, 200)
    assert.deepEqual((await bob.get('/notification/preference')).events, [])
    assert.equal((await nobody.ask('POST', path)).status, 200)
    const off = { containerId: desk.id, inbox: true, mail: false }
    assert.deepEqual((await bob.get('/notification/preference')).events, [
      { event: 'item.created', ...off },
      { event: 'item.assigned', ...off },
    ])
    await bob.post('/notification/inbox/archive', { all: true })
    await item({ title: 'Silent' })
    await wait(bob, 16)
    assert.deepEqual(await mails(), [])
    assert.equal((await bob.get('/notification/inbox'))[0].title, 'Silent')
    await ada.put(`/item/${id}`, { status: 'Done' })
    await wait(bob, 16)
    assert.equal((await mails()).length, 1)
  })

  test('no mail is sent outside of working hours, nor to users without digest or with mail turned off', async () => {
    const today = new Date().getUTCDay() || 7
    const other = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'][(today + 1) % 7]
    await bob.put('/notification/preference', { events: [] })
    await ada.put(`/user/${bob.id}`, { workingHours: `${other} 09:00-17:00`, timezone: 'UTC' })
    await item()
    await wait(bob, 16)
    assert.deepEqual(await mails(), [])
    await bob.put('/notification/preference', { quietHours: false })
    await wait(bob, 16)
    assert.equal((await mails()).length, 1)
    await bob.put('/notification/preference', { digest: digestInterval.none })
    await item()
    await wait(bob, 16)
    assert.deepEqual(await mails(), [])
    await bob.put('/notification/preference', { digest: digestInterval.quarter })
    await ada.put(`/user/${bob.id}`, { notifications: false })
    await item()
    await wait(bob, 16)
    assert.deepEqual(await mails(), [])
  })

  test('one-click unsubscribe by the mail header turns off all digests', async () => {
    await ada.put(`/user/${bob.id}`, { notifications: true, workingHours: '' })
    await item()
    await wait(bob, 16)
    assert.equal((await mails()).length, 1)
    const { mail } = await database.single(tenantCaller(ada.tenantId), async ctx => {
      const [last] = await ctx.sql<{
        id: string
      }>`select id from outbound_mail where tenant_id = ${ada.tenantId} order by id desc limit 1`
      return await composeMail(ctx, await outboundMails.get(ctx, last?.id ?? ''))
    })
    const headers = mail.headers as Record<string, string>
    assert.match(headers['List-Id'] ?? '', /^<inbox\./)
    assert.equal(headers['List-Unsubscribe-Post'], 'List-Unsubscribe=One-Click')
    const link = (headers['List-Unsubscribe'] ?? '').slice(1, -1)
    const answer = await nobody.ask('POST', `/${new URL(link).pathname}`, {
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    assert.equal(answer.status, 200)
    assert.equal((await bob.get('/notification/preference')).digest, digestInterval.none)
  })
})

test('a choice for a container precedes a general one, one for an event precedes *, and one wanted name is enough', () => {
  const choices = [
    { event: '*', containerId: '', inbox: true, mail: false },
    { event: 'item.assigned', containerId: '', inbox: true, mail: true },
    { event: '*', containerId: 'c', inbox: false, mail: false },
  ]
  const way = (names: string[], place = '') => Object.values(channelsFor(choices, names, place))
  assert.deepEqual(way(['item.updated']), [true, false])
  assert.deepEqual(way(['item.created', 'item.assigned']), [true, true])
  assert.deepEqual(way(['item.assigned'], 'c'), [false, false])
  assert.deepEqual(Object.values(channelsFor([], ['item.updated'], '')), [true, true])
})
