import { asOwner, check } from './check.ts'
import { importSingly } from './import.ts'
import { crashRound, type Scene } from './round.ts'
import { makeRows } from './rows.ts'

// Does the checker bite? Each damage below is what a broken service would leave behind; each must be told.

const ofRow = `(select id from item where meta ->> 'row' = $1)`
const damages: Record<string, string> = {
  'an entry of time is missing': `delete from time where id = (select id from time where item_id = ${ofRow} limit 1)`,
  'an entry of time is doubled': `insert into time (tenant_id, id, created, created_by, updated, updated_by, user_id, item_id, date, minutes, note, billable, external_id)
    select tenant_id, gen_random_uuid(), created, created_by, updated, updated_by, user_id, item_id, date, minutes, note, billable, external_id from time where item_id = ${ofRow} limit 1`,
  'an entry of time has another length': `update time set minutes = minutes + 1 where id = (select id from time where item_id = ${ofRow} limit 1)`,
  'the title is cut': `update item set title = left(title, 5) where id = ${ofRow}`,
  'a typed value is missing': `delete from item_value where (item_id, field_id) = (select item_id, field_id from item_value where item_id = ${ofRow} limit 1)`,
  'the event is missing': `delete from event where record_id = ${ofRow}`,
  'the event is doubled': `insert into event (tenant_id, id, at, kind, entity, record_id, actor_id, actor_kind, change_set_id, changes)
    select tenant_id, gen_random_uuid(), at, kind, entity, record_id, actor_id, actor_kind, change_set_id, changes from event where record_id = ${ofRow}`,
  'the event of a time is missing': `delete from event where record_id = (select id from time where item_id = ${ofRow} limit 1)`,
  'the item is stored twice': `insert into item (tenant_id, id, created, created_by, updated, updated_by, container_id, number, key, title, meta)
    select tenant_id, gen_random_uuid(), created, created_by, updated, updated_by, container_id, -1, 'X-1', title, meta from item where id = ${ofRow}`,
  'the item is lost': `with gone as (delete from item where id = ${ofRow}) select 1`,
  'the kept answer is missing': `delete from idempotency where body::jsonb ->> 'id' = ${ofRow}::text`,
}

/** Imports a few rows, damages one after the other behind the service's back, and tells which damages were not found. */
export async function missedDamages({ service, client }: Scene): Promise<string[]> {
  const rows = makeRows('tooth', 'external+key', 5)
  await importSingly(client, rows, () => false)
  const missed: string[] = []
  await asOwner(service.databaseUrl(), async owner => {
    const before = await check(owner, rows, true)
    if (before.violations.length > 0) throw new Error(`something is wrong already: ${before.violations.join('\n')}`)
    for (const [damage, statement] of Object.entries(damages)) {
      await owner.query('begin')
      await owner.query('set local session_replication_role = replica') // foreign keys would save us
      const { rowCount } = await owner.query(statement, [rows[3]?.name])
      const { violations } = await check(owner, rows, true)
      if (rowCount === 0 || violations.length === 0) missed.push(damage)
      await owner.query('rollback')
    }
  })
  return missed
}

/** With commits that do not wait for the disk, a dead database loses what was acknowledged: rounds until it shows. */
export async function lossWithoutSync(scene: Scene, most: number): Promise<{ rounds: number; violations: string[] }> {
  const url = scene.service.databaseUrl()
  const set = async (statement: string) =>
    await asOwner(url, async owner => {
      await owner.query(statement)
      await owner.query('select pg_reload_conf()')
    })
  await set('alter system set synchronous_commit = off')
  try {
    for (let round = 1; round <= most; round++) {
      const { violations } = await crashRound(scene, {
        run: `loss${round}`,
        victim: 'database',
        mode: 'external',
        rows: 500,
      })
      if (violations.some(each => each.includes('is lost'))) return { rounds: round, violations }
    }
    return { rounds: most, violations: [] }
  } finally {
    await set('alter system reset synchronous_commit')
  }
}
