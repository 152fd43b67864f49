import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../../../test/support/engines.ts'
import { sharedTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { watchLevel } from '../../desk/watch/watch-codes.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { itemVisibility } from '../../items/item/item.ts'
import { roleCode } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { composeMail } from '../../mail/outbound-mail/compose-mail.ts'
import { outboundMails } from '../../mail/outbound-mail/outbound-mail.ts'
import { ownerKind } from '../../records/references/owner.ts'

describe('watching addresses', async () => {
  const home = await sharedTestService()
  const { ada, bob, nobody, person, database } = home
  const running = await engines(home)
  const desk = await ada.post('/container', { name: 'Desk', kind: containerKind.desk })
  const guest = 'guest@outside.example'

  const query = async <T>(look: (ctx: Context) => Promise<T>) => await database.single(tenantCaller(ada.tenantId), look)
  const item = async (values: object = {}) =>
    await ada.post('/item', { title: 'Cable', containerId: desk.id, ...values })
  const watch = async (ownerId: string, values: object = {}) =>
    await ada.post('/watch', { owner: ownerKind.item, ownerId, email: guest, ...values })
  const say = async (itemId: string, body: string, kind = 1, more: object = {}) =>
    await ada.post('/annotation', { itemId, kind, body, ...more })

  interface Mail {
    id: string
    to: string[]
    subject: string
    text: string
    state: number
  }
  let counted = 0
  /** Returns the mails to the guest queued since the last call, after 15 minutes have passed. */
  async function later(minutes = 16): Promise<Mail[]> {
    await running.settle()
    await query(async ctx => {
      await ctx.sql`update watch_news set at = at - ${minutes} * interval '1 minute' where tenant_id = ${ada.tenantId}`
      await ctx.sql`update annotation set created = created - ${minutes} * interval '1 minute' where tenant_id = ${ada.tenantId}`
      await ctx.sql`update queued_job set run_at = now() where tenant_id = ${ada.tenantId} and task = 'watch-mail'`
    })
    await running.settle()
    const all = await query(
      ctx => ctx.sql<Mail>`select id, "to", subject, body_text as text, state from outbound_mail
        where tenant_id = ${ada.tenantId} and purpose = 4 and "to" = ${[guest]}::text[] order by id`,
    )
    const fresh = all.slice(counted)
    counted = all.length
    return fresh
  }

  test('receive public comments and the status in one mail, and nothing else', async () => {
    const { id, key } = await item()
    await watch(id)
    await say(id, 'We are on it')
    await say(id, 'Our own doubts', 0)
    await say(id, 'For some of us', 1, { restrictedTo: [(await ada.post('/user-group', { name: 'Some' })).id] })
    await ada.put(`/item/${id}`, { status: 'In progress', priority: 1, description: 'Inner words' })
    assert.deepEqual(await later(14), [])
    const [mail, ...more] = await later(2)
    assert.deepEqual([more, mail?.to, mail?.subject], [[], [guest], `${key} Cable`])
    assert.match(mail?.text ?? '', /We are on it/)
    assert.match(mail?.text ?? '', /Status: In progress/)
    assert.doesNotMatch(mail?.text ?? '', /doubts|For some|Inner words/)
    await ada.put(`/item/${id}`, { priority: 2 })
    assert.deepEqual(await later(), [])
    const { id: watchId } = await watch(id)
    await say(id, 'Silenced by then')
    await running.settle()
    await ada.put(`/watch/${watchId}`, { until: '2999-01-01T00:00:00Z' })
    assert.deepEqual(await later(), [])
  })

  test('receive nothing that is restricted or deleted by then, nor what the creator of the watch may not see', async () => {
    const boss = await person({ name: 'Boss', email: 'boss@example.com', role: roleCode.manager })
    const { id } = await item()
    await boss.post('/watch', { owner: ownerKind.item, ownerId: id, email: guest })
    const said = await say(id, 'Taken back')
    await running.settle()
    await ada.delete(`/annotation/${said.id}`)
    assert.deepEqual(await later(), [])
    await say(id, 'Then it is confidential')
    await running.settle()
    await ada.put(`/item/${id}`, { visibility: itemVisibility.confidential })
    assert.deepEqual(await later(), [])
    await ada.put(`/item/${id}`, { visibility: itemVisibility.restricted })
    await say(id, 'Restricted')
    assert.deepEqual(await later(), [])
    await ada.put(`/item/${id}`, { visibility: itemVisibility.normal })
    await say(id, 'Open again')
    await running.settle()
    await ada.put(`/user/${boss.id}`, { active: false })
    assert.deepEqual(await later(), [])
    await ada.put(`/user/${boss.id}`, { active: true })
    await say(id, 'And seen')
    assert.equal((await later()).length, 1)
    // The creator of the watch sees the item, but it is not for outsiders.
    const restricted = await item({ visibility: itemVisibility.restricted })
    await watch(restricted.id)
    await say(restricted.id, 'Among us')
    assert.deepEqual(await later(), [])
  })

  test('receive no second mail about a reply that was mailed to them, nor one besides the notice to their user', async () => {
    const ticket = await ada.post('/ticket', {
      title: 'Broken',
      containerId: desk.id,
      requester: { email: 'customer@outside.example', name: 'Customer' },
      cc: [guest],
    })
    await watch(ticket.id)
    await ada.post('/mail/mailbox', { name: 'Support', address: 'support@example.com', containerId: desk.id })
    await running.settle()
    await say(ticket.id, 'Mailed to all in copy')
    await running.settle()
    assert.deepEqual(await later(), [])
    await ada.put(`/item/${ticket.id}`, { status: 'Waiting' })
    const [mail] = await later()
    assert.doesNotMatch(mail?.text ?? '', /Mailed to all/)
    assert.match(mail?.text ?? '', /Status: Waiting/)
    const { id } = await item({ assignees: [bob.id] })
    await watch(id, { email: 'BOB@example.com' })
    await say(id, 'Bob hears of it in his inbox')
    await running.settle()
    assert.equal((await query(ctx => ctx.sql`select 1 from watch_news where tenant_id = ${ada.tenantId}`)).length, 0)
  })

  test('do not receive their own comments', async () => {
    const { id } = await item()
    const other = 'other@outside.example'
    await watch(id)
    await watch(id, { email: other })
    const mailbox = await ada.post('/mail/mailbox', { name: 'In', address: 'in@example.com' })
    const said = await say(id, 'From the guest', 2)
    await query(
      ctx => ctx.sql`insert into mail_message (tenant_id, id, created, created_by, updated, updated_by, mailbox_id, sender, item_id, annotation_id, sha256)
        values (${ada.tenantId}, ${crypto.randomUUID()}, now(), ${ada.id}, now(), ${ada.id}, ${mailbox.id}, ${'Guest@outside.example'}, ${id}, ${said.id}, '')`,
    )
    assert.deepEqual(await later(), [])
    const theirs = await query(
      ctx =>
        ctx.sql`select 1 from outbound_mail where tenant_id = ${ada.tenantId} and "to" = ${[other]}::text[] and body_text like '%From the guest%'`,
    )
    assert.equal(theirs.length, 1)
  })

  test('one-click unsubscribe removes the watch, and the headers mark the mail as automatic', async () => {
    const { id } = await item()
    const made = await watch(id)
    await say(id, 'Hello')
    const [mail] = await later()
    const { mail: written } = await database.transaction(
      tenantCaller(ada.tenantId),
      async ctx => await composeMail(ctx, await outboundMails.get(ctx, mail?.id ?? '')),
    )
    const headers = written.headers as Record<string, string>
    assert.equal(headers['Auto-Submitted'], 'auto-generated')
    assert.equal(headers['List-Unsubscribe-Post'], 'List-Unsubscribe=One-Click')
    const link = (headers['List-Unsubscribe'] ?? '').slice(1, -1)
    assert.equal((await nobody.ask('GET', `/${new URL(link).pathname}`)).status, 200)
    assert.equal((await ada.get(`/watch/${made.id}`)).id, made.id)
    assert.equal((await nobody.ask('POST', `/${new URL(link).pathname}`)).status, 200)
    assert.equal((await ada.ask('GET', `/watch/${made.id}`)).status, 404)
    await say(id, 'Nobody hears')
    assert.deepEqual(await later(), [])
  })

  test('receive nothing after a bounce, and can watch a container like an item', async () => {
    const shelf = await ada.post('/container', { name: 'Shelf' })
    await ada.post('/watch', { owner: ownerKind.container, ownerId: shelf.id, email: guest, level: watchLevel.status })
    const one = await ada.post('/item', { title: 'One', containerId: shelf.id })
    const two = await ada.post('/item', { title: 'Two', containerId: shelf.id })
    for (const { id } of [one, two]) {
      await say(id, 'Only the status is wanted')
      await ada.put(`/item/${id}`, { status: 'Done' })
    }
    const [mail, ...more] = await later()
    assert.deepEqual([more, mail?.subject], [[], 'News of 2 items'])
    assert.doesNotMatch(mail?.text ?? '', /Only the status/)
    await ada.post('/mail/suppression', { address: guest, reason: 'came back' })
    await ada.put(`/item/${one.id}`, { status: 'Open' })
    assert.deepEqual(
      (await later()).map(each => each.state),
      [4],
    )
  })
})
