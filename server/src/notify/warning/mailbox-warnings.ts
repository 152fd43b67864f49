import type { RecurringJob } from '../../engine/recurring-jobs/recurring-jobs.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Context } from '../../kernel/context.ts'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import { ownTenant } from '../../kernel/sql.ts'
import { warn } from './warning.ts'

const minute = 60_000

/** A mailbox that could not be read for this time causes a warning; ms. */
const warnedAfter = 60 * minute

/** Warns the creator of a mailbox that it cannot be read, once per outage. */
export function warnOfMailboxes(database: Database, now: () => Date = () => new Date()): RecurringJob {
  return {
    name: 'warn-of-mailboxes',
    every: 10 * minute,
    async run(signal) {
      // The cross-tenant query finds the few tenants with a failing mailbox, so the others need no transaction.
      const troubled = await database.crossTenantSql<{
        id: Id
      }>`select distinct tenant_id as id from mailbox_state where next_try is not null`
      for (const { id } of troubled) {
        signal.throwIfAborted()
        const before = new Date(now().getTime() - warnedAfter)
        await database.transaction(tenantCaller(id), ctx => warnWithin(ctx, before))
      }
    },
  }
}

interface Silent {
  id: Id
  name: string
  address: string
  by: Id
  since: Date
  error: string
}

async function warnWithin(ctx: Context, before: Date): Promise<void> {
  const rows =
    await ctx.sql<Silent>`select m.id, m.name, m.address, m.created_by as by, coalesce(s.last_fetch, m.created) as since, s.last_error as error
    from mailbox_state s join mailbox m on m.tenant_id = ${ownTenant} and m.id = s.mailbox_id and m.active and not m.deleted
    where s.tenant_id = ${ctx.caller.tenantId} and s.failures > 0 and s.last_error <> '' and coalesce(s.last_fetch, m.created) < ${before} order by m.id limit 100`
  for (const { id, name, address, by, since, error } of rows)
    await warn(ctx, {
      entity: 'Mailbox',
      recordId: id,
      ownerId: by,
      event: 'mailbox.failing',
      since,
      headline: `The mailbox “${name}” (${address}) cannot be read`,
      details: [
        `Since ${since.toISOString()}. Last error: ${error}.`,
        'Gantry tries again at least once an hour and reads the waiting mails as soon as the mailbox works.',
        `Current state: GET ${ctx.services.baseUrl}/api/mail/mailbox/${id}. A change of the mailbox starts a new attempt at once.`,
      ],
    })
}
