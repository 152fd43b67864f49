import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { asOwner } from '../../../test/support/database/database.ts'
import { casesOf, isLong } from '../../../test/support/form.ts'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { grantEffect } from '../../identity/grant-effect.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'
import { operator } from '../../language/conditions/conditions.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { foldFlow } from './fold-flow.ts'

const day = 86_400_000
const zones = ['UTC', 'Asia/Kathmandu', 'America/St_Johns']
const statuses = ['Open', 'Doing', 'Waiting', 'Done', 'Cancelled', 'Strange']

describe('the sums of the flow', async () => {
  const { ada, bob, person, database, databaseUrl } = await sharedTestService()
  const callers: Record<string, Person> = {
    admin: ada,
    member: await person({ name: 'Nora', timezone: zones[1] ?? '' }),
    manager: await person({ name: 'Mia', role: roleCode.manager, timezone: zones[2] ?? '' }),
    denied: bob,
    insideOne: await person({ name: 'Ivy', role: roleCode.requester, kind: userKind.requester }),
    requester: await person({ name: 'Rex', role: roleCode.requester, kind: userKind.requester }),
  }
  const containers = [
    await ada.post('/container', { name: 'One' }),
    await ada.post('/container', { name: 'Two' }),
    await ada.post('/container', { name: 'Private', private: true }),
  ]
  await ada.put(`/container/${containers[0].id}/member`, { userId: callers.insideOne?.id, role: roleCode.member })
  await ada.post('/access-control', {
    userId: bob.id,
    effect: grantEffect.deny,
    permissions: ['item.read'],
    owner: ownerKind.container,
    ownerId: containers[1].id,
  })
  const tenant = tenantCaller(ada.tenantId)
  const fold = () => database.transaction(tenant, foldFlow)
  const kept = () =>
    database.single(
      tenant,
      ctx => ctx.sql<{ timezone: string }>`select timezone from flow_zone where tenant_id = ${ada.tenantId} order by 1`,
    )

  const now = Date.now()
  const always = [{ condition: [{ leftSide: 'number', operator: operator.greaterOrEqual, rightSide: '0' }] }]
  const body = (timezone: string, more: object) => ({
    startDate: new Date(now - 20 * day).toISOString(),
    endDate: new Date(now).toISOString(),
    timezone,
    ...more,
  })
  const read = async (who: Person, report: string, asked: object) => {
    const { status, body: rows } = await who.ask('POST', `/insight/report/${report}`, { body: asked })
    assert.ok(status === 200 || status === 403, JSON.stringify(rows))
    return status === 200 ? rows.map(({ drill: _, ...row }: { drill: unknown }) => row) : status
  }

  /** Compares the sums with the stays, which a condition that always holds makes the report read. */
  async function assertEqual(what: string) {
    for (const [name, who] of Object.entries(callers))
      for (const [report, timezone, containerIds] of [
        ['cumulative-flow', zones[0], undefined],
        ['cumulative-flow', zones[1], [containers[0].id, containers[2].id]],
        ['burn', zones[2], undefined],
      ] as const) {
        const asked = body(timezone ?? '', containerIds ? { containerIds } : {})
        assert.deepEqual(
          await read(who, report, asked),
          await read(who, report, { ...asked, conditionGroup: always }),
          `${report} of ${name} in ${timezone} ${what}`,
        )
      }
  }

  const counted = [
    '',
    'statusCategory[lt]=4',
    'status=doing',
    'status[ne]=Open&priority[gte]=2',
    'priority=2',
    'visibility=1',
    'archived=include',
    'archived=only&statusCategory=1',
    'deleted=only',
    `containerId=${containers[1].id}&status=OPEN,done`,
    `containerId=${containers[2].id}&archived=include`,
  ]

  /** Compares the exact counts of lists, which are sums for most callers, with the records in the lists. */
  async function assertCounts(what: string) {
    for (const [name, who] of Object.entries(callers))
      for (const query of casesOf(counted, 2)) {
        const { headers } = await who.ask('GET', `/item?${query}&limit=1&count=exact`)
        const listed = await who.get(`/item?${query}&fields=id`)
        assert.equal(Number(headers.get('x-total-count')), listed.length, `${query} of ${name} ${what}`)
      }
  }

  const step = fc.record({
    item: fc.nat(4),
    verb: fc.constantFrom(
      ...([
        'status',
        'status',
        'past',
        'past',
        'past',
        'move',
        'move',
        'merge',
        'unmerge',
        'undo',
        'undo',
        'delete',
      ] as const),
      ...([
        'restore',
        'restore',
        'estimate',
        'visibility',
        'visibility',
        'archive',
        'archive',
        'priority',
        'priority',
        'several',
        'several',
        'people',
        'people',
        'fold',
        'zone',
      ] as const),
    ),
    value: fc.nat(29),
  })

  test('equal the stays after any history, for every caller, however far they are folded', async () => {
    const histories = fc.sample(fc.array(step, { minLength: 50, maxLength: 50 }), {
      numRuns: isLong ? 2 : 1,
      seed: Number(process.env.SEED ?? 1),
    })
    const succeeded = new Set<string>()
    await fold()
    for (const [n, history] of histories.entries()) {
      const items: string[] = []
      for (const i of [0, 1, 2, 3, 4])
        items.push(
          (
            await ada.post('/item', {
              title: `${n} ${i}`,
              containerId: containers[i % 3].id,
              status: statuses[i],
              points: i,
              assignees: i === 1 ? [callers.member?.id] : [],
              Meta: { created: new Date(now - (30 - 5 * i) * day - i * 7_000_000).toISOString() },
            })
          ).id,
        )
      const changeSets: string[] = []
      for (const { item, verb, value } of history) {
        const id = items[item]
        const patch = (values: object) => ada.ask('PATCH', `/item/${id}`, { body: values })
        const request = {
          status: () => patch({ status: statuses[value % statuses.length] }),
          estimate: () => patch({ points: value / 2, estimateMinutes: value * 10 }),
          visibility: () => patch({ visibility: value % 3 }),
          priority: () => patch({ priority: value % 5 }),
          people: () =>
            patch({
              assignees: value % 2 ? [callers.member?.id] : [callers.manager?.id],
              requesterId: value % 3 ? callers.member?.id : callers.denied?.id,
            }),
          several: () =>
            patch({
              status: statuses[value % statuses.length],
              priority: value % 5,
              visibility: value % 2,
              points: value,
            }),
          move: () => ada.ask('POST', `/item/${id}/move`, { body: { containerId: containers[value % 3].id } }),
          merge: () => ada.ask('POST', `/item/${id}/merge`, { body: { into: items[value % 5] } }),
          unmerge: () => ada.ask('POST', `/item/${id}/unmerge`),
          undo: () => ada.ask('POST', `/change/${changeSets.at(-1 - (value % 3)) ?? id}/undo`),
          delete: () => ada.ask('DELETE', `/item/${id}`),
          restore: () => ada.ask('POST', `/item/${id}/restore`),
          archive: () => ada.ask('POST', `/item/${id}/${value % 2 ? 'archive' : 'unarchive'}`),
          zone: () => ada.ask('PATCH', `/user/${callers.member?.id}`, { body: { timezone: zones[value % 3] } }),
          // The database takes the time of a change from the item, so that a history may have happened at any time.
          past: () =>
            asOwner(
              databaseUrl,
              undefined,
              `update item set status_category = $2, updated = created + $3 * interval '17 hours 20 minutes' where id = $1`,
              [id, value % 6, value],
            ),
          fold,
        }[verb]
        const answer = await request()
        if (typeof answer !== 'object' || !('headers' in answer)) {
          succeeded.add(verb)
          continue
        }
        assert.ok(answer.status < 500, `${verb} answered ${answer.status}`)
        const changeSet = answer.headers.get('change-set')
        if (answer.status < 300) succeeded.add(verb)
        if (answer.status < 300 && changeSet) changeSets.push(changeSet)
      }
      await assertEqual('before the fold')
      await assertCounts('before the fold')
      await fold()
      await assertEqual('after the fold')
      await assertCounts('after the fold')
    }
    const verbs = [
      'status',
      'past',
      'move',
      'undo',
      'delete',
      'restore',
      'estimate',
      'visibility',
      'archive',
      'priority',
      'several',
      'fold',
      'zone',
    ]
    for (const verb of verbs) assert.ok(succeeded.has(verb), `no ${verb}`)
    assert.ok((await kept()).length >= 2)
  })

  test('are what the report reads, without those of items that the caller does not see', async () => {
    await ada.post('/item', { title: 'In two', containerId: containers[1].id })
    await fold()
    await database.transaction(
      tenant,
      ctx =>
        ctx.sql`update flow_day set items = items + 1000 where tenant_id = ${ada.tenantId} and home_id = ${containers[1].id} returning 1`,
    )
    const greatest = async (who: Person | undefined) =>
      Math.max(
        ...(await read(who ?? ada, 'cumulative-flow', body('UTC', {}))).map((row: { items: number }) => row.items),
      )
    assert.ok((await greatest(ada)) >= 1000)
    assert.ok((await greatest(callers.insideOne)) < 1000)
    assert.ok((await greatest(callers.denied)) < 1000)
  })

  test('the numbers of items are right after several writers at once, with folds between them', async () => {
    const make = (n: number) =>
      ada.post('/item', { title: `At once ${n}`, containerId: containers[n % 3].id, visibility: n % 2 })
    const made = await Promise.all([0, 1, 2, 3, 4, 5].map(make))
    for (let round = 0; round < (isLong ? 6 : 3); round++) {
      const patches = made.flatMap(({ id }, i) => [
        ada.ask('PATCH', `/item/${id}`, { body: { status: statuses[(round + i) % statuses.length] } }),
        ada.ask('PATCH', `/item/${id}`, { body: { priority: (round + i) % 5, visibility: round % 3 } }),
        ada.ask('POST', `/item/${id}/${round % 2 ? 'archive' : 'unarchive'}`),
      ])
      await Promise.all([...patches, make(round), fold(), fold()])
    }
    await assertCounts('after writers at once')
    await fold()
    await assertCounts('after writers at once and a fold')
  })

  test('counts of lists are read from the sums', async () => {
    await database.transaction(
      tenant,
      ctx =>
        ctx.sql`update item_count set items = items + 1000 where tenant_id = ${ada.tenantId} and container_id = ${containers[1].id} and visibility = 0 returning 1`,
    )
    const total = async (who: Person | undefined) =>
      Number((await (who ?? ada).ask('GET', '/item?limit=1&count=exact')).headers.get('x-total-count'))
    for (const who of [ada, callers.member, callers.manager]) assert.ok((await total(who)) >= 1000)
    for (const who of [callers.insideOne, callers.denied]) assert.ok((await total(who)) < 1000)
  })
})
