import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asOwner } from '../../../test/support/database/database.ts'
import { startTestService } from '../../../test/support/people.ts'
import { roleCode } from '../../kernel/access.ts'
import { newId } from '../../kernel/id.ts'
import { scopes } from '../../platform/setting.ts'

const { ada, bob, eve, databaseUrl, happened, person } = await startTestService()
const desk = await ada.post('/container', { name: 'Desk' })
const path = '/admin/setting'

describe('a setting', () => {
  test('accepts any JSON value', async () => {
    for (const [i, value] of [
      'text',
      12.5,
      true,
      false,
      null,
      ['a', { b: [1] }],
      { deep: { er: null } },
      '',
    ].entries()) {
      const made = await ada.post(path, { key: `any.json${i}`, value, description: 'What it means' })
      assert.deepEqual((await ada.get(`${path}/${made.id}`)).value, value)
    }
    assert.equal((await ada.post(path, { key: 'bare' })).value, null)
  })

  test('has at most 64 kB', async () => {
    assert.equal((await ada.ask('POST', path, { body: { key: 'large', value: 'x'.repeat(65_534) } })).status, 201)
    const { status, body } = await ada.ask('POST', path, { body: { key: 'larger', value: 'x'.repeat(65_535) } })
    assert.equal(status, 400)
    assert.equal(body.Fields[0].Field, 'value')
    assert.ok(!JSON.stringify(body).includes('xxx'))
  })

  test('has a key of words and dots that is unique for each owner', async () => {
    for (const key of ['', ' ', 'a b', '.a', 'a.', 'a..b', '1a', 'ä', 'x'.repeat(121)])
      assert.equal((await ada.ask('POST', path, { body: { key } })).status, 400, key)
    assert.equal((await ada.ask('POST', path, { body: { value: 1 } })).status, 400)
    await ada.post(path, { key: 'mail.from-name', value: 1 })
    for (const again of [{}, { ownerId: ada.tenantId }]) {
      const { status, body } = await ada.ask('POST', path, { body: { key: 'mail.from-name', ...again } })
      assert.equal(status, 422)
      assert.equal(body.Fields[0].Field, 'key')
    }
    assert.equal(
      (await ada.ask('POST', path, { body: { key: 'mail.from-name', scope: scopes.container, ownerId: desk.id } }))
        .status,
      201,
    )
    assert.equal((await ada.ask('POST', path, { body: { key: 'mail.from-name', scope: scopes.user } })).status, 201)
    assert.equal((await eve.ask('POST', path, { body: { key: 'mail.from-name' } })).status, 201)
  })

  test('belongs to an existing owner, and never to the operator', async () => {
    for (const input of [
      { scope: scopes.container, ownerId: newId() },
      { scope: scopes.container },
      { scope: scopes.user, ownerId: eve.id },
      { scope: scopes.tenant, ownerId: desk.id },
    ]) {
      const { status, body } = await ada.ask('POST', path, { body: { key: 'lost', ...input } })
      assert.equal(status, 422, JSON.stringify(input))
      assert.equal(body.Fields[0].Field, 'ownerId')
    }
    const { status, body } = await ada.ask('POST', path, { body: { key: 'lost', scope: scopes.operator } })
    assert.equal(status, 422)
    assert.equal(body.code, 'operator-scope')
    const odd = await ada.post(path, { key: 'odd', scope: 77, ownerId: 'x' })
    assert.deepEqual([odd.scope, odd.check[0].code], [77, 'unknown-code'])
  })

  test('falls back to the default when it is deleted; a missing one is a 404', async () => {
    const { id } = await ada.post(path, { key: 'fleeting', value: 1 })
    assert.equal((await ada.ask('DELETE', `${path}/${id}`)).status, 204)
    assert.equal((await ada.ask('DELETE', `${path}/${id}`)).status, 404)
    assert.equal((await ada.ask('DELETE', `${path}/${newId()}`)).status, 404)
    assert.equal((await ada.ask('DELETE', `${path}/none`)).status, 404)
    const again = await ada.post(path, { key: 'fleeting', value: 2 })
    assert.equal((await eve.ask('DELETE', `${path}/${again.id}`)).status, 404)
    assert.equal((await ada.get(`${path}/effective?key=fleeting`)).value, 2)
    assert.equal((await ada.ask('POST', `${path}/${id}/restore`)).status, 422)
  })
})

describe('settings of others', () => {
  test('are changed by admins, and users change their own', async () => {
    const guest = await person({ name: 'Greg', role: roleCode.requester })
    const boss = await person({ name: 'Anna', role: roleCode.admin })
    const tenants = await boss.must('POST', path, { body: { key: 'tenant.wide', value: 1 } })
    for (const someone of [bob, guest]) {
      assert.equal((await someone.ask('POST', path, { body: { key: 'mine.not' } })).status, 403)
      assert.equal(
        (await someone.ask('POST', path, { body: { key: 'mine.not', scope: scopes.container, ownerId: desk.id } }))
          .status,
        403,
      )
      assert.equal(
        (await someone.ask('POST', path, { body: { key: 'mine.not', scope: scopes.user, ownerId: ada.id } })).status,
        403,
      )
      assert.equal((await someone.ask('GET', `${path}/${tenants.id}`)).status, 404)
      assert.equal((await someone.ask('DELETE', `${path}/${tenants.id}`)).status, 404)
      const own = await someone.must('POST', path, { body: { key: 'mine', value: 'dark', scope: scopes.user } })
      assert.equal(own.ownerId, someone.id)
      assert.deepEqual(
        (await someone.get(path)).map((each: { id: string }) => each.id),
        [own.id],
      )
      assert.equal((await someone.ask('PUT', `${path}/${own.id}`, { body: { scope: scopes.tenant } })).status, 403)
      assert.equal((await someone.ask('PUT', `${path}/${own.id}`, { body: { ownerId: ada.id } })).status, 403)
      assert.equal((await someone.ask('PUT', `${path}/${own.id}`, { body: { value: 'light' } })).body.value, 'light')
      assert.equal((await boss.ask('PUT', `${path}/${own.id}`, { body: { value: 'dim' } })).body.value, 'dim')
      assert.equal((await someone.ask('DELETE', `${path}/${own.id}`)).status, 204)
    }
  })
})

describe('the effective setting', () => {
  test('is that of the user, else of the container, else of the tenant, else none', async () => {
    const at = (more = '') => ada.get(`${path}/effective?key=ui.theme${more}`)
    assert.deepEqual(await at(), { key: 'ui.theme', value: null, secret: false, source: 'default', provenance: [] })
    const tenants = await ada.post(path, { key: 'ui.theme', value: 'grey' })
    await ada.post(path, { key: 'ui.theme', value: 'green', scope: scopes.container, ownerId: desk.id.toUpperCase() })
    await bob.post(path, { key: 'ui.theme', value: 'black', scope: scopes.user })
    assert.deepEqual(await at(), {
      key: 'ui.theme',
      value: 'grey',
      secret: false,
      source: 'tenant',
      provenance: [{ source: 'tenant', id: tenants.id, ownerId: '', value: 'grey', secret: false }],
    })
    const answer = async (more: string) => {
      const { value, source, provenance } = await at(more)
      return [value, source, provenance.map((each: { source: string }) => each.source).join()]
    }
    assert.deepEqual(await answer(`&containerId=${desk.id}`), ['green', 'container', 'container,tenant'])
    assert.deepEqual(await answer(`&containerId=${desk.id}&userId=${bob.id}`), [
      'black',
      'user',
      'user,container,tenant',
    ])
    assert.deepEqual((await bob.get(`${path}/effective?key=ui.theme&containerId=${desk.id}`)).value, 'black')
    await ada.delete(`${path}/${tenants.id}`)
    assert.deepEqual(await answer(''), [null, 'default', ''])
  })

  test('is visible to staff, and for other users only to admins', async () => {
    const guest = await person({ name: 'Gwen', role: roleCode.requester })
    assert.equal((await bob.ask('GET', `${path}/effective?key=a&userId=${ada.id}`)).status, 403)
    assert.equal((await bob.ask('GET', `${path}/effective?key=a&userId=@me`)).status, 403)
    assert.equal((await guest.ask('GET', `${path}/effective?key=a`)).status, 403)
    assert.equal((await ada.ask('GET', `${path}/effective?key=a&userId=${eve.id}`)).status, 422)
    assert.equal((await ada.ask('GET', `${path}/effective?key=a&containerId=${newId()}`)).status, 422)
    const all = await bob.get(`${path}/effective`)
    assert.ok(
      all.some((each: { key: string; source: string }) => each.key === 'watch.auto' && each.source === 'default'),
    )
  })
})

describe('a registered setting', () => {
  test('has a type, a default and a list of scopes', async () => {
    const all = await bob.get(`${path}/registry`)
    const found = all.find((each: { key: string }) => each.key === 'ticket.reopenDays')
    assert.deepEqual([found.type, found.default, found.scopes, found.requiresRestart], ['number', 7, [0, 1, 3], false])
  })

  test('accepts only valid values', async () => {
    for (const [body, field] of [
      [{ key: 'ticket.reopenDays', value: 'soon' }, 'value'],
      [{ key: 'ticket.reopenDays', value: -1 }, 'value'],
      [{ key: 'ticket.reopenDays', value: 3, scope: scopes.user }, 'scope'],
      [{ key: 'watch.auto', value: ['nobody'] }, 'value.0'],
    ] as const) {
      const answer = await ada.ask('POST', path, { body })
      assert.deepEqual([answer.status, answer.body.Fields?.[0].Field], [400, field], JSON.stringify(body))
    }
    const made = await ada.post(path, { key: 'ticket.reopenDays', value: 3 })
    assert.deepEqual(made.check, [])
    assert.equal((await ada.ask('PUT', `${path}/${made.id}`, { body: { value: [] } })).status, 400)
    assert.equal((await ada.ask('PUT', `${path}/${made.id}`, { body: { key: 'any.other', value: [] } })).status, 200)
    await ada.delete(`${path}/${made.id}`)
  })

  test('takes the most specific value of user, container, tenant, operator and default', async () => {
    const at = (more = '') => ada.get(`${path}/effective?key=ticket.reopenDays${more}`)
    const here = `&containerId=${desk.id}`
    assert.deepEqual([(await at()).value, (await at()).source, (await at()).provenance.length], [7, 'default', 1])
    await asOwner(databaseUrl, undefined, `insert into operator_setting values ('ticket.reopenDays', '9')`, [])
    const tenants = await ada.post(path, { key: 'ticket.reopenDays', value: null })
    assert.deepEqual([(await at()).value, (await at()).source], [9, 'operator'])
    await ada.put(`${path}/${tenants.id}`, { value: 11 })
    await ada.post(path, { key: 'ticket.reopenDays', value: 13, scope: scopes.container, ownerId: desk.id })
    const found = await at(here)
    assert.deepEqual([found.value, found.source], [13, 'container'])
    assert.deepEqual(
      found.provenance.map((each: { source: string; value: number }) => [each.source, each.value]),
      [
        ['container', 13],
        ['tenant', 11],
        ['operator', 9],
        ['default', 7],
      ],
    )
    await ada.delete(`${path}/${tenants.id}`)
    assert.equal((await at()).source, 'operator')
    assert.equal((await eve.get(`${path}/effective?key=ticket.reopenDays`)).value, 9)
  })

  test('is the only kind besides custom.… that a strict request accepts', async () => {
    const ask = (key: string) => ada.ask('POST', path, { body: { key }, headers: { prefer: 'handling=strict' } })
    const { status, body } = await ask('no.such')
    assert.deepEqual([status, body.Fields[0].Field], [400, 'key'])
    assert.equal((await ask('custom.mine')).status, 201)
    assert.equal((await ada.post(path, { key: 'no.such' })).check[0].code, 'unknown-setting')
  })
})

describe('an earlier version', () => {
  test('can be restored, also of a deleted setting', async () => {
    const made = await ada.post(path, { key: 'custom.past', value: 1, description: 'first' })
    await ada.put(`${path}/${made.id}`, { value: 2, description: 'second' })
    await ada.put(`${path}/${made.id}`, { value: 3 })
    const back = await ada.post(`${path}/${made.id}/revert`, { version: 1 })
    assert.deepEqual([back.value, back.description, back.version], [1, 'first', 4])
    await ada.delete(`${path}/${made.id}`)
    const again = await ada.post(`${path}/${made.id}/revert`, { version: 2 })
    assert.deepEqual([again.value, again.description, again.deleted], [2, 'second', false])
    assert.equal((await ada.ask('POST', `${path}/${made.id}/revert`, { body: { version: 99 } })).status, 422)
    assert.equal((await eve.ask('POST', `${path}/${made.id}/revert`, { body: { version: 1 } })).status, 404)
  })

  test('of a secret is not stored', async () => {
    const made = await ada.post(path, { key: 'custom.hidden', secret: true, value: 'a' })
    await ada.put(`${path}/${made.id}`, { value: 'b' })
    const { status, body } = await ada.ask('POST', `${path}/${made.id}/revert`, { body: { version: 1 } })
    assert.deepEqual([status, body.code], [422, 'secret-not-kept'])
  })
})

describe('a secret setting', () => {
  const canary = 'c4n4ry-of-the-secret'

  /** Whether the database contains the canary in plain text. */
  async function leaked(): Promise<boolean> {
    const rows = await asOwner<{ found: boolean }>(
      databaseUrl,
      undefined,
      `select exists (select 1 from app_setting where value::text like $1) or exists (select 1 from event where changes::text like $1) or exists (select 1 from idempotency where body like $1) or exists (select 1 from secret where position(convert_to($2, 'UTF8') in sealed) > 0) as found`,
      [`%${canary}%`, canary],
    )
    return rows[0]?.found ?? true
  }

  test('is never contained in a reply, an event or a table', async () => {
    const made = await ada.must('POST', path, {
      body: { key: 'smtp.password', secret: true, value: { password: canary } },
      headers: { 'idempotency-key': newId() },
    })
    assert.equal(made.value, '***')
    assert.equal((await ada.get(`${path}/${made.id}`)).value, '***')
    assert.equal((await ada.get(`${path}/effective?key=smtp.password`)).value, '***')
    assert.ok(!JSON.stringify([await ada.get(path), await ada.get(`${path}/${made.id}/history`)]).includes(canary))
    assert.equal(await leaked(), false)
  })

  test('keeps its value when the mask is sent back, and changes with a new value', async () => {
    const sealed = async (id: string) =>
      (
        await asOwner<{ sealed: Buffer }>(databaseUrl, undefined, 'select sealed from secret where owner_id = $1', [id])
      )[0]?.sealed.toString('hex')
    const made = await ada.post(path, { key: 'imap.password', secret: true, value: canary })
    const first = await sealed(made.id)
    const same = await ada.put(`${path}/${made.id}`, { ...made, description: 'The mailbox' })
    assert.deepEqual([same.value, await sealed(made.id)], ['***', first])
    const changed = await ada.put(`${path}/${made.id}`, { value: `${canary} 2` })
    assert.deepEqual([changed.value, changed.version], ['***', same.version + 1])
    assert.notEqual(await sealed(made.id), first)
    const [last] = (await ada.get(`${path}/${made.id}/history`)).slice(-1)
    assert.deepEqual(last.changes, { value: { from: '***', to: '***' } })
    const cleared = await ada.put(`${path}/${made.id}`, { value: null })
    assert.deepEqual([cleared.value, await sealed(made.id)], [null, undefined])
    assert.equal(await leaked(), false)
  })

  test('becomes an ordinary setting only with a new value', async () => {
    const made = await ada.post(path, { key: 'was.secret', secret: true, value: canary })
    for (const body of [{ secret: false }, { secret: false, value: '***' }, { secret: null }])
      assert.equal((await ada.ask('PUT', `${path}/${made.id}`, { body })).status, 400)
    const plain = await ada.put(`${path}/${made.id}`, { secret: false, value: 'open' })
    assert.deepEqual([plain.secret, plain.value], [false, 'open'])
    const again = await ada.put(`${path}/${made.id}`, { secret: true })
    assert.equal(again.value, '***')
    assert.deepEqual(await happened(2), ['appSetting.updated', 'appSetting.updated'])
    assert.equal(await leaked(), false)
  })
})
