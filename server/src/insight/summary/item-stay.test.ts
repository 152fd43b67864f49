import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { sharedTestService } from '../../../test/support/people.ts'

interface Stay {
  item_id: string
  n: number
  status: string
  category: number
  container_id: string
  from_at: Date
  to_at: Date
}

interface LogRow {
  item_id: string
  at: Date
  changes: Record<string, { from?: unknown; to?: unknown }>
}

const folder = new URL('../../../migrations/', import.meta.url)
const file = readdirSync(folder).find(name => name.endsWith('-item-stay.sql')) ?? ''
const migration = readFileSync(new URL(file, folder), 'utf8')

describe('the stays of items', async () => {
  const { ada, databaseUrl } = await sharedTestService()
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  after(() => client.end())
  const rows = async <Row extends object>(text: string): Promise<Row[]> =>
    (await client.query(text, [ada.tenantId])).rows
  const containers = [await ada.post('/container', { name: 'One' }), await ada.post('/container', { name: 'Two' })]
  const stored = (from = 'item_stay') =>
    rows<Stay>(
      `select item_id, n::int, status, category, container_id, from_at, to_at from ${from} where tenant_id = $1 order by item_id, n`,
    )

  /** The stays by a walk through the whole log: an independent reckoning. */
  async function scanned(): Promise<Stay[]> {
    const made = await rows<{ id: string; created: Date }>(
      'select id, created from item where tenant_id = $1 order by id',
    )
    const log = await rows<LogRow>(
      `select record_id as item_id, at, changes from event where tenant_id = $1 and entity = 'Item' order by xact, id`,
    )
    return made.flatMap(({ id, created }) => {
      let [now, since, n] = [{ status: '', statusCategory: 0, containerId: '' }, created, 0]
      return log
        .filter(each => each.item_id === id)
        .flatMap(({ at, changes }, i) => {
          const next = { ...now }
          for (const property of ['status', 'statusCategory', 'containerId'] as const)
            if (changes[property])
              Object.assign(next, {
                [property]: changes[property].to ?? { status: '', statusCategory: 0 }[property as 'status'],
              })
          const [before, from] = [now, since]
          now = next
          if (i === 0 || JSON.stringify(before) === JSON.stringify(next)) return []
          since = at
          return [
            {
              item_id: id,
              n: ++n,
              status: before.status,
              category: before.statusCategory,
              container_id: before.containerId,
              from_at: from,
              to_at: at,
            },
          ]
        })
    })
  }

  const verbs = [
    'status',
    'status',
    'status',
    'category',
    'move',
    'merge',
    'unmerge',
    'unmerge',
    'undo',
    'undo',
    'delete',
    'restore',
    'restore',
    'title',
  ] as const
  const step = fc.record({
    item: fc.nat(3),
    verb: fc.constantFrom(...verbs),
    value: fc.nat(9),
  })
  const statuses = ['Open', 'Doing', 'Waiting', 'Done', 'Cancelled', 'Strange']

  test('are those that a walk through the log finds, after any history, and so is what the migration makes of it', async () => {
    const histories = fc.sample(fc.array(step, { minLength: 40, maxLength: 40 }), {
      numRuns: 3,
      seed: Number(process.env.SEED ?? 1),
    })
    const succeeded = new Set<string>()
    for (const history of histories) {
      const items: string[] = []
      for (const status of ['', 'Open', 'Doing', 'Open'])
        items.push(
          (await ada.post('/item', { title: 'x', containerId: containers[0].id, ...(status ? { status } : {}) })).id,
        )
      const changeSets: string[] = []
      for (const { item, verb, value } of history) {
        const id = items[item]
        const request = {
          status: () => ada.ask('PATCH', `/item/${id}`, { body: { status: statuses[value % statuses.length] } }),
          category: () => ada.ask('PATCH', `/item/${id}`, { body: { statusCategory: value % 6 } }),
          title: () => ada.ask('PATCH', `/item/${id}`, { body: { title: String(value) } }),
          move: () => ada.ask('POST', `/item/${id}/move`, { body: { containerId: containers[value % 2].id } }),
          merge: () => ada.ask('POST', `/item/${id}/merge`, { body: { into: items[value % 4] } }),
          unmerge: () => ada.ask('POST', `/item/${id}/unmerge`),
          undo: () => ada.ask('POST', `/change/${changeSets.at(-1 - (value % 3)) ?? id}/undo`),
          delete: () => ada.ask('DELETE', `/item/${id}`),
          restore: () => ada.ask('POST', `/item/${id}/restore`),
        }[verb]
        const { status, headers } = await request()
        assert.ok(status < 500, `${verb} answered ${status}`)
        const changeSet = headers.get('change-set')
        if (status < 300) succeeded.add(verb)
        if (status < 300 && changeSet) changeSets.push(changeSet)
      }
    }
    const kept = await stored()
    assert.deepEqual([...succeeded].sort(), [...new Set(verbs)].sort())
    assert.ok(kept.length > 20, `only ${kept.length} stays`)
    assert.deepEqual(kept, await scanned())
    const [, backfill = ''] = /-- The past[^;]*?;[\s\S]*?(insert into item_stay [^;]+);/.exec(migration) ?? []
    await client.query('begin')
    await client.query('create temp table made (like item_stay) on commit drop')
    await client.query(backfill.replace('insert into item_stay', 'insert into made'))
    assert.deepEqual(await stored('made'), kept)
    await client.query('rollback')
  })
})
