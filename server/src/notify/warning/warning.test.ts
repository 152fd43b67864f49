import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../../../test/support/engines.ts'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { sharedReceiver } from '../../../test/support/servers/receiver.ts'
import { action } from '../../containers/action/action.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { roleCode } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { operator } from '../../language/conditions/operators/operators.ts'
import { newSecret } from '../signature.ts'
import { triggerEvent } from '../trigger-event.ts'
import { warnOfMailboxes } from './mailbox-warnings.ts'

describe('warnings of unattended failures', async () => {
  const there = await sharedReceiver()
  const home = await sharedTestService(there.env)
  const { ada, bob, person, database } = home
  const running = await engines(home, there.env)
  const al = await person({ name: 'Al', email: 'al@example.com', role: roleCode.admin })
  const secret = newSecret()

  const query = async <T>(look: (ctx: Context) => Promise<T>) => await database.single(tenantCaller(ada.tenantId), look)

  interface Mail {
    to: string[]
    subject: string
    text: string
  }
  let counted = 0
  async function mails(): Promise<Mail[]> {
    await running.settle()
    const all = await query(
      ctx =>
        ctx.sql<Mail>`select "to", subject, body_text as text from outbound_mail where tenant_id = ${ada.tenantId} order by id`,
    )
    const fresh = all.slice(counted)
    counted = all.length
    return fresh
  }

  const warnings = async (who: Person, subject: string) => {
    await running.settle()
    const all = await who.get('/notification/inbox')
    return all.filter((each: { subject: string }) => each.subject === subject)
  }

  /** Moves the start of the outage back by the given hours. */
  async function lasts(hookId: string, hours: number): Promise<void> {
    await running.settle()
    await query(async ctx => {
      await ctx.sql`update hook set failing_since = now() - ${hours} * interval '1 hour' where tenant_id = ${ada.tenantId} and id = ${hookId} and failing_since is not null`
      await ctx.sql`update queued_job set run_at = now() where tenant_id = ${ada.tenantId} and lane = ${`hook-outage key ${hookId}`}`
    })
    await running.settle()
  }

  const hook = async (who: Person, values: object = {}) =>
    await who.post('/hook', {
      name: 'Build',
      url: `${there.url}/token-canary`,
      secret,
      events: [triggerEvent['item.created']],
      ...values,
    })

  test('the owner of a hook that fails for a day is warned once, with the last error and the waiting deliveries', async () => {
    there.answer = () => 503
    const { id } = await hook(al)
    await ada.post('/item', { title: 'Unheard' })
    await lasts(id, 23)
    assert.deepEqual([await mails(), await warnings(al, 'Hook')], [[], []])
    await lasts(id, 25)
    const [entry, ...more] = await warnings(al, 'Hook')
    assert.deepEqual([more, entry.subjectId, entry.reason, entry.events], [[], id, 8, ['hook.failing']])
    const [mail, ...others] = await mails()
    assert.deepEqual([others, mail?.to], [[], ['al@example.com']])
    for (const text of [entry.text, mail?.text ?? '']) {
      assert.match(text, /“Build” has failed for a day/)
      assert.match(text, /the address answered 503/)
      assert.match(text, /1 delivery wait/)
      assert.match(text, new RegExp(`/api/hook/${id}/redeliver`))
      assert.doesNotMatch(text, /canary|whsec_|Unheard/)
    }
    await query(
      ctx =>
        ctx.sql`insert into queued_job (tenant_id, lane, id, task, payload) values (${ada.tenantId}, 'again', ${crypto.randomUUID()}, 'hook-outage', ${JSON.stringify({ hookId: id })}::jsonb)`,
    )
    assert.deepEqual([(await mails()).length, (await warnings(ada, 'Hook')).length], [0, 0])
    await al.delete(`/hook/${id}`)
  })

  test('a hook that recovers in time causes no warning, and another outage causes another warning', async () => {
    there.answer = () => 500
    const { id } = await hook(al)
    await ada.post('/item', { title: 'First' })
    await running.settle()
    there.answer = () => 200
    await database.crossTenantSql`update queued_job set run_at = now() where worker is null`
    await running.settle()
    await lasts(id, 30)
    assert.deepEqual(await mails(), [])
    for (const _ of [1, 2]) {
      there.answer = () => 500
      await ada.post('/item', { title: 'Again' })
      await lasts(id, 25)
      assert.equal((await mails()).length, 1)
      await al.put(`/hook/${id}`, { active: true })
    }
    await al.delete(`/hook/${id}`)
  })

  test('the warning of a disabled hook names the cause and the remedy; without an owner it goes to the super admins', async () => {
    there.answer = () => 410
    const { id } = await hook(al)
    await ada.post('/item', { title: 'To nobody' })
    const [mail] = await mails()
    assert.deepEqual(mail?.to, ['al@example.com'])
    assert.match(mail?.subject ?? '', /“Build” is switched off: the address says that it is gone/)
    assert.match(mail?.text ?? '', new RegExp(`PUT http://gantry.localhost/api/hook/${id} {"active": true}`))
    assert.match(mail?.text ?? '', /redeliver {"from": "20/)
    there.answer = () => 500
    const left = await person({ name: 'Lee', email: 'lee@example.com', role: roleCode.admin })
    const theirs = await hook(left)
    await ada.post('/item', { title: 'Before they leave' })
    await running.settle()
    await ada.put(`/user/${left.id}`, { active: false })
    await lasts(theirs.id, 25)
    assert.deepEqual(
      (await mails()).map(each => each.to),
      [['ada@example.com']],
    )
    assert.equal((await warnings(ada, 'Hook'))[0].subjectId, theirs.id)
    for (const each of [id, theirs.id]) await ada.delete(`/hook/${each}`)
  })

  test('one click turns off the mails, and the inbox still shows the warnings', async () => {
    there.answer = () => 410
    const again = async () => {
      const { id } = await hook(al)
      await ada.post('/item', { title: 'Gone' })
      const sent = await mails()
      await ada.delete(`/hook/${id}`)
      return sent
    }
    const [mail] = await again()
    const link = /No more mail about this \(.*\): (\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
    assert.equal((await home.nobody.ask('POST', `/${new URL(link).pathname}`)).status, 200)
    await al.post('/notification/inbox/archive', { all: true })
    assert.deepEqual(await again(), [])
    there.answer = () => 200
  })

  test('the owner of a failing rule is warned once a day, and once more when it is disabled', async () => {
    await al.put('/notification/preference', { events: [] })
    await al.post('/notification/inbox/archive', { all: true })
    const { id } = await al.post('/rule', {
      name: 'Breeder',
      active: true,
      triggerEvent: triggerEvent['item.created'],
      conditionGroup: [{ condition: [{ leftSide: 'title', operator: operator.startsWith, rightSide: 'Breed' }] }],
      actionValue: [{ actionType: action.createItem, value: { title: 'Breed of {{ item.key }}' } }],
    })
    for (let n = 0; n < 5; n++) {
      await ada.post('/item', { title: `Breed ${n}` })
      await running.settle()
    }
    const sent = await mails()
    assert.deepEqual(
      sent.map(each => [each.to[0], /switched off/.test(each.subject)]),
      [
        ['al@example.com', false],
        ['al@example.com', true],
      ],
    )
    assert.match(sent[1]?.text ?? '', /more than 10 rules followed/)
    const [entry] = await warnings(al, 'Rule')
    assert.deepEqual([entry.subjectId, entry.reason, entry.events.toSorted()], [id, 8, ['rule.failed', 'rule.paused']])
    assert.deepEqual(await warnings(bob, 'Rule'), [])
  })

  test('a mailbox that cannot be read for an hour causes one warning', async () => {
    const { id } = await ada.post('/mail/mailbox', { name: 'Support', address: 'support@example.com' })
    await query(
      ctx => ctx.sql`insert into mailbox_state (tenant_id, mailbox_id, failures, last_error, next_try, last_fetch)
        values (${ada.tenantId}, ${id}, 9, 'the password is not accepted', now(), now() - interval '50 minutes')`,
    )
    await query(ctx => ctx.sql`update mailbox set active = true where tenant_id = ${ada.tenantId} and id = ${id}`)
    const look = async (minutes: number) => {
      await warnOfMailboxes(database, () => new Date(Date.now() + minutes * 60_000)).run(AbortSignal.timeout(5000))
      return (await mails()).map(each => [each.to[0], each.subject])
    }
    assert.deepEqual(await look(0), [])
    assert.deepEqual(await look(20), [
      ['ada@example.com', 'The mailbox “Support” (support@example.com) cannot be read'],
    ])
    assert.deepEqual(await look(30), [])
    assert.match((await warnings(ada, 'Mailbox'))[0].text, /the password is not accepted/)
  })
})
