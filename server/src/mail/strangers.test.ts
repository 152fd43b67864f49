import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../test/support/people.ts'
import { action } from '../containers/action/action.ts'
import { containerKind } from '../containers/container-kind.ts'
import { tenantCaller } from '../identity/tenant-caller.ts'
import { notifyForget } from '../kernel/memory.ts'
import { ownerKind } from '../records/references/owner.ts'
import { mailPurpose, mailState } from './outbound-mail/outbound-mail.ts'
import { type MailInput, queueMail } from './queue-mail.ts'

describe('mail to strangers', async () => {
  const { ada, database } = await sharedTestService()

  const send = async (to: string[], more: Partial<MailInput> = {}) =>
    await database.transaction(tenantCaller(ada.tenantId), ctx =>
      queueMail(ctx, {
        to,
        subject: 'News',
        text: 'News',
        auto: true,
        anyAddress: true,
        purpose: mailPurpose.notification,
        ...more,
      }),
    )
  const codes = (found: { path: string; code: string }[]) =>
    found.filter(each => each.code === 'domain-not-allowed').map(each => each.path)

  test('is sent to allowed domains only; users and participants are no strangers', async () => {
    const desk = await ada.post('/container', { name: 'Desk', kind: containerKind.desk })
    const { id: itemId } = await ada.post('/ticket', {
      title: 'Broken',
      containerId: desk.id,
      requester: { email: 'customer@elsewhere.example' },
    })
    assert.equal((await send(['x@elsewhere.example'])).state, mailState.queued)
    await ada.put('/mail/general', { mailRecipientDomains: ['Friends.example'] })
    const kept = await send(['x@elsewhere.example'])
    assert.deepEqual(
      [kept.state, /mail to its domain is not allowed/.test(kept.lastError)],
      [mailState.suppressed, true],
    )
    assert.equal((await send(['x@friends.example'])).state, mailState.queued)
    assert.equal((await send(['x@sub.friends.example'])).state, mailState.queued)
    assert.equal((await send(['x@notfriends.example'])).state, mailState.suppressed)
    assert.equal((await send(['bob@example.com'])).state, mailState.queued)
    assert.equal((await send(['customer@elsewhere.example'])).state, mailState.suppressed)
    assert.equal((await send(['customer@elsewhere.example'], { itemId })).state, mailState.queued)
    const some = await send(['x@elsewhere.example', 'y@friends.example'])
    assert.deepEqual([some.state, some.to], [mailState.queued, ['y@friends.example']])
    // Mail that a user writes is not limited.
    assert.equal((await send(['x@elsewhere.example'], { auto: false, anyAddress: false })).state, mailState.queued)
    assert.equal(
      (await ada.ask('PUT', '/mail/general', { body: { mailRecipientDomains: ['not a domain'] } })).status,
      400,
    )
  })

  test('is reported by findings of the records that name such addresses', async () => {
    const recipientEmail = ['x@friends.example', 'x@elsewhere.example', 'bob@example.com']
    const notification = await ada.post('/notification', { name: 'News', recipientEmail })
    assert.deepEqual(codes(notification.check), ['/recipientEmail/1'])
    const value = { to: ['@requester', 'x@elsewhere.example', '{{ item.title }}'], text: 'Hello' }
    const rule = await ada.post('/rule', { name: 'Mails', actionValue: [{ actionType: action.sendMail, value }] })
    assert.deepEqual(codes(rule.check), ['/actionValue/0/value/to'])
    const { id } = await ada.post('/item', { title: 'Watched' })
    const watch = { owner: ownerKind.item, ownerId: id }
    assert.deepEqual(codes((await ada.post('/watch', { ...watch, email: 'x@elsewhere.example' })).check), ['/email'])
    assert.deepEqual(codes((await ada.post('/watch', { ...watch, email: 'x@friends.example' })).check), [])
    assert.deepEqual(codes((await ada.post('/watch', { ...watch, email: 'bob@example.com' })).check), [])
    const filter = await ada.post('/watch', {
      owner: ownerKind.containerFilter,
      ownerId: (await aFilter()).id,
      email: 'x@friends.example',
    })
    assert.deepEqual(
      filter.check.map((each: { code: string }) => each.code),
      ['not-to-addresses'],
    )
  })

  async function aFilter() {
    const { id } = await ada.post('/container', { name: 'Shelf' })
    return await ada.post(`/container/${id}/filter`, { name: 'All', criteria: {} })
  }

  test('has a daily limit: further mails are stored with the reason, and the super admins are warned once', async () => {
    await ada.put('/mail/general', { mailRecipientDomains: [] })
    await database.single(tenantCaller(ada.tenantId), async ctx => {
      await ctx.sql`update outbound_mail set created = created - interval '25 hours' where tenant_id = ${ada.tenantId}`
      await ctx.sql`update tenant set quotas = '{"strangerMailsPerDay": 3}' where tenant_id = ${ada.tenantId}`
    })
    await notifyForget(ada.tenantId, true)
    assert.equal((await send(['a@x.example', 'b@x.example', 'bob@example.com'])).state, mailState.queued)
    const partly = await send(['c@x.example', 'd@x.example'])
    assert.deepEqual([partly.state, partly.to], [mailState.queued, ['c@x.example']])
    for (const address of ['d@x.example', 'e@x.example']) {
      const held = await send([address])
      assert.deepEqual([held.state, held.to], [mailState.suppressed, [address]])
      assert.match(held.lastError, /the daily limit of 3 mails to external addresses is reached/)
    }
    assert.equal((await send(['bob@example.com'])).state, mailState.queued)
    const warned = (await ada.get('/mail/outbound')).filter((each: { subject: string }) =>
      each.subject.startsWith('No more mail is sent to external addresses'),
    )
    assert.deepEqual(
      warned.map((each: { to: string[] }) => each.to),
      [['ada@example.com']],
    )
    const warnings = (await ada.get('/notification/inbox')).filter(
      (each: { subject: string }) => each.subject === 'Tenant',
    )
    assert.deepEqual([warnings.length, warnings[0].count], [1, 1])
    await database.single(
      tenantCaller(ada.tenantId),
      ctx =>
        ctx.sql`update outbound_mail set created = created - interval '25 hours' where tenant_id = ${ada.tenantId}`,
    )
    assert.equal((await send(['f@x.example'])).state, mailState.queued)
  })
})
