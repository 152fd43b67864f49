import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'
import { operator } from '../../language/conditions/conditions.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { includesReason } from './auto-watch-setting.ts'
import { recipientsOf } from './recipients.ts'
import {
  candidateRank,
  levelCovers,
  type RecipientCandidate,
  selectRecipients,
  type WatchedEvent,
} from './select-recipients.ts'
import { startWatching } from './start-watching.ts'
import { watchLevel, watchReason } from './watch-codes.ts'

describe('watches', async () => {
  const { ada, bob, person, database } = await sharedTestService()
  const carl = await person({ name: 'Carl' })
  const dora = await person({ name: 'Dora' })
  const rita = await person({ name: 'Rita', role: roleCode.requester, kind: userKind.requester })
  const mia = await person({ name: 'Mia', role: roleCode.manager })
  const desk = await ada.post('/container', { name: 'Desk' })
  const names = new Map(
    [ada, bob, carl, dora, rita, mia].map((who, i) => [who.id, ['ada', 'bob', 'carl', 'dora', 'rita', 'mia'][i]]),
  )

  /** The names of the recipients, each with the reason. */
  async function told(itemId: string, occasion: WatchedEvent): Promise<Record<string, number>> {
    const found = await database.single(tenantCaller(ada.tenantId), ctx => recipientsOf(ctx, [itemId], occasion))
    return Object.fromEntries(found.map(each => [names.get(each.userId ?? '') ?? each.email, each.reason]))
  }

  test('authors and assignees are notified without a watch unless they muted the item; mentioned users always are', async () => {
    const item = await bob.post('/item', {
      title: 'Cable',
      containerId: desk.id,
      assignees: [carl.id],
      requesterId: rita.id,
    })
    const change = { kind: 'item.updated', changes: { title: { to: 'x' } } }
    assert.deepEqual(await told(item.id, change), {
      bob: watchReason.author,
      carl: watchReason.assignee,
      rita: watchReason.author,
    })
    assert.deepEqual(await told(item.id, { ...change, actorId: carl.id }), {
      bob: watchReason.author,
      rita: watchReason.author,
    })
    await carl.put(`/item/${item.id}/watch`, { level: watchLevel.muted })
    assert.deepEqual(await told(item.id, change), { bob: watchReason.author, rita: watchReason.author })
    assert.deepEqual(await told(item.id, { ...change, mentioned: [carl.id, dora.id] }), {
      bob: watchReason.author,
      rita: watchReason.author,
      carl: watchReason.mentioned,
      dora: watchReason.mentioned,
    })
    await bob.put(`/item/${item.id}/watch`, { level: watchLevel.status })
    assert.deepEqual(await told(item.id, change), { rita: watchReason.author })
    assert.deepEqual(await told(item.id, { kind: 'item.transitioned' }), {
      bob: watchReason.manual,
      rita: watchReason.author,
    })
    await bob.put(`/item/${item.id}/watch`, { level: watchLevel.all, until: '2999-01-01T00:00:00Z' })
    assert.deepEqual(await told(item.id, change), { rita: watchReason.author })
    assert.deepEqual(await bob.get(`/item/${item.id}/watch`).then(mine => [mine.watching, mine.level]), [true, 0])
  })

  test('users who stop watching are no longer notified: a watch is deleted, an author gets a mute', async () => {
    const item = await bob.post('/item', { title: 'Stop', containerId: desk.id })
    await dora.put(`/item/${item.id}/watch`, {})
    assert.deepEqual(await told(item.id, { kind: 'item.updated' }), {
      bob: watchReason.author,
      dora: watchReason.manual,
    })
    for (const who of [bob, dora]) await who.delete(`/item/${item.id}/watch`)
    assert.deepEqual(await told(item.id, { kind: 'item.updated' }), {})
    assert.equal((await dora.get(`/item/${item.id}/watch`)).id, '')
    assert.equal((await bob.get(`/item/${item.id}/watch`)).level, watchLevel.muted)
    await bob.put(`/item/${item.id}/watch`, { level: watchLevel.all })
    assert.deepEqual(await told(item.id, { kind: 'item.updated' }), { bob: watchReason.manual })
  })

  test('a repeated watch updates the level of the existing one, also in concurrent requests', async () => {
    const item = await bob.post('/item', { title: 'Same', containerId: desk.id })
    const body = { owner: ownerKind.item, ownerId: item.id, level: watchLevel.comments }
    const answers = await Promise.all([1, 2, 3, 4].map(() => carl.ask('POST', '/watch', { body })))
    assert.deepEqual(answers.map(each => each.status).sort(), [200, 200, 200, 201])
    assert.equal(new Set(answers.map(each => each.body.id)).size, 1)
    const again = await carl.ask('POST', '/watch', { body: { ...body, level: watchLevel.status } })
    assert.deepEqual([again.status, again.body.level, again.body.userId], [200, watchLevel.status, carl.id])
    const shown: { userId: string; level: number }[] = await bob.get(`/item/${item.id}/watchers`)
    assert.deepEqual(shown.map(each => [names.get(each.userId), each.level]).sort(), [
      ['bob', 0],
      ['carl', 2],
    ])
  })

  test('only managers create watches for others, and users can only watch records that they see', async () => {
    const item = await bob.post('/item', { title: 'Others', containerId: desk.id })
    const on = { owner: ownerKind.item, ownerId: item.id }
    for (const body of [
      { ...on, userId: carl.id },
      { ...on, email: 'x@example.com' },
    ])
      assert.equal((await bob.ask('POST', '/watch', { body })).status, 403)
    const set = await mia.post('/watch', { ...on, userId: carl.id })
    assert.equal((await carl.ask('DELETE', `/watch/${set.id}`)).status, 204)
    const both = await mia.ask('POST', '/watch', { body: { ...on, userId: carl.id, email: 'x@example.com' } })
    assert.deepEqual([both.status, both.body.code], [422, 'one-watcher'])
    const vault = await ada.post('/container', { name: 'Vault', private: true })
    const gold = await ada.post('/item', { title: 'Gold', containerId: vault.id })
    for (const unseen of [gold.id, crypto.randomUUID()]) {
      const answer = await bob.ask('POST', '/watch', { body: { owner: ownerKind.item, ownerId: unseen } })
      assert.deepEqual([answer.status, answer.body.Fields[0].Pointer], [422, '/ownerId'])
      assert.equal((await bob.ask('PUT', `/item/${unseen}/watch`, { body: {} })).status, 404)
    }
    assert.equal((await rita.ask('GET', `/item/${item.id}/watchers`)).status, 403)
  })

  test('containers and customers can be watched, also by groups; the user’s own watch nearest to the item applies', async () => {
    const crm = await ada.post('/finance/crm', { name: 'Acme' })
    const place = await ada.post('/container', { name: 'Place' })
    const outer = await ada.post('/user-group', { name: 'Outer', members: [] })
    await ada.post('/user-group', { name: 'Inner', members: [dora.id, carl.id], parentId: outer.id })
    await mia.post('/watch', { owner: ownerKind.container, ownerId: place.id, userGroupId: outer.id })
    await bob.post('/watch', { owner: ownerKind.crm, ownerId: crm.id, level: watchLevel.status })
    await mia.post('/watch', { owner: ownerKind.container, ownerId: place.id, email: 'lead@example.com' })
    const item = await ada.post('/item', { title: 'Far', containerId: place.id, crmId: crm.id })
    assert.deepEqual(await told(item.id, { kind: 'annotation.replied', actorId: ada.id }), {
      dora: watchReason.manual,
      carl: watchReason.manual,
      'lead@example.com': watchReason.manual,
    })
    assert.deepEqual(await told(item.id, { kind: 'item.closed', actorId: ada.id }), {
      dora: watchReason.manual,
      carl: watchReason.manual,
      'lead@example.com': watchReason.manual,
      bob: watchReason.manual,
    })
    await dora.post('/watch', { owner: ownerKind.container, ownerId: place.id, level: watchLevel.muted })
    await carl.put(`/item/${item.id}/watch`, { level: watchLevel.comments })
    assert.deepEqual(await told(item.id, { kind: 'item.updated', actorId: ada.id }), {
      'lead@example.com': watchReason.manual,
    })
    await dora.put(`/item/${item.id}/watch`, { level: watchLevel.all })
    assert.deepEqual(await told(item.id, { kind: 'item.updated', actorId: ada.id }), {
      dora: watchReason.manual,
      'lead@example.com': watchReason.manual,
    })
  })

  test('users who no longer see the item are not notified; the watch stays, and applies when they see it again', async () => {
    const place = await ada.post('/container', { name: 'Closing' })
    const item = await ada.post('/item', { title: 'Closing', containerId: place.id })
    await bob.put(`/item/${item.id}/watch`, {})
    await mia.post('/watch', { owner: ownerKind.item, ownerId: item.id, email: 'out@example.com' })
    assert.deepEqual(await told(item.id, { kind: 'item.updated', actorId: ada.id }), {
      bob: watchReason.manual,
      'out@example.com': watchReason.manual,
    })
    await ada.put(`/container/${place.id}`, { private: true })
    assert.deepEqual(await told(item.id, { kind: 'item.updated', actorId: ada.id }), {})
    const grant = await ada.post('/access-control', {
      userId: bob.id,
      owner: ownerKind.container,
      ownerId: place.id,
      role: roleCode.member,
    })
    assert.deepEqual(await told(item.id, { kind: 'item.updated', actorId: ada.id }), { bob: watchReason.manual })
    await ada.delete(`/access-control/${grant.id}`)
    assert.deepEqual(await told(item.id, { kind: 'item.updated', actorId: ada.id, mentioned: [bob.id] }), {})
    await ada.put(`/user/${bob.id}`, { active: false })
    await ada.put(`/container/${place.id}`, { private: false })
    assert.deepEqual(await told(item.id, { kind: 'item.updated', actorId: ada.id }), {
      'out@example.com': watchReason.manual,
    })
    await ada.put(`/user/${bob.id}`, { active: true })
  })

  test('the reasons for automatic watches are a setting of the user or the tenant', async () => {
    const item = await carl.post('/item', { title: 'Choice', containerId: desk.id, assignees: [dora.id] })
    const begin = (who: Person, reason: number) =>
      database.transaction(tenantCaller(ada.tenantId, ada.id), ctx => startWatching(ctx, [item.id], [who.id], reason))
    const mine = await carl.post('/admin/setting', { key: 'watch.auto', scope: 2, value: ['commented'] })
    assert.deepEqual(await told(item.id, { kind: 'item.updated' }), { dora: watchReason.assignee })
    await begin(carl, watchReason.mentioned)
    assert.deepEqual(await told(item.id, { kind: 'item.updated' }), { dora: watchReason.assignee })
    await begin(carl, watchReason.commented)
    assert.deepEqual(await told(item.id, { kind: 'item.updated' }), {
      dora: watchReason.assignee,
      carl: watchReason.commented,
    })
    const all = await ada.post('/admin/setting', { key: 'watch.auto', value: false })
    assert.deepEqual(await told(item.id, { kind: 'item.updated' }), { carl: watchReason.commented })
    await dora.put(`/item/${item.id}/watch`, { level: watchLevel.muted })
    await begin(dora, watchReason.commented)
    assert.deepEqual(await told(item.id, { kind: 'item.updated' }), { carl: watchReason.commented })
    for (const { id } of [mine, all]) await ada.delete(`/admin/setting/${id}`)
  })

  test('a filter finds the items that a user watches', async () => {
    const place = await ada.post('/container', { name: 'Found' })
    const watched = await ada.post('/item', { title: 'Watched', containerId: place.id })
    await ada.post('/item', { title: 'Other', containerId: place.id })
    const own = await dora.post('/item', { title: 'Own', containerId: place.id })
    const muted = await dora.post('/item', { title: 'Muted', containerId: place.id })
    const [assigned, asked, left] = await Promise.all(
      [{ assignees: [dora.id] }, { requesterId: dora.id }, { assignees: [dora.id] }].map(more =>
        ada.post('/item', { title: 'For Dora', containerId: place.id, ...more }),
      ),
    )
    await dora.put(`/item/${watched.id}/watch`, {})
    for (const { id } of [muted, left]) await dora.put(`/item/${id}/watch`, { level: watchLevel.muted })
    const condition = [{ id: '1', leftSide: 'watchers', operator: operator.contains, rightSide: '@me' }]
    const filter = await ada.post(`/container/${place.id}/filter`, {
      name: 'Mine',
      criteria: { conditionGroup: [{ condition }] },
    })
    const found: { id: string }[] = await dora.get(`/container/${place.id}/filter/${filter.id}/items`)
    assert.deepEqual(found.map(each => each.id).sort(), [watched.id, own.id, assigned.id, asked.id].sort())
  })
})

describe('the selection of recipients', () => {
  const one = (more: Partial<RecipientCandidate>): RecipientCandidate => ({
    watchId: null,
    itemId: 'i',
    userId: 'u',
    email: '',
    createdBy: 'u',
    rank: candidateRank.own,
    distance: 0,
    level: watchLevel.all,
    reason: watchReason.manual,
    until: null,
    since: null,
    ...more,
  })
  const now = new Date('2026-03-31T12:00:00Z')
  const reasons = (...candidates: RecipientCandidate[]) =>
    selectRecipients(candidates, { kind: 'item.updated' }, now, () => true).map(each => each.reason)

  test('an own watch overrides that of a group, this overrides being author, and the nearer watch overrides the farther', () => {
    assert.deepEqual(
      reasons(
        one({ rank: candidateRank.implicit, reason: watchReason.author }),
        one({ rank: candidateRank.group, distance: 2, reason: watchReason.group }),
      ),
      [watchReason.group],
    )
    assert.deepEqual(
      reasons(
        one({ rank: candidateRank.own, distance: 3, level: watchLevel.muted }),
        one({ rank: candidateRank.group, distance: 0 }),
      ),
      [],
    )
    assert.deepEqual(
      reasons(one({ distance: 2, level: watchLevel.muted }), one({ distance: 0, reason: watchReason.commented })),
      [watchReason.commented],
    )
    assert.deepEqual(
      reasons(
        one({ rank: candidateRank.implicit, reason: watchReason.assignee }),
        one({ rank: candidateRank.implicit, reason: watchReason.author }),
      ),
      [watchReason.author],
    )
    assert.deepEqual(reasons(one({ until: new Date('2026-04-01') })), [])
    assert.deepEqual(reasons(one({ until: new Date('2026-03-30') })), [watchReason.manual])
    assert.deepEqual(reasons(one({ level: 77 })), [])
  })

  test('a watch applies to later events only, but a mute also to events that are not delivered yet', () => {
    const since = new Date('2026-03-31T11:00:00Z')
    const at = (time: string, more: Partial<RecipientCandidate> = {}) => {
      const occasion = { kind: 'item.updated', at: new Date(`2026-03-31T${time}Z`) }
      return selectRecipients(
        [one({ since, ...more }), one({ rank: candidateRank.implicit, reason: watchReason.author })],
        occasion,
        now,
        () => true,
      ).map(each => each.reason)
    }
    assert.deepEqual(
      [at('10:59:59'), at('11:00:00'), at('11:00:01')],
      [[watchReason.author], [watchReason.manual], [watchReason.manual]],
    )
    assert.deepEqual(at('10:59:59', { level: watchLevel.muted }), [])
  })

  test('each level covers its events', () => {
    for (const [level, kind, wanted] of [
      [watchLevel.all, 'item.updated', true],
      [watchLevel.comments, 'item.updated', false],
      [watchLevel.comments, 'annotation.created', true],
      [watchLevel.comments, 'chat.message', true],
      [watchLevel.status, 'annotation.created', false],
      [watchLevel.status, 'item.closed', true],
      [watchLevel.muted, 'item.closed', false],
    ] as const)
      assert.equal(levelCovers(level, { kind }), wanted, `${level} ${kind}`)
    assert.ok(levelCovers(watchLevel.status, { kind: 'item.updated', changes: { status: { to: 'done' } } }))
  })

  test('the setting accepts true, false, no value and a list of reasons', () => {
    for (const [value, reason, wanted] of [
      [undefined, 1, true],
      [null, 2, true],
      [true, 3, true],
      [false, 1, false],
      [['author'], 1, true],
      [['author'], 2, false],
      [false, 5, true],
      ['nonsense', 1, true],
    ] as const)
      assert.equal(includesReason(value, reason), wanted)
  })
})
