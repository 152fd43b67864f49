import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { verifyPassword } from '../../identity/password/password.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'
import { newId } from '../../kernel/id.ts'
import { initialsOf } from './initials.ts'

const { ada, bob, eve, nobody, database, happened, person } = await sharedTestService()
const boss = await person({ name: 'Anna', role: roleCode.admin })

describe('a user', () => {
  test('is created only by a super admin', async () => {
    const manager = await person({ name: 'Max', role: roleCode.manager })
    for (const someone of [bob, boss, manager]) {
      const { status, body } = await someone.ask('POST', '/user', {
        body: { name: 'Mallory', email: 'mallory@example.com' },
      })
      assert.equal(status, 403)
      assert.equal(body.code, 'forbidden')
    }
    assert.equal((await nobody.ask('POST', '/user', { body: { name: 'Mallory' } })).status, 401)
    const made = await ada.must('POST', '/user', { body: { name: 'Mallory', email: 'mallory@example.com' } })
    assert.deepEqual([made.entity, made.tenantId, made.createdBy], ['User', ada.tenantId, ada.id])
    assert.deepEqual(await happened(1), ['user.created'])
  })

  test('has the specified properties, each with a default', async () => {
    const bare = await ada.post('/user', { name: 'Bare' })
    assert.partialDeepStrictEqual(bare, {
      name: 'Bare',
      initials: 'B',
      email: '',
      locale: '',
      timezone: '',
      darkMode: '',
      costCenter: '',
      jobRole: '',
      workingHours: '',
      notifications: false,
      superAdmin: false,
      active: true,
      locked: null,
    })
    const full = {
      name: 'Grace Brewster Hopper',
      initials: 'GBH',
      email: 'grace@example.com',
      locale: 'en-US',
      timezone: 'America/New_York',
      darkMode: 'auto',
      costCenter: 'R&D',
      jobRole: 'Admiral',
      workingHours: 'Mon-Fri 09:00-17:30',
      notifications: true,
      superAdmin: true,
      active: false,
      locked: '2020-01-01T00:00:00.000Z',
    }
    const made = await ada.post('/user', full)
    for (const [property, value] of Object.entries(full)) assert.equal(made[property], value, property)
    assert.ok(!('password' in made) && !('authVersion' in made))
  })

  test('accepts working hours in every supported form', async () => {
    const { id } = await ada.post('/user', { name: 'Hours' })
    const clock = await ada.post('/clock', { name: 'Office' })
    for (const workingHours of ['40', '8h', 'Mon-Fri 09:00-17:30', clock.id, 'whenever it suits'])
      assert.equal((await ada.put(`/user/${id}`, { workingHours })).workingHours, workingHours)
  })

  test('shows that wrong passwords have stopped password sign-in; unlocking or a new password ends that', async () => {
    const rita = await person({ name: 'Rita', email: 'rita@example.com' })
    const guessed = () =>
      database.single(
        tenantCaller(ada.tenantId),
        ctx =>
          ctx.sql`update "user" set password_locked = '2999-01-01T00:00:00Z' where tenant_id = ${ada.tenantId} and id = ${rita.id}`,
      )
    const until = async () => (await rita.get('/user/me')).passwordLocked
    await guessed()
    assert.equal(await until(), '2999-01-01T00:00:00.000Z')
    await ada.put(`/user/${rita.id}`, { name: 'Rita Bell', passwordLocked: null })
    assert.equal(await until(), '2999-01-01T00:00:00.000Z', 'only the service sets it')
    await ada.put(`/user/${rita.id}`, { locked: null })
    assert.equal(await until(), null)
    await guessed()
    await ada.ask('POST', `/user/${rita.id}/password`, { body: { password: 'correct horse battery staple' } })
    assert.equal(await until(), null)
  })

  test('cannot be created with a password, a version or another tenant', async () => {
    assert.equal(
      (await ada.ask('POST', '/user', { body: { name: 'Sly', password: 'a long new password' } })).status,
      400,
    )
    assert.equal((await ada.ask('POST', '/user', { body: { name: 'Sly', authVersion: 5 } })).status, 400)
    const made = await ada.post('/user', {
      name: 'Sly',
      tenantId: eve.tenantId,
      createdBy: eve.id,
      lastSeen: '2020-01-01T00:00:00Z',
    })
    assert.deepEqual([made.tenantId, made.createdBy, made.lastSeen], [ada.tenantId, ada.id, null])
  })

  test('of the kind requester has the role requester, unless another role is given', async () => {
    assert.equal((await ada.post('/user', { name: 'Rob', kind: userKind.requester })).role, roleCode.requester)
    assert.equal(
      (await ada.post('/user', { name: 'Ron', kind: userKind.requester, role: roleCode.member })).role,
      roleCode.member,
    )
    assert.equal((await ada.post('/user', { name: 'Roy' })).role, roleCode.member)
    assert.equal((await ada.post('/user', { name: 'Rex', role: 77 })).role, 77)
  })

  test('of another tenant does not exist', async () => {
    for (const [method, path] of [
      ['GET', `/user/${bob.id}`],
      ['DELETE', `/user/${bob.id}`],
      ['POST', `/user/${bob.id}/restore`],
      ['GET', `/user/${bob.id}/history`],
    ] as const)
      assert.equal((await eve.ask(method, path)).status, 404)
    assert.equal((await eve.ask('PUT', '/user', { body: { id: bob.id, name: 'Stolen' } })).status, 404)
    assert.equal(
      (await eve.ask('POST', `/user/${bob.id}/password`, { body: { password: 'a long new password' } })).status,
      404,
    )
  })

  test('can read their own record', async () => {
    assert.equal((await bob.get('/user/me')).id, bob.id)
  })
})

describe('initials', () => {
  for (const [name, initials] of [
    ['Ada King Lovelace', 'AL'],
    ['bob', 'B'],
    ['  Jean-Luc   Picard ', 'JP'],
    ['Öztürk Ílhan', 'ÖÍ'],
    ['山田 太郎', '山太'],
    ['"Max" (Power) & Co', 'MC'],
    ['!!!', ''],
    ['', ''],
    ['4 Winds', '4W'],
    ['𝒜da', '𝒜'],
  ]) {
    test(`of ${name} are ${initials}`, () => assert.equal(initialsOf(name ?? ''), initials))
  }

  test('follow the name until they are set explicitly', async () => {
    const { id } = await ada.post('/user', { name: 'Ada King' })
    const put = async (body: object) => (await ada.put(`/user/${id}`, body)).initials
    assert.equal(await put({ name: 'Ada Lovelace' }), 'AL')
    assert.equal(await put({ initials: 'AKL' }), 'AKL')
    assert.equal(await put({ name: 'Ada Byron' }), 'AKL')
    assert.equal(await put({ initials: '' }), 'AB')
    assert.equal(await put({ initials: null, name: 'Ada Noel' }), 'AN')
  })
})

describe('an e-mail address', () => {
  test('belongs to one user of a tenant, regardless of case', async () => {
    const first = await ada.post('/user', { name: 'First', email: 'Same@Example.com' })
    const body = { name: 'Second', email: 'same@example.COM' }
    const clash = await ada.ask('POST', '/user', { body })
    assert.deepEqual([clash.status, clash.body.code, clash.body.Fields[0].Field], [422, 'already-taken', 'email'])
    const strict = await ada.ask('POST', '/user', { body, headers: { prefer: 'handling=strict' } })
    assert.deepEqual([strict.status, strict.body.code, strict.body.Fields[0].Field], [409, 'already-taken', 'email'])
    const { id } = await ada.post('/user', { name: 'Second' })
    assert.equal((await ada.ask('PUT', `/user/${id}`, { body })).status, 422)
    assert.equal((await ada.ask('PUT', `/user/${id}`, { body, headers: { prefer: 'handling=strict' } })).status, 409)
    const keep = await ada.ask('PUT', `/user/${first.id}`, {
      body: { email: 'SAME@example.com' },
      headers: { prefer: 'handling=strict' },
    })
    assert.equal(keep.status, 200)
    assert.equal((await eve.ask('POST', '/user', { body })).status, 201)
    await ada.delete(`/user/${first.id}`)
    assert.equal((await ada.ask('PUT', `/user/${id}`, { body })).status, 200)
    assert.equal((await ada.ask('POST', `/user/${first.id}/restore`)).status, 422)
  })

  test('is optional, for any number of users', async () => {
    for (const prefer of ['handling=strict', 'handling=lenient'])
      assert.equal((await ada.ask('POST', '/user', { body: { name: 'Shy' }, headers: { prefer } })).status, 201)
  })

  test('must be valid', async () => {
    for (const email of ['nobody', 'a b@example.com', '@example.com', `${'x'.repeat(250)}@example.com`])
      assert.equal((await ada.ask('POST', '/user', { body: { name: 'Odd', email } })).status, 400, email)
  })
})

describe('who is a super admin', () => {
  test('is decided only by super admins', async () => {
    const target = await ada.post('/user', { name: 'Target' })
    assert.equal((await boss.ask('PUT', `/user/${target.id}`, { body: { superAdmin: true } })).status, 403)
    assert.equal((await boss.ask('PUT', `/user/${boss.id}`, { body: { superAdmin: true } })).status, 403)
    assert.equal((await bob.ask('PUT', `/user/${bob.id}`, { body: { superAdmin: true } })).status, 403)
    assert.equal((await ada.put(`/user/${target.id}`, { superAdmin: true })).superAdmin, true)
    for (const body of [
      { superAdmin: false },
      { name: 'Toy' },
      { active: false },
      { locked: '2999-01-01T00:00:00Z' },
      { email: 'boss@example.com' },
    ]) {
      assert.equal((await boss.ask('PUT', `/user/${target.id}`, { body })).status, 403, JSON.stringify(body))
    }
    assert.equal((await boss.ask('DELETE', `/user/${target.id}`)).status, 403)
    assert.equal(
      (await boss.ask('POST', `/user/${target.id}/password`, { body: { password: 'a long new password' } })).status,
      403,
    )
    await ada.delete(`/user/${target.id}`)
    assert.equal((await boss.ask('POST', `/user/${target.id}/restore`)).status, 403)
    assert.equal((await ada.get(`/user/${target.id}?deleted=include`)).deleted, true)
  })

  test('applies only in the tenant', async () => {
    assert.equal((await eve.ask('PUT', `/user/${bob.id}`, { body: { superAdmin: true } })).status, 404)
    assert.equal((await bob.get('/user/me')).superAdmin, false)
  })
})

describe('the last active super admin', () => {
  /** Makes these users the only super admins. */
  async function only(...ids: string[]): Promise<void> {
    await database.transaction(
      tenantCaller(ada.tenantId, ada.id),
      ctx => ctx.sql`update "user" set super_admin = id = any(${ids}::uuid[]) where tenant_id = ${ada.tenantId}`,
    )
  }

  const ways = [
    ['PUT', { superAdmin: false }],
    ['PUT', { superAdmin: null }],
    ['PUT', { active: false }],
    ['PATCH', { locked: '2999-01-01T00:00:00Z' }],
    ['DELETE', undefined],
  ] as const

  for (const [method, body] of ways) {
    test(`cannot be removed, however the id is spelled: ${method} ${JSON.stringify(body ?? {})}`, async () => {
      await only(ada.id)
      for (const id of [ada.id, ada.id.toUpperCase()]) {
        const { status, body: answer } = await ada.ask(method, `/user/${id}`, body ? { body } : {})
        assert.deepEqual([status, answer?.code], [422, 'last-super-admin'])
      }
      assert.equal((await ada.get('/user/me')).superAdmin, true)
    })
  }

  test('is the last one even if there are super admins who cannot sign in', async () => {
    const locked = await person({ name: 'Locked', superAdmin: true, locked: '2999-01-01T00:00:00Z' })
    const idle = await person({ name: 'Idle', superAdmin: true, active: false })
    await only(ada.id, locked.id, idle.id)
    assert.equal((await ada.ask('PUT', `/user/${ada.id}`, { body: { superAdmin: false } })).status, 422)
    assert.equal((await ada.ask('PUT', `/user/${idle.id}`, { body: { superAdmin: false } })).status, 200)
    assert.equal((await ada.ask('DELETE', `/user/${locked.id}`)).status, 204)
  })

  test('can be removed as soon as there is another one, who is then the last', async () => {
    const next = await person({ name: 'Next', superAdmin: true })
    await only(ada.id, next.id)
    assert.equal((await next.put(`/user/${ada.id}`, { superAdmin: false, name: 'ada' })).superAdmin, false)
    assert.equal((await next.ask('DELETE', `/user/${next.id}`)).status, 422)
    assert.equal((await next.put(`/user/${ada.id}`, { superAdmin: true })).superAdmin, true)
  })

  test('remains when two super admins are removed concurrently, in any way', async () => {
    for (const [method, body] of ways) {
      const other = await person({ name: 'Other', superAdmin: true })
      await only(ada.id, other.id)
      const leave = (someone: typeof ada) => someone.ask(method, `/user/${someone.id}`, body ? { body } : {})
      const statuses = (await Promise.all([leave(ada), leave(other)])).map(each => each.status)
      assert.deepEqual(
        statuses.filter(status => status < 300).length,
        1,
        `${method} ${JSON.stringify(body)}: ${statuses}`,
      )
      assert.ok(statuses.includes(422), String(statuses))
      await database.transaction(
        tenantCaller(ada.tenantId, ada.id),
        ctx =>
          ctx.sql`update "user" set deleted = false, active = true, locked = null, super_admin = true where tenant_id = ${ada.tenantId} and id = ${ada.id}`,
      )
      await person({ name: 'Somebody' }) // what is held is looked up anew
    }
  })
})

describe('a user without access', () => {
  const ways: [string, object | undefined, object][] = [
    ['is deactivated', { active: false }, { active: true }],
    ['is locked', { locked: '2999-01-01T00:00:00Z' }, { locked: null }],
    ['is deleted', undefined, {}],
  ]
  for (const [what, body, undo] of ways) {
    test(`${what}, and their keys are refused at once`, async () => {
      const dan = await person({ name: 'Dan' })
      assert.equal((await dan.ask('GET', '/user/me')).status, 200)
      await (body ? ada.put(`/user/${dan.id}`, body) : ada.delete(`/user/${dan.id}`))
      const { status, headers } = await dan.ask('GET', '/user/me')
      assert.equal(status, 401)
      assert.match(headers.get('www-authenticate') ?? '', /invalid_token/)
      await (body ? ada.put(`/user/${dan.id}`, undo) : ada.must('POST', `/user/${dan.id}/restore`))
      assert.equal((await dan.ask('GET', '/user/me')).status, 200)
    })
  }

  test('has access again when the lock has expired', async () => {
    const dan = await person({ name: 'Dora' })
    await ada.put(`/user/${dan.id}`, { locked: '2020-01-01T00:00:00Z' })
    assert.equal((await dan.ask('GET', '/user/me')).status, 200)
  })

  test('has no valid session either, because the version in the tokens is outdated', async () => {
    const version = async (id: string) => {
      const rows = await database.single(
        tenantCaller(ada.tenantId),
        ctx =>
          ctx.sql<{
            version: number
          }>`select auth_version as version from "user" where tenant_id = ${ada.tenantId} and id = ${id}`,
      )
      return rows[0]?.version ?? 0
    }
    const dan = await person({ name: 'Dirk' })
    assert.equal(await version(dan.id), 1)
    await ada.put(`/user/${dan.id}`, { phone: '1' })
    assert.equal(await version(dan.id), 1)
    await ada.put(`/user/${dan.id}`, { active: false })
    assert.equal(await version(dan.id), 2)
    await ada.put(`/user/${dan.id}`, { active: true, locked: '2999-01-01T00:00:00Z' })
    assert.equal(await version(dan.id), 3)
    await ada.delete(`/user/${dan.id}`)
    assert.equal(await version(dan.id), 4)
  })
})

describe('a password', () => {
  const [first, second] = ['the very first password', 'the second password']

  async function isStored(id: string, password: string): Promise<boolean> {
    const rows = await database.single(
      tenantCaller(ada.tenantId),
      ctx =>
        ctx.sql<{ password: string }>`select password from "user" where tenant_id = ${ada.tenantId} and id = ${id}`,
    )
    return await verifyPassword(rows[0]?.password, password)
  }

  test('is set by users themselves with the current one, and by a super admin without it', async () => {
    const dan = await person({ name: 'Dave', email: 'dave@example.com' })
    const set = async (someone: typeof ada, body: object, id = dan.id) =>
      (await someone.ask('POST', `/user/${id}/password`, { body })).status
    assert.equal(await set(bob, { password: first }), 403)
    assert.equal(await set(boss, { password: first }), 403)
    assert.equal(await set(ada, { password: first }), 204)
    assert.ok(await isStored(dan.id, first))
    assert.equal(await set(dan, { password: second }, 'me'), 400)
    assert.equal(await set(dan, { password: second, current: 'something else' }, 'me'), 400)
    assert.equal(await set(dan, { password: second, current: first }, 'me'), 204)
    assert.ok(await isStored(dan.id, second))
    assert.ok(!(await isStored(dan.id, first)))
    assert.deepEqual(await happened(1), ['user.passwordChanged'])
    assert.ok(!JSON.stringify(await ada.get(`/user/${dan.id}/history`)).includes('password"'))
  })

  test('is long, not easy to guess, and never contained in a reply', async () => {
    const { id } = await ada.post('/user', { name: 'Dee', email: 'dee.longname@example.com' })
    for (const password of ['short', '', 'x'.repeat(201), 'Dee.LongName@example.com', 'Password1234', 12345678901234]) {
      const { status, body } = await ada.ask('POST', `/user/${id}/password`, { body: { password } })
      assert.equal(status, 400)
      assert.equal(body.Fields[0].Field, 'password')
      if (password) assert.ok(!JSON.stringify(body).includes(String(password).slice(0, 20)))
    }
    assert.equal((await ada.ask('POST', `/user/${newId()}/password`, { body: { password: first } })).status, 404)
  })
})

describe('a role', () => {
  test('is given by admins, up to their own role', async () => {
    const target = await ada.post('/user', { name: 'Ladder' })
    const manager = await person({ name: 'Mona', role: roleCode.manager })
    const put = async (someone: typeof ada, role: number) =>
      (await someone.ask('PUT', `/user/${target.id}`, { body: { role } })).status
    assert.equal(await put(bob, 5), 403)
    assert.equal(await put(manager, 3), 403)
    assert.equal(await put(boss, 5), 200)
    assert.equal(await put(boss, 6), 200)
    assert.equal(await put(boss, 2), 200)
    assert.equal(await put(ada, 6), 200)
  })

  test('takes effect with the next request', async () => {
    const dan = await person({ name: 'Dino', role: roleCode.member })
    const ask = async () => (await dan.ask('POST', '/container', { body: { name: 'Corner' } })).status
    assert.equal(await ask(), 403)
    await ada.put(`/user/${dan.id}`, { role: roleCode.manager })
    assert.equal(await ask(), 201)
    await ada.put(`/user/${dan.id}`, { role: roleCode.member })
    assert.equal(await ask(), 403)
  })

  test('decides which users are visible: requesters see themselves and the names of those who work on their tickets', async () => {
    const [greg, gwen, role2] = [
      await person({ name: 'Greg', email: 'greg@example.com', role: roleCode.requester, kind: userKind.requester }),
      await person({ name: 'Gwen', role: roleCode.requester, kind: userKind.requester }),
      await person({ name: 'Rolf', role: roleCode.requester }),
    ]
    const seen = async () => (await greg.get('/user')).map((each: { id: string }) => each.id).sort()
    assert.deepEqual(await seen(), [greg.id])
    for (const other of [gwen, role2, bob]) assert.equal((await greg.ask('GET', `/user/${other.id}`)).status, 404)
    assert.equal((await bob.ask('GET', `/user/${gwen.id}`)).status, 200)

    await ada.put(`/user/${bob.id}`, { phone: '+49 30 1234', jobRole: 'Second line' })
    const desk = await ada.post('/container', { name: 'Help', kind: containerKind.desk })
    const ticket = await greg.post('/ticket', { title: 'No paper', containerId: desk.id })
    await ada.put(`/item/${ticket.id}`, { assignees: [bob.id] })
    assert.deepEqual(await seen(), [greg.id, bob.id].sort())
    const shown = await greg.get(`/user/${bob.id}`)
    assert.deepEqual(
      [shown.name, shown.phone, shown.email, shown.jobRole, shown.lastSeen, shown.role],
      ['Bob', '', '', '', null, roleCode.member],
    )
    assert.equal((await greg.get('/user/me')).email, 'greg@example.com')
    assert.equal((await greg.ask('GET', '/process')).status, 403)
    assert.equal((await greg.ask('GET', '/tenant/usage')).status, 403)
    assert.ok((await greg.get('/container')).every((each: object) => !('budget' in each)))
    assert.ok((await bob.get('/container')).every((each: object) => 'budget' in each))
  })
})
