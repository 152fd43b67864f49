import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asOwner } from '../../../test/support/database/database.ts'
import { sharedTestService } from '../../../test/support/people.ts'
import { demandCode } from '../../containers/constraint/constraint.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { annotationKind } from '../../desk/annotation/annotation.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'
import { operator } from '../../language/conditions/conditions.ts'
import { ownerKind } from '../../records/references/owner.ts'

const { ada, bob, eve, person, database, databaseUrl } = await sharedTestService()
const boss = await person({ name: 'Anna', role: roleCode.admin })
const desk = await ada.post('/container', { name: 'Desk', kind: containerKind.desk })
const yard = await ada.post('/container', { name: 'Yard' })

describe('a user who is deactivated', () => {
  async function worker(count: number) {
    const dan = await person({ name: 'Dan' })
    const work = []
    for (let n = 0; n < count; n++)
      work.push(
        await ada.post('/item', {
          title: `Work ${n}`,
          containerId: n % 3 === 0 ? desk.id : yard.id,
          assignees: n % 2 === 0 ? [dan.id] : [bob.id, dan.id],
        }),
      )
    const done = await ada.post('/item', { title: 'Done', containerId: yard.id, assignees: [dan.id] })
    await ada.put(`/item/${done.id}`, { status: 'Done' })
    return { dan, work, done }
  }

  test('has open assignments, which are counted by container and listed in pages', async () => {
    const { dan, work } = await worker(7)
    const first = await bob.ask('GET', `/user/${dan.id}/assignments?limit=4`)
    assert.equal(first.status, 200)
    assert.equal(first.body.total, 7)
    assert.deepEqual(first.body.containers, [
      { containerId: yard.id, name: 'Yard', count: 4 },
      { containerId: desk.id, name: 'Desk', count: 3 },
    ])
    const cursor = first.headers.get('x-next-cursor')
    const second = await bob.get(`/user/${dan.id}/assignments?limit=4&cursor=${cursor}`)
    assert.deepEqual(
      [...first.body.items, ...second.items].map((each: { id: string }) => each.id),
      work.map(each => each.id),
    )
    const rita = await person({ name: 'Rita', role: roleCode.requester, kind: userKind.requester })
    assert.equal((await rita.ask('GET', `/user/${dan.id}/assignments`)).status, 403)
    assert.equal((await eve.ask('GET', `/user/${dan.id}/assignments`)).status, 404)
  })

  test('keeps their assignments if they are only set inactive or deleted, and the reply has their number', async () => {
    const { dan } = await worker(2)
    const off = await ada.ask('PATCH', `/user/${dan.id}`, { body: { active: false } })
    assert.deepEqual([off.status, off.headers.get('open-assignments')], [200, '2'])
    assert.equal(
      (await ada.ask('PATCH', `/user/${dan.id}`, { body: { phone: '1' } })).headers.get('open-assignments'),
      null,
    )
    assert.equal((await ada.ask('DELETE', `/user/${dan.id}`)).headers.get('open-assignments'), '2')
    assert.equal((await ada.get(`/user/${dan.id}/assignments`)).total, 2)
  })

  test('is replaced in open items in one change set, which can be undone', async () => {
    const { dan, work, done } = await worker(3)
    const eva = await person({ name: 'Eva' })
    const answer = await boss.ask('POST', `/user/${dan.id}/deactivate`, { body: { reassignTo: eva.id } })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    assert.deepEqual([answer.body.user.active, answer.body.reassigned, answer.body.openAssignments], [false, 3, 0])
    assert.deepEqual((await ada.get(`/item/${work[0]?.id}`)).assignees, [eva.id])
    assert.deepEqual((await ada.get(`/item/${work[1]?.id}`)).assignees, [bob.id, eva.id])
    assert.deepEqual((await ada.get(`/item/${done.id}`)).assignees, [dan.id])
    assert.equal((await dan.ask('GET', '/user/me')).status, 401)
    const changeSet = answer.headers.get('change-set')
    const { events } = await ada.get(`/change/${changeSet}`)
    assert.deepEqual(events.map((each: { type: string }) => each.type).sort(), [
      'apiKey.deleted',
      'item.updated',
      'item.updated',
      'item.updated',
      'user.updated',
    ])
    await ada.must('POST', `/change/${changeSet}/undo`)
    assert.deepEqual((await ada.get(`/item/${work[0]?.id}`)).assignees, [dan.id])
    assert.equal((await dan.ask('GET', '/user/me')).status, 200)
  })

  test('has no keys after they are reactivated', async () => {
    const { dan } = await worker(1)
    const { openAssignments, reassigned } = await ada.post(`/user/${dan.id}/deactivate`, {})
    assert.deepEqual([reassigned, openAssignments], [0, 1])
    assert.equal((await ada.must('POST', `/user/${dan.id}/reactivate`)).active, true)
    assert.equal((await dan.ask('GET', '/user/me')).status, 401)
    assert.equal((await ada.get(`/user/${dan.id}/assignments`)).total, 1)
  })

  test('is replaced in all items or in none, and the refused items are listed', async () => {
    const { dan, work } = await worker(4)
    const eva = await person({ name: 'Eva' })
    const constraint = await ada.post('/constraint', {
      name: 'Not to Eva',
      owner: ownerKind.container,
      ownerId: desk.id,
      when: [{ condition: [{ leftSide: 'assignees', operator: operator.isNotEmpty, rightSide: eva.id }] }],
      then: [{ kind: demandCode.required, field: 'dueDate' }],
      severity: 0,
    })
    const { status, body } = await ada.ask('POST', `/user/${dan.id}/deactivate`, { body: { reassignTo: eva.id } })
    await ada.delete(`/constraint/${constraint.id}`)
    assert.deepEqual([status, body.code], [422, 'reassignment-refused'])
    assert.deepEqual(body.refused.map((each: { key: string }) => each.key).sort(), [work[0]?.key, work[3]?.key].sort())
    assert.ok(body.refused[0].code && body.refused[0].detail)
    assert.equal((await dan.ask('GET', '/user/me')).status, 200)
    assert.deepEqual((await ada.get(`/item/${work[1]?.id}`)).assignees, [bob.id, dan.id])
  })

  test('cannot be replaced by an unknown user, by themselves or by an inactive user', async () => {
    const { dan } = await worker(1)
    const out = await ada.post('/user', { name: 'Out', active: false })
    const to = (reassignTo: string) => ada.ask('POST', `/user/${dan.id}/deactivate`, { body: { reassignTo } })
    assert.equal((await to(dan.id.toUpperCase())).status, 400)
    assert.equal((await to(eve.id)).body.code, 'unknown-reference')
    assert.equal((await to('nobody')).body.code, 'unknown-reference')
    assert.equal((await to(out.id)).body.code, 'inactive')
    for (const who of [bob, eve])
      assert.equal((await who.ask('POST', `/user/${dan.id}/deactivate`, { body: {} })).status, who === bob ? 403 : 404)
    assert.equal((await boss.ask('POST', `/user/${ada.id}/deactivate`, { body: {} })).status, 403)
    assert.equal((await ada.ask('POST', `/user/${ada.id}/deactivate`, { body: {} })).body.code, 'last-super-admin')
  })
})

describe('a user who is anonymised', () => {
  /** All rows of all tables of the tenant, as text. */
  async function everything(): Promise<string> {
    const tables = await asOwner<{ name: string }>(
      databaseUrl,
      undefined,
      `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`,
    )
    const texts: string[] = []
    for (const { name } of tables) {
      const rows = await asOwner<{ text: string }>(
        databaseUrl,
        undefined,
        `select row_to_json(t)::text as text from "${name}" t`,
      )
      texts.push(...rows.map(({ text }) => `${name} ${text}`))
    }
    return texts.join('\n')
  }

  test('leaves no address and no name in any table, but all their work', async () => {
    const [oldAddress, address, name] = ['quintus.old@forget.example', 'Quintus.O@forget.example', 'Quintus Oblivius']
    const quintus = await person({
      name,
      email: oldAddress,
      phone: '+44 7700 900123',
      login: 'quintuslogin',
      externalId: 'quintusExternal',
      initials: 'Q§X', // no part of a random text, as three letters may be
    })
    await ada.put(`/user/${quintus.id}`, {
      email: address,
      skills: ['quintusSkill'],
      absence: [{ from: '2026-01-01', to: '2026-01-02', kind: 1, note: 'quintusFlu' }],
    })
    await ada.must('PUT', `/user/${quintus.id}/identity`, {
      body: { issuer: 'https://login.example.com', subject: 'quintusSubject' },
    })
    const ticket = await ada.post('/ticket', {
      title: 'Screen',
      containerId: desk.id,
      requester: { email: address.toUpperCase(), name, phone: '+44 7700 900123' },
      cc: ['other@example.com', oldAddress],
    })
    await ada.put(`/ticket/${ticket.id}`, { cc: ['other@example.com', address, `not${address}`] })
    const mail = {
      to: [address, 'other@example.com'],
      headers: { from: `${name} <${oldAddress}>`, list: [address], 'message-id': '<1@example.com>' },
    }
    const said = await ada.post('/annotation', { itemId: ticket.id, kind: annotationKind.note, body: 'Received', mail })
    await ada.post('/watch', { owner: ownerKind.container, ownerId: desk.id, email: address })
    const crm = await ada.post('/finance/crm', {
      name: 'Forum',
      contacts: [
        { name, email: address, phone: '+44 7700 900123' },
        { name: 'Livia', email: 'livia@example.com' },
      ],
    })
    const letter = await quintus.post('/docs/doc', { name: 'Letter' })
    const notification = await ada.post('/notification', {
      name: 'Weekly',
      recipientEmail: [address, 'other@example.com'],
    })
    const imported = await ada.post('/item', { title: 'Imported', reporter: { email: address, name } })
    const foreign = await bob.post('/docs/doc', { name: 'Speech', author: name })
    const named = await ada.post('/item', {
      title: 'Named',
      Reporter: name,
      Meta: { team: ['Livia', name.toUpperCase()] },
    })
    await ada.post('/user', { name: 'Livia' })
    await quintus.ask('POST', '/item', { body: { title: 'Mine' }, headers: { 'idempotency-key': 'q1' } })
    await ada.ask('POST', '/user', { body: { name: 'x' }, headers: { 'idempotency-key': 'q2' } })
    assert.ok((await everything()).toLowerCase().includes(address.toLowerCase()))

    const { status, body, headers } = await ada.ask('POST', `/user/${quintus.id}/anonymise`)
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(
      [body.name, body.email, body.phone, body.login, body.initials, body.externalId, body.active, body.anonymised],
      [`Anonymous ${quintus.id.slice(-6)}`, '', '', '', '', '', false, true],
    )
    assert.equal((await quintus.ask('GET', '/user/me')).status, 401)

    // The digits of a number may occur in an id by chance.
    const left = (await everything())
      .replaceAll(`not${address}`, '')
      .replaceAll(/[0-9a-f-]{32,}/g, '')
      .split('\n')
    for (const trace of [
      address,
      oldAddress,
      name,
      'Oblivius',
      '900123',
      'quintuslogin',
      'quintusExternal',
      'quintusSubject',
      'quintusSkill',
      'quintusFlu',
      'Q§X',
    ])
      assert.deepEqual(
        left.filter(line => line.toLowerCase().includes(trace.toLowerCase())).map(line => line.slice(0, 300)),
        [],
        trace,
      )

    const after = await ada.get(`/ticket/${ticket.id}`)
    assert.deepEqual(after.cc, ['other@example.com', `not${address}`])
    assert.equal(after.title, 'Screen')
    assert.deepEqual((await ada.get(`/annotation/${said.id}`)).mail.to, ['other@example.com'])
    assert.equal((await ada.get(`/annotation/${said.id}`)).mail.headers['message-id'], '<1@example.com>')
    assert.deepEqual((await ada.get(`/notification/${notification.id}`)).recipientEmail, ['other@example.com'])
    const contacts = (await ada.get(`/finance/crm/${crm.id}`)).contacts
    assert.deepEqual(
      contacts.map((each: { name: string; email: string }) => [each.name, each.email]),
      [
        [body.name, ''],
        ['Livia', 'livia@example.com'],
      ],
    )
    assert.equal((await ada.get(`/docs/doc/${letter.id}`)).author, body.name)
    assert.equal((await ada.get(`/docs/doc/${letter.id}`)).createdBy, quintus.id)
    assert.equal((await ada.get(`/docs/doc/${foreign.id}`)).author, body.name)
    assert.deepEqual((await ada.get(`/item/${named.id}`)).Meta, { Reporter: body.name, team: ['Livia', body.name] })
    assert.equal((await ada.get(`/item/${imported.id}`)).title, 'Imported')
    assert.equal((await ada.get(`/user/${quintus.id}/history`)).length, 3)

    const undo = await ada.ask('POST', `/change/${headers.get('change-set')}/undo`)
    assert.deepEqual([undo.status, undo.body.code], [422, 'anonymised'])
    const again = await ada.must('POST', `/user/${quintus.id}/anonymise`)
    assert.equal(again.version, body.version)
    for (const change of [{ name: 'Quintus' }, { active: true }])
      assert.equal((await ada.ask('PUT', `/user/${quintus.id}`, { body: change })).body.code, 'anonymised')
    assert.equal((await ada.ask('POST', `/user/${quintus.id}/reactivate`)).body.code, 'anonymised')
    assert.equal(
      (await ada.ask('POST', `/user/${quintus.id}/password`, { body: { password: 'a long new password' } })).status,
      422,
    )
    assert.equal(
      (
        await ada.ask('PUT', `/user/${quintus.id}/identity`, {
          body: { issuer: 'https://login.example.com', subject: 'new' },
        })
      ).status,
      422,
    )
  })

  test('can only be anonymised by super admins, is not the last of them, and may be deleted already', async () => {
    const dan = await person({ name: 'Dan Deleted', email: 'dan.deleted@forget.example' })
    for (const who of [bob, boss]) assert.equal((await who.ask('POST', `/user/${dan.id}/anonymise`)).status, 403)
    assert.equal((await eve.ask('POST', `/user/${dan.id}/anonymise`)).status, 404)
    assert.equal((await ada.ask('POST', `/user/${ada.id}/anonymise`)).body.code, 'last-super-admin')
    await ada.delete(`/user/${dan.id}`)
    await ada.must('POST', `/user/${dan.id}/anonymise`)
    assert.ok(!(await everything()).includes('Dan Deleted'))
  })

  test('can be removed from the event log only after they were anonymised, which the database enforces', async () => {
    const dora = await ada.post('/user', { name: 'Dora', email: 'dora@forget.example' })
    for (const tenantId of [ada.tenantId, eve.tenantId])
      await assert.rejects(
        database.single(tenantCaller(tenantId), ctx => ctx.sql`select forget_in_log(${dora.id}::uuid)`),
        /nobody is forgotten who was not anonymised/,
      )
    await assert.rejects(
      database.single(
        tenantCaller(ada.tenantId),
        ctx => ctx.sql`update event set changes = '{}' where tenant_id = ${ada.tenantId}`,
      ),
      /permission denied/,
    )
  })

  test('does not affect a user of another tenant with the same address', async () => {
    const shared = 'shared@forget.example'
    const here = await ada.post('/user', { name: 'Here', email: shared })
    const there = await eve.post('/user', { name: 'There', email: shared })
    await ada.must('POST', `/user/${here.id}/anonymise`)
    assert.equal((await eve.get(`/user/${there.id}`)).email, shared)
    assert.match(JSON.stringify(await eve.get(`/user/${there.id}/history`)), /shared@forget/)
  })
})
