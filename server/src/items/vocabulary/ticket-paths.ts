import { ownTenant, type Sql, sql } from '../../kernel/sql.ts'
import type { Path } from '../../language/conditions/conditions.ts'

// The paths of conditions to the ticket of an item (`t`); an item without a ticket has the defaults.

const kept = (column: Sql) => sql`(select ${column} from ticket o where o.tenant_id = ${ownTenant} and o.id = t.id)`
const number = (column: Sql): Path => ({ kind: 'number', value: sql`coalesce(${kept(column)}, 0)` })
const instant = (column: Sql): Path => ({ kind: 'instant', value: kept(column) })

export const ticketPaths: Record<string, Path> = {
  waitingon: number(sql`o.waiting_on`),
  channel: { kind: 'number', value: sql`coalesce(${kept(sql`o.channel`)}, 4)` },
  reopencount: number(sql`o.reopen_count`),
  queuegroupid: { kind: 'id', value: kept(sql`o.queue_group_id`) },
  spam: { kind: 'boolean', value: sql`coalesce(${kept(sql`o.spam`)}, false)` },
  snoozeduntil: instant(sql`o.snoozed_until`),
  firstreplyat: instant(sql`o.first_reply_at`),
  lastrequesterat: instant(sql`o.last_requester_at`),
  laststaffat: instant(sql`o.last_staff_at`),
}
