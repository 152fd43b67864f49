import { asOwner, check } from './check.ts'
import { importSingly } from './import.ts'
import { correspond, handInAgain, openConversation } from './mail.ts'
import { mailFaults, unmailed } from './mail-check.ts'
import { crashRound, type Scene } from './round.ts'
import { makeRows } from './rows.ts'

// Tests the checker itself: each damage below is what a defective service would leave, and each must be reported.

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

/**
 * Imports a few rows, damages one after the other directly in the database, and returns the damages that were not
 * found.
 */
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

const ofLetter = `(select item_id from mail_message where message_id = $1)`
const ofReply = `(select id from annotation where body = $1)`
const mailDamages: Record<string, { of: 'letter' | 'reply'; statement: string }> = {
  'a letter is lost': { of: 'letter', statement: 'delete from mail_message where message_id = $1' },
  'a letter waits for ever': { of: 'letter', statement: 'update mail_message set outcome = 0 where message_id = $1' },
  'a letter is taken in twice': {
    of: 'letter',
    statement: `insert into mail_message (tenant_id, id, created, created_by, updated, updated_by, mailbox_id, message_id, outcome, sha256)
      select tenant_id, gen_random_uuid(), created, created_by, updated, updated_by, mailbox_id, message_id, outcome, sha256 from mail_message where message_id = $1`,
  },
  'the ticket of a letter is missing': { of: 'letter', statement: `update item set title = '' where id = ${ofLetter}` },
  'a letter has become two tickets': {
    of: 'letter',
    statement: `insert into item (tenant_id, id, created, created_by, updated, updated_by, container_id, number, key, title)
      select tenant_id, gen_random_uuid(), created, created_by, updated, updated_by, container_id, -2, 'X-2', title from item where id = ${ofLetter}`,
  },
  'a reply is lost': { of: 'reply', statement: `update annotation set body = '' where body = $1` },
  'the mail of a reply is missing': {
    of: 'reply',
    statement: `delete from outbound_mail where annotation_id = ${ofReply}`,
  },
  'the mail of a reply is there twice': {
    of: 'reply',
    statement: `insert into outbound_mail (tenant_id, id, created, created_by, updated, updated_by, annotation_id, message_id, state)
      select tenant_id, gen_random_uuid(), created, created_by, updated, updated_by, annotation_id, message_id, state from outbound_mail where annotation_id = ${ofReply}`,
  },
  'a mail has left under another Message-ID': {
    of: 'reply',
    statement: `update outbound_mail set message_id = '<other@desk.test>' where annotation_id = ${ofReply}`,
  },
  'a mail that has left still waits': {
    of: 'reply',
    statement: `update outbound_mail set state = 0 where annotation_id = ${ofReply}`,
  },
}

/** The same for letters and replies. */
export async function missedMailDamages({ service, client, mail }: Scene): Promise<string[]> {
  if (!mail) return []
  const ticketId = await openConversation(client, mail, 'tooth')
  let turns = 0
  await correspond(client, mail, { run: 'tooth', ticketId }, () => ++turns > 6)
  await handInAgain(client, mail)
  const asked = { letters: mail.letters, replies: mail.replies, settled: true }
  const url = service.databaseUrl()
  const before = await unmailed(url, mail, asked)
  if (before.length > 0) throw new Error(`something is wrong with the mail already: ${before.join('\n')}`)
  const missed: string[] = []
  await asOwner(url, async owner => {
    for (const [damage, { of, statement }] of Object.entries(mailDamages)) {
      await owner.query('begin')
      await owner.query('set local session_replication_role = replica')
      const what = of === 'letter' ? mail.letters[0]?.messageId : mail.replies[0]?.name
      const { rowCount } = await owner.query(statement, [what])
      if (rowCount === 0 || (await mailFaults(owner, mail, asked)).length === 0) missed.push(damage)
      await owner.query('rollback')
    }
  })
  return missed
}

/**
 * When commits do not wait for the disk, a killed database loses acknowledged writes: runs rounds until a loss is
 * detected.
 */
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
      // Without the mail, whose proof would wait for what is lost.
      const { violations } = await crashRound(
        { ...scene, mail: undefined },
        {
          run: `loss${round}`,
          victim: 'database',
          mode: 'external',
          rows: 500,
        },
      )
      if (violations.some(each => each.includes('is lost'))) return { rounds: round, violations }
    }
    return { rounds: most, violations: [] }
  } finally {
    await set('alter system reset synchronous_commit')
  }
}
