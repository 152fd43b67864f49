import type { Context } from '../../kernel/context.ts'
import { kind } from '../../kernel/kinds.ts'
import { raw } from '../../kernel/sql.ts'
import type { Field } from './field-record.ts'

/** All fields of the tenant. */
export async function fieldsOf(ctx: Context): Promise<Field[]> {
  const rows = await ctx.sql<{ json: string }>`select ${kind('Field').json(raw('f'))} as json from field f
    where f.tenant_id = ${ctx.caller.tenantId} and not f.deleted order by f.id`
  return rows.map(row => JSON.parse(row.json))
}
