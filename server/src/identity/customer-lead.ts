import type { Caller } from '../kernel/access.ts'
import type { Id } from '../kernel/id.ts'
import { and, raw, type Sql, sql } from '../kernel/sql.ts'
import { containerKind } from '../records/container-kind.ts'

declare module '../kernel/access.ts' {
  interface Authority {
    /** The customers of which the user is a lead: a contact who sees all tickets of the customer. */
    readonly leads?: readonly Id[]
  }
}

/** The customers of which the user `u` is a lead, by the address of the account. */
export function ledCustomers(u: Sql, tenantId: Id): Sql {
  return sql`coalesce((select array_agg(c.id) from crm_address a join crm c on c.tenant_id = ${tenantId} and c.id = a.crm_id and not c.deleted
    where a.tenant_id = ${tenantId} and a.address = lower(${u}.email) and exists (
      select 1 from jsonb_array_elements(c.contacts) k where k ->> 'lead' = 'true' and lower(btrim(k ->> 'email')) = a.address)), '{}')`
}

/** Restricts items to the tickets of customers of which the caller is a lead. What else is done for a customer is not theirs to see. */
export function ledTickets({ authority, tenantId }: Caller, t: Sql): Sql {
  const { leads = [] } = authority
  if (leads.length === 0) return raw('false')
  return and([
    sql`${t}.crm_id = any(${[...leads]}::uuid[])`,
    sql`exists (select 1 from container desk where desk.tenant_id = ${tenantId} and desk.id = ${t}.container_id and desk.kind = ${raw(String(containerKind.desk))})`,
  ])
}
