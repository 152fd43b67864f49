import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asOwner } from '../../test/support/database.ts'
import { house } from '../../test/support/people.ts'
import { newId } from '../kernel/id.ts'

const { ada, bob, eve, databaseUrl, happened, person } = await house()
const desk = await ada.post('/container', { name: 'Desk' })
const path = '/admin/setting'

describe('a setting', () => {
  test('holds any JSON', async () => {
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

  test('holds at most 64 kB', async () => {
    assert.equal((await ada.ask('POST', path, { body: { key: 'large', value: 'x'.repeat(65_534) } })).status, 201)
    const { status, body } = await ada.ask('POST', path, { body: { key: 'larger', value: 'x'.repeat(65_535) } })
    assert.equal(status, 400)
    assert.equal(body.Fields[0].Field, 'value')
    assert.ok(!JSON.stringify(body).includes('xxx'))
  })

  test('has a key of words and dots, one for each owner', async () => {
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
      (await ada.ask('POST', path, { body: { key: 'mail.from-name', scope: 1, ownerId: desk.id } })).status,
      201,
    )
    assert.equal((await ada.ask('POST', path, { body: { key: 'mail.from-name', scope: 2 } })).status, 201)
    assert.equal((await eve.ask('POST', path, { body: { key: 'mail.from-name' } })).status, 201)
  })

  test('belongs to somebody who is there, and never to the operator', async () => {
    for (const wish of [
      { scope: 1, ownerId: newId() },
      { scope: 1 },
      { scope: 2, ownerId: eve.id },
      { scope: 0, ownerId: desk.id },
    ]) {
      const { status, body } = await ada.ask('POST', path, { body: { key: 'lost', ...wish } })
      assert.equal(status, 422, JSON.stringify(wish))
      assert.equal(body.Fields[0].Field, 'ownerId')
    }
    const { status, body } = await ada.ask('POST', path, { body: { key: 'lost', scope: 3 } })
    assert.equal(status, 422)
    assert.equal(body.code, 'operator-scope')
    const odd = await ada.post(path, { key: 'odd', scope: 77, ownerId: 'x' })
    assert.deepEqual([odd.scope, odd.check[0].code], [77, 'unknown-code'])
  })

  test('that is deleted goes back to the default; one that is not there answers 404', async () => {
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
  test('are for admins; one’s own are for everybody', async () => {
    const guest = await person({ name: 'Greg', role: 2 })
    const boss = await person({ name: 'Anna', role: 6 })
    const tenants = await boss.must('POST', path, { body: { key: 'tenant.wide', value: 1 } })
    for (const someone of [bob, guest]) {
      assert.equal((await someone.ask('POST', path, { body: { key: 'mine.not' } })).status, 403)
      assert.equal(
        (await someone.ask('POST', path, { body: { key: 'mine.not', scope: 1, ownerId: desk.id } })).status,
        403,
      )
      assert.equal(
        (await someone.ask('POST', path, { body: { key: 'mine.not', scope: 2, ownerId: ada.id } })).status,
        403,
      )
      assert.equal((await someone.ask('GET', `${path}/${tenants.id}`)).status, 404)
      assert.equal((await someone.ask('DELETE', `${path}/${tenants.id}`)).status, 404)
      const own = await someone.must('POST', path, { body: { key: 'mine', value: 'dark', scope: 2 } })
      assert.equal(own.ownerId, someone.id)
      assert.deepEqual(
        (await someone.get(path)).map((each: { id: string }) => each.id),
        [own.id],
      )
      assert.equal((await someone.ask('PUT', `${path}/${own.id}`, { body: { scope: 0 } })).status, 403)
      assert.equal((await someone.ask('PUT', `${path}/${own.id}`, { body: { ownerId: ada.id } })).status, 403)
      assert.equal((await someone.ask('PUT', `${path}/${own.id}`, { body: { value: 'light' } })).body.value, 'light')
      assert.equal((await boss.ask('PUT', `${path}/${own.id}`, { body: { value: 'dim' } })).body.value, 'dim')
      assert.equal((await someone.ask('DELETE', `${path}/${own.id}`)).status, 204)
    }
  })
})

describe('the setting that counts', () => {
  test('is the user’s, else the container’s, else the tenant’s, else none', async () => {
    const at = (more = '') => ada.get(`${path}/effective?key=ui.theme${more}`)
    assert.deepEqual(await at(), { key: 'ui.theme', value: null, secret: false, source: 'default', provenance: [] })
    const tenants = await ada.post(path, { key: 'ui.theme', value: 'grey' })
    await ada.post(path, { key: 'ui.theme', value: 'green', scope: 1, ownerId: desk.id.toUpperCase() })
    await bob.post(path, { key: 'ui.theme', value: 'black', scope: 2 })
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

  test('is told to staff, and about others to admins only', async () => {
    const guest = await person({ name: 'Gwen', role: 2 })
    assert.equal((await bob.ask('GET', `${path}/effective?key=a&userId=${ada.id}`)).status, 403)
    assert.equal((await bob.ask('GET', `${path}/effective?key=a&userId=@me`)).status, 403)
    assert.equal((await guest.ask('GET', `${path}/effective?key=a`)).status, 403)
    assert.equal((await ada.ask('GET', `${path}/effective?key=a&userId=${eve.id}`)).status, 422)
    assert.equal((await ada.ask('GET', `${path}/effective?key=a&containerId=${newId()}`)).status, 422)
    assert.equal((await ada.ask('GET', `${path}/effective`)).status, 400)
  })
})

describe('a secret setting', () => {
  const canary = 'c4n4ry-of-the-secret'

  /** Whether the canary lies anywhere in the database in clear. */
  async function leaked(): Promise<boolean> {
    const rows = await asOwner<{ found: boolean }>(
      databaseUrl,
      undefined,
      `select exists (select 1 from app_setting where value::text like $1) or exists (select 1 from event where changes::text like $1) or exists (select 1 from idempotency where body like $1) or exists (select 1 from secret where position(convert_to($2, 'UTF8') in sealed) > 0) as found`,
      [`%${canary}%`, canary],
    )
    return rows[0]?.found ?? true
  }

  test('is written and never shown, in whatever answer, event or table', async () => {
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

  test('stays as it is when its mask comes back, and changes with a new value', async () => {
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

  test('is no longer one only with a new value', async () => {
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
