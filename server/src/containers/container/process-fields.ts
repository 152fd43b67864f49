import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { raw, type Sql } from '../../kernel/sql.ts'

interface ProcessField {
  fieldId: string
  order: number
  required: boolean
}

/** Locks the processes that a container gets, so that a concurrent change or deletion of one is not missed. */
export async function fieldsOf(ctx: Context, processIds: readonly Id[]): Promise<ProcessField[]> {
  return mergedFields([...(await fieldsByProcess(ctx, processIds, raw('for share'))).values()].flat())
}

/** The fields of each of these processes. */
export async function fieldsByProcess(
  ctx: Context,
  processIds: readonly Id[],
  hold: Sql,
): Promise<Map<Id, Partial<ProcessField>[]>> {
  const rows = await ctx.sql<{ id: Id; fields: Partial<ProcessField>[] }>`select id, fields from process
    where tenant_id = ${ctx.caller.tenantId} and id = any(${processIds.filter(isId)}::uuid[]) and not deleted order by id ${hold}`
  return new Map(rows.map(({ id, fields }) => [id, fields]))
}

/** Merges the fields of several processes: each field occurs once, and is required if one process requires it. */
export function mergedFields(fields: readonly Partial<ProcessField>[]): ProcessField[] {
  const all = new Map<string, ProcessField>()
  for (const { fieldId = '', order = 0, required = false } of fields) {
    const known = all.get(fieldId)
    all.set(fieldId, {
      fieldId,
      order: Math.min(order, known?.order ?? order),
      required: required || (known?.required ?? false),
    })
  }
  return [...all.values()].sort((a, b) => a.order - b.order || (a.fieldId < b.fieldId ? -1 : 1))
}
