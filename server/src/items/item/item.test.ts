import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { statusCategory as statusCategoryCode } from '../../containers/status-category.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'
import { ownerKind } from '../../records/references/owner.ts'

describe('items', async () => {
  const { ada, bob, eve, happened, person } = await sharedTestService()
  const desk = await ada.post('/container', { name: 'Desk' })
  const severity = await ada.post('/field/select', { name: 'Severity', options: [{ label: 'High' }, { label: 'Low' }] })
  await ada.post('/field/time', { name: 'Effort' })

  test('items nest at most 50 deep, whether they are created or moved there', async () => {
    const chain = async (levels: number, parentId = '') => {
      const ids: string[] = []
      for (let i = 0; i < levels; i++)
        ids.push((await ada.post('/item', { title: `Level ${i}`, parentId: ids.at(-1) ?? parentId })).id)
      return ids
    }
    const deep = await chain(51)
    const below = await ada.ask('POST', '/item', { body: { title: 'Too deep', parentId: deep[50] } })
    assert.deepEqual([below.status, below.body.code], [422, 'too-deep'])
    const bulk = await ada.ask('POST', '/item/bulk', { body: [{ title: 'Too deep', parentId: deep[50] }] })
    assert.match(JSON.stringify(bulk.body), /too-deep/)
    const [root] = await chain(3)
    const moved = (parentId: string | undefined) => ada.ask('PUT', `/item/${root}`, { body: { parentId } })
    const tooDeep = await moved(deep[48])
    assert.deepEqual([tooDeep.status, tooDeep.body.code], [422, 'too-deep'], 'its children would lie too deep')
    assert.equal((await moved(deep[47])).status, 200)
  })

  test('an item is created with its time, its fields, its tags and its meta in one call', async () => {
    const item = await ada.post('/item', {
      title: 'Printer is down',
      containerId: desk.id,
      'Time[]': [
        { date: '2026-03-31', minutes: 45, note: 'looked' },
        { date: '2026-04-01', hours: 1.5, email: 'bob@example.com' },
      ],
      Field: [
        { key: severity.key, value: 'high' },
        { name: 'Effort', value: '2h 30m' },
      ],
      tags: ['hardware'],
      META: { anything: { goes: true } },
    })
    assert.equal(item.entity, 'Item')
    assert.match(item.key, /^DESK-\d+$/)
    assert.equal(item.spentMinutes, 135)
    assert.deepEqual(
      item.Time.map((each: { minutes: number; userId: string }) => [each.minutes, each.userId]),
      [
        [45, ada.id],
        [90, bob.id],
      ],
    )
    assert.deepEqual(item.Tags, ['hardware'])
    assert.deepEqual(item.Meta, { anything: { goes: true } })
    assert.deepEqual(
      new Set(item.Field.map((each: { key: string; value: unknown }) => `${each.key}=${each.value}`)),
      new Set([`severity=${severity.options[0].id}`, 'effort=150']),
    )
    assert.deepEqual(await happened(3), ['item.created', 'time.created', 'time.created'])
    const again = await ada.get(`/item/${item.id}`)
    assert.deepEqual({ ...again, warnings: [] }, { ...item, warnings: [] })
    assert.equal((await ada.get(`/item/${item.key}`)).id, item.id)
  })

  test('names of JavaScript object members are ordinary values', async () => {
    for (const word of ['constructor', '__proto__', 'toString']) {
      const { status, statusCategory } = await ada.post('/item', { title: word, status: word, Tags: [word] })
      assert.deepEqual([status, statusCategory], [word, statusCategoryCode.backlog])
      for (const query of [`priority[${word}]=1`, `title[${word}]=x`, `dueDate[${word}]=@today`, `archived=${word}`])
        assert.equal((await ada.ask('GET', `/item?${query}`)).status, 400, query)
      assert.equal((await ada.ask('GET', `/item?status=${word}&sort=${word}`)).status, 400)
    }
  })

  test('an item without a container is created in the inbox', async () => {
    const item = await ada.post('/item', { name: 'From somewhere' })
    assert.match(item.key, /^INBOX-\d+$/)
    assert.equal(item.title, 'From somewhere')
  })

  test('an unknown property is stored under Meta and reported as a warning', async () => {
    const item = await ada.post('/item', { title: 'Imported', Reporter: 'Grace', Meta: { source: 'x' } })
    assert.deepEqual(item.Meta, { Reporter: 'Grace', source: 'x' })
    assert.equal(item.warnings.length, 1)
  })

  test('all faults are reported at once with pointers into arrays, and nothing is stored', async () => {
    const before = (await ada.get('/item')).length
    const { status, body } = await ada.ask('POST', '/item', {
      body: { title: 7, Time: [{ minutes: 5 }, { minutes: -5 }, { minutes: 'x' }], Field: 'none' },
    })
    assert.equal(status, 400)
    const pointers = body.Fields.map((each: { Pointer: string }) => each.Pointer)
    assert.deepEqual(pointers.sort(), ['/Field', '/Time/1/minutes', '/Time/2/minutes', '/title'])
    const wrongField = await ada.ask('POST', '/item', {
      body: { title: 'x', Field: [{ key: 'severity', value: 'urgent' }] },
    })
    assert.equal(wrongField.body.Fields[0].Pointer, '/Field/0/value')
    const noLength = await ada.ask('POST', '/item', { body: { title: 'x', Time: [{ note: 'long' }] } })
    assert.equal(noLength.body.Fields[0].Pointer, '/Time/0/minutes')
    assert.equal((await ada.get('/item')).length, before)
  })

  test('a second creation with the same external id updates the item and duplicates nothing', async () => {
    const body = {
      title: 'Old desk 1',
      Meta: { source: 'old', externalId: '1' },
      Time: [{ date: '2026-01-05', minutes: 10, note: 'a' }],
    }
    const first = await ada.ask('POST', '/item', { body })
    const second = await ada.ask('POST', '/item', { body })
    const third = await ada.ask('POST', '/item', {
      body: { ...body, title: 'New title', Time: [...body.Time, { date: '2026-01-06', minutes: 20 }] },
    })
    assert.deepEqual([first.status, second.status, third.status], [201, 200, 200])
    assert.equal(second.body.id, first.body.id)
    assert.equal(second.body.version, 1)
    assert.equal(third.body.title, 'New title')
    assert.equal(third.body.spentMinutes, 30)
    assert.equal(
      (await ada.ask('POST', '/item', { body: { title: 'Other source', Meta: { source: 'new', externalId: '1' } } }))
        .status,
      201,
    )
  })

  test('thirty-two concurrent creations with the same external id create one item', async () => {
    const answers = await Promise.all(
      Array.from({ length: 32 }, () =>
        ada.ask('POST', '/item', { body: { title: 'Race', Meta: { source: 'race', externalId: '1' } } }),
      ),
    )
    assert.equal(answers.filter(each => each.status === 201).length, 1)
    assert.ok(
      answers.every(each => each.status === 201 || each.status === 200),
      JSON.stringify(answers.map(each => each.status)),
    )
    assert.equal(new Set(answers.map(each => each.body.id)).size, 1)
  })

  test('concurrent creations in one container get different numbers', async () => {
    const made = await Promise.all(
      Array.from({ length: 60 }, (_, i) => ada.post('/item', { title: `n${i}`, containerId: desk.id })),
    )
    assert.equal(new Set(made.map(each => each.number)).size, 60)
  })

  test('a strict request refuses properties that items do not have, and names the nearest one', async () => {
    const headers = { prefer: 'handling=strict' }
    const item = await ada.post('/item', { title: 'Strict', containerId: desk.id })
    const wrong = { pririty: 2, unheardOf: true }
    for (const [method, path, body, at] of [
      ['POST', '/item', { title: 'Strict', ...wrong }, ''],
      ['PATCH', `/item/${item.id}`, wrong, ''],
      ['PATCH', '/item', { ids: [item.id], patch: wrong }, '/patch'],
      ['POST', '/ticket', { title: 'Strict', ...wrong }, ''],
    ] as const) {
      const refused = await ada.ask(method, path, { body, headers })
      assert.deepEqual(
        [refused.status, refused.body.Fields?.map((each: { Pointer: string }) => each.Pointer)],
        [400, [`${at}/pririty`, `${at}/unheardOf`]],
        `${method} ${path}`,
      )
      assert.match(refused.body.Fields[0].Message, /did you mean priority/)
    }
    const [row] = (await ada.ask('POST', '/item/bulk', { body: [{ title: 'Strict', ...wrong }], headers })).body
    assert.deepEqual([row.outcome, row.Fields[0].Pointer], ['failed', '/pririty'])
    assert.deepEqual((await ada.get(`/item/${item.id}`)).Meta, {})
    const whole = await ada.get(`/item/${item.id}`)
    assert.equal(
      (await ada.ask('PUT', `/item/${item.id}`, { body: whole, headers })).status,
      200,
      'a record as it was read',
    )
    const { warnings } = await ada.put(`/item/${item.id}`, wrong)
    assert.equal(warnings.length, 2)
  })

  test('an update is a merge and writes one event with old and new values, or none if nothing changes', async () => {
    const item = await ada.post('/item', {
      title: 'Change me',
      containerId: desk.id,
      Field: [{ key: 'severity', value: 'Low' }],
    })
    const changed = await ada.put(`/item/${item.id}`, { status: 'Done', Field: [{ key: 'severity', value: 'High' }] })
    assert.equal(changed.statusCategory, statusCategoryCode.done)
    assert.ok(changed.closedAt)
    assert.equal(changed.title, 'Change me')
    await ada.put(`/item/${item.id}`, changed)
    const history = await ada.get(`/item/${item.id}/history`)
    assert.deepEqual(
      history.map((each: { type: string }) => each.type),
      ['item.created', 'item.updated'],
    )
    assert.deepEqual(history[1].changes.status, { from: '', to: 'Done' })
    assert.deepEqual(history[1].changes[`Field.${severity.id}`], {
      from: severity.options[1].id,
      to: severity.options[0].id,
    })
  })

  test('one call creates many items, with an outcome for each row', async () => {
    const rows = [
      { title: 'a', Meta: { source: 'bulk', externalId: 'a' } },
      { nothing: true },
      { title: 'b', Time: [{ minutes: 5, date: '2026-01-01' }] },
      { title: 'a2', Meta: { source: 'bulk', externalId: 'a' } },
    ]
    const outcomes = await ada.post('/item/bulk', rows)
    assert.deepEqual(
      outcomes.map((each: { outcome: string }) => each.outcome),
      ['created', 'failed', 'created', 'updated'],
    )
    assert.equal(outcomes[1].Fields[0].Pointer, '/title')
    assert.equal(outcomes[3].id, outcomes[0].id)
    const lines = await ada.ask('POST', '/item/bulk', {
      body: '{"title":"x"}\n{bad\n\n{"title":"y"}',
      headers: { 'content-type': 'application/x-ndjson' },
    })
    assert.deepEqual(
      lines.body.map((each: { outcome: string }) => each.outcome),
      ['created', 'failed', 'created'],
    )
  })

  test('a bulk call with an Idempotency-Key has its effect once', async () => {
    const rows = Array.from({ length: 450 }, (_, i) => ({ title: `once ${i}` }))
    const send = () => ada.ask('POST', '/item/bulk', { body: rows, headers: { 'idempotency-key': 'bulk-1' } })
    const [first, second] = [await send(), await send()]
    assert.equal(first.body.length, 450)
    assert.equal(second.headers.get('idempotency-replayed'), 'true')
    assert.deepEqual(second.body, first.body)
    assert.deepEqual(
      first.body.map((each: { index: number }) => each.index),
      rows.map((_, i) => i),
    )
  })

  test('a dry run stores nothing', async () => {
    const before = (await ada.get('/item')).length
    assert.equal((await ada.ask('POST', '/item?dryRun=true', { body: { title: 'x' } })).body.would.title, 'x')
    assert.equal(
      (await ada.ask('POST', '/item/bulk?dryRun=true', { body: [{ title: 'x' }] })).body.would[0].outcome,
      'created',
    )
    assert.equal((await ada.get('/item')).length, before)
  })

  test('a member cannot log time for another user, but a manager can', async () => {
    const wish = { title: 'Time', containerId: desk.id, Time: [{ userId: ada.id, minutes: 5 }] }
    assert.equal((await bob.ask('POST', '/item', { body: wish })).status, 403)
    const mia = await person({ name: 'Mia', role: roleCode.manager })
    assert.equal((await mia.ask('POST', '/item', { body: wish })).status, 201)
    assert.equal(
      (await mia.ask('POST', '/item', { body: { ...wish, Time: [{ userId: eve.id, minutes: 5 }] } })).status,
      422,
    )
  })

  test('a requester sees their own items and no others', async () => {
    const rita = await person({ name: 'Rita', role: roleCode.requester, kind: userKind.requester })
    const help = await ada.post('/container', { name: 'Help', kind: containerKind.desk })
    const mine = await rita.post('/item', { title: 'My screen is dark', containerId: help.id })
    assert.deepEqual(
      (await rita.get('/item')).map((each: { id: string }) => each.id),
      [mine.id],
    )
    const theirs = await ada.post('/item', { title: 'Secret', containerId: help.id })
    assert.equal((await rita.ask('GET', `/item/${theirs.id}`)).status, 404)
    assert.equal((await bob.ask('GET', `/item/${mine.id}`)).status, 200)
  })

  test('items of a private container are visible only to users with a grant on it', async () => {
    const vault = await ada.post('/container', { name: 'Vault', private: true })
    const item = await ada.post('/item', { title: 'Gold', containerId: vault.id })
    assert.equal((await bob.ask('GET', `/item/${item.id}`)).status, 404)
    assert.equal((await bob.ask('GET', `/container/${vault.id}`)).status, 404)
    assert.equal((await bob.ask('POST', '/item', { body: { title: 'x', containerId: vault.id } })).status, 422)
    assert.ok(!(await bob.get('/item')).some((each: { id: string }) => each.id === item.id))
    await ada.post('/access-control', {
      userId: bob.id,
      owner: ownerKind.container,
      ownerId: vault.id,
      role: roleCode.member,
    })
    assert.equal((await bob.ask('GET', `/item/${item.id}`)).status, 200)
  })

  test('a container, parent or user of another tenant is refused like an unknown one', async () => {
    const foreign = await eve.post('/item', { title: 'theirs' })
    for (const key of ['containerId', 'parentId', 'requesterId']) {
      const ours = await ada.ask('POST', '/item', {
        body: {
          title: 'x',
          [key]: key === 'requesterId' ? eve.id : key === 'containerId' ? foreign.containerId : foreign.id,
        },
      })
      const absent = await ada.ask('POST', '/item', {
        body: { title: 'x', [key]: '01890000-0000-7000-8000-000000000000' },
      })
      assert.equal(ours.status, 422)
      assert.equal(ours.body.code, absent.body.code)
      assert.equal(ours.body.Fields[0].Message, absent.body.Fields[0].Message)
    }
  })
})
