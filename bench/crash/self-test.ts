import { asOwner, check } from './check.ts'
import { importSingly } from './import.ts'
import { createTicket, exchangeMail, resubmit } from './mail.ts'
import { mailFaults, remainingMailFaults } from './mail-check.ts'
import { type CrashSetup, crashRound } from './round.ts'
import { makeRows } from './rows.ts'

// Tests the checker itself: each damage below is what a defective service would leave, and each must be reported.

const itemOfRow = `(select id from item where meta ->> 'row' = $1)`
const damages: Record<string, string> = {
  'an entry of time is missing': `delete from time where id = (select id from time where item_id = ${itemOfRow} limit 1)`,
  'an entry of time is stored twice': `insert into time (tenant_id, id, created, created_by, updated, updated_by, user_id, item_id, date, seconds, note, billable, external_id)
    select tenant_id, gen_random_uuid(), created, created_by, updated, updated_by, user_id, item_id, date, seconds, note, billable, external_id from time where item_id = ${itemOfRow} limit 1`,
  'an entry of time has another length': `update time set seconds = seconds + 60 where id = (select id from time where item_id = ${itemOfRow} limit 1)`,
  'the title is truncated': `update item set title = left(title, 5) where id = ${itemOfRow}`,
  'a typed value is missing': `delete from item_value where (item_id, field_id) = (select item_id, field_id from item_value where item_id = ${itemOfRow} limit 1)`,
  'the event is missing': `delete from event where record_id = ${itemOfRow}`,
  'the event is stored twice': `insert into event (tenant_id, id, at, kind, entity, record_id, actor_id, actor_kind, change_set_id, changes)
    select tenant_id, gen_random_uuid(), at, kind, entity, record_id, actor_id, actor_kind, change_set_id, changes from event where record_id = ${itemOfRow}`,
  'the event of an entry of time is missing': `delete from event where record_id = (select id from time where item_id = ${itemOfRow} limit 1)`,
  'the item is stored twice': `insert into item (tenant_id, id, created, created_by, updated, updated_by, container_id, number, key, title, meta)
    select tenant_id, gen_random_uuid(), created, created_by, updated, updated_by, container_id, -1, 'X-1', title, meta from item where id = ${itemOfRow}`,
  'the item is lost': `with gone as (delete from item where id = ${itemOfRow}) select 1`,
  'the stored reply is missing': `delete from idempotency where body::jsonb ->> 'id' = ${itemOfRow}::text`,
}

/**
 * Imports a few rows, applies each damage directly in the database, and returns the damages that the check did not
 * report.
 */
export async function undetectedDamages({ service, client }: CrashSetup): Promise<string[]> {
  const rows = makeRows('selftest', 'external+key', 5)
  await importSingly(client, rows, () => false)
  const undetected: string[] = []
  await asOwner(service.databaseUrl(), async owner => {
    const before = await check(owner, rows, true)
    if (before.violations.length > 0)
      throw new Error(`the check fails before any damage: ${before.violations.join('\n')}`)
    for (const [damage, statement] of Object.entries(damages)) {
      await owner.query('begin')
      await owner.query('set local session_replication_role = replica') // Foreign keys would refuse some of the damages.
      const { rowCount } = await owner.query(statement, [rows[3]?.name])
      const { violations } = await check(owner, rows, true)
      if (rowCount === 0 || violations.length === 0) undetected.push(damage)
      await owner.query('rollback')
    }
  })
  return undetected
}

const itemOfMessage = `(select item_id from mail_message where message_id = $1)`
const annotationOfReply = `(select id from annotation where body = $1)`
const mailDamages: Record<string, { of: 'message' | 'reply'; statement: string }> = {
  'a message is lost': { of: 'message', statement: 'delete from mail_message where message_id = $1' },
  'a message is never processed': {
    of: 'message',
    statement: 'update mail_message set outcome = 0 where message_id = $1',
  },
  'a message is stored twice': {
    of: 'message',
    statement: `insert into mail_message (tenant_id, id, created, created_by, updated, updated_by, mailbox_id, message_id, outcome, sha256)
      select tenant_id, gen_random_uuid(), created, created_by, updated, updated_by, mailbox_id, message_id, outcome, sha256 from mail_message where message_id = $1`,
  },
  'the ticket of a message is missing': {
    of: 'message',
    statement: `update item set title = '' where id = ${itemOfMessage}`,
  },
  'a message became two tickets': {
    of: 'message',
    statement: `insert into item (tenant_id, id, created, created_by, updated, updated_by, container_id, number, key, title)
      select tenant_id, gen_random_uuid(), created, created_by, updated, updated_by, container_id, -2, 'X-2', title from item where id = ${itemOfMessage}`,
  },
  'a reply is lost': { of: 'reply', statement: `update annotation set body = '' where body = $1` },
  'the mail of a reply is missing': {
    of: 'reply',
    statement: `delete from outbound_mail where annotation_id = ${annotationOfReply}`,
  },
  'the mail of a reply is stored twice': {
    of: 'reply',
    statement: `insert into outbound_mail (tenant_id, id, created, created_by, updated, updated_by, annotation_id, message_id, state)
      select tenant_id, gen_random_uuid(), created, created_by, updated, updated_by, annotation_id, message_id, state from outbound_mail where annotation_id = ${annotationOfReply}`,
  },
  'a mail was sent under another Message-ID': {
    of: 'reply',
    statement: `update outbound_mail set message_id = '<other@desk.test>' where annotation_id = ${annotationOfReply}`,
  },
  'a mail that was sent is still queued': {
    of: 'reply',
    statement: `update outbound_mail set state = 0 where annotation_id = ${annotationOfReply}`,
  },
}

/** Does the same for messages and replies. */
export async function undetectedMailDamages({ service, client, mail }: CrashSetup): Promise<string[]> {
  if (!mail) return []
  const ticketId = await createTicket(client, mail, 'selftest')
  let turns = 0
  await exchangeMail(client, mail, { run: 'selftest', ticketId }, () => ++turns > 6)
  await resubmit(client, mail)
  const mailCheck = { messages: mail.messages, replies: mail.replies, settled: true }
  const url = service.databaseUrl()
  const before = await remainingMailFaults(url, mail, mailCheck)
  if (before.length > 0) throw new Error(`the check of the mail fails before any damage: ${before.join('\n')}`)
  const undetected: string[] = []
  await asOwner(url, async owner => {
    for (const [damage, { of, statement }] of Object.entries(mailDamages)) {
      await owner.query('begin')
      await owner.query('set local session_replication_role = replica')
      const parameter = of === 'message' ? mail.messages[0]?.messageId : mail.replies[0]?.name
      const { rowCount } = await owner.query(statement, [parameter])
      if (rowCount === 0 || (await mailFaults(owner, mail, mailCheck)).length === 0) undetected.push(damage)
      await owner.query('rollback')
    }
  })
  return undetected
}

/**
 * Runs rounds with a database whose commits do not wait for the disk, until a lost write is detected: a killed database
 * loses acknowledged writes then.
 */
export async function lossWithoutSync(
  setup: CrashSetup,
  maxRounds: number,
): Promise<{ rounds: number; violations: string[] }> {
  const url = setup.service.databaseUrl()
  const set = async (statement: string) =>
    await asOwner(url, async owner => {
      await owner.query(statement)
      await owner.query('select pg_reload_conf()')
    })
  await set('alter system set synchronous_commit = off')
  try {
    for (let round = 1; round <= maxRounds; round++) {
      // Without mail, because its check would wait until its timeout for what is lost.
      const { violations } = await crashRound(
        { ...setup, mail: undefined },
        {
          run: `loss${round}`,
          victim: 'database',
          mode: 'external',
          rows: 500,
        },
      )
      if (violations.some(each => each.includes('is lost'))) return { rounds: round, violations }
    }
    return { rounds: maxRounds, violations: [] }
  } finally {
    await set('alter system reset synchronous_commit')
  }
}
