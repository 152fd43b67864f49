import { members, narrowedTo, type Permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { isId } from '../../kernel/id.ts'
import { kind } from '../../kernel/kinds.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { name, raw } from '../../kernel/sql.ts'

/** A kind of which many records are written at once, each by the operations on one. */
export interface Area {
  path: string
  entity: string
  many: string
  /** An example of a row, where the operation on one record has none. */
  example?: object
}

/** What became of one of many records. */
export function outcomeSchema(title: string, outcomes: readonly string[]): Schema {
  return {
    type: 'object',
    title,
    properties: {
      id: { type: 'string' },
      outcome: { type: 'string', enum: [...outcomes, 'failed'] },
      status: { type: 'integer', description: 'The HTTP status that the record alone would have.' },
      version: { type: 'integer' },
      code: { type: 'string' },
      detail: { type: 'string' },
      Fields: { type: 'array', items: { type: 'object' } },
    },
    required: ['id', 'outcome', 'status'],
  }
}

/** Requesters write one record at a time. */
export function ofMembers(wanted: Permission): Permission {
  const roles = wanted.roles.filter(role => members.includes(role))
  return roles.length === wanted.roles.length ? wanted : narrowedTo(roles, wanted)
}

/** The version of a record that the caller sees. */
export async function versionOf(ctx: Context, entity: string, id: unknown): Promise<number | undefined> {
  if (!isId(id)) return undefined
  const { table, visible } = kind(entity)
  const [row] = await ctx.sql<{ version: number }>`select t.version from ${name(table)} t
    where t.tenant_id = ${ctx.caller.tenantId} and t.id = ${id} and not t.deleted and ${visible(ctx.caller, raw('t'))}`
  return row?.version
}
