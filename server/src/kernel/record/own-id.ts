import type { Context } from '../context.ts'
import { type Id, newId } from '../id.ts'
import { fault, Refusal } from '../refusal.ts'
import type { Schema } from '../schema/shape.ts'
import { OwnId } from '../schema/values.ts'

// Clients may make the id of a new record themselves: a record that was created without a network can be changed and linked before the
// service knows it, and a creation whose answer was lost cannot make a second record.

/** The schema of a creation whose record may have an id of the client. */
export function withOwnId(schema: Schema): Schema {
  return { ...schema, properties: { id: OwnId, ...schema.properties } }
}

/** Returns the id of a new record: the one that the client has made, which no record of the tenant may ever have had. */
export async function idForNew(ctx: Context, own: Id | null | undefined): Promise<Id> {
  if (!own) return newId()
  const id = own.toLowerCase()
  if (await isUsed(ctx, id)) throw idTaken(id)
  return id
}

/** Also of a record that was deleted for good: under its id, its history and what belonged to it would be those of the new one. */
export async function isUsed(ctx: Context, id: Id): Promise<boolean> {
  const known =
    await ctx.sql`select 1 from event where tenant_id = ${ctx.caller.tenantId} and record_id = ${id} limit 1`
  return known.length > 0
}

/** The refusal of an id that a record has already. It does not tell which record, or whether the caller may see it. */
export function idTaken(id?: Id): Refusal {
  const faults = [fault(['id'], 'id-taken', 'is the id of a record that exists or existed', id)]
  return new Refusal(409, 'id-taken', 'there is or was a record with this id', { faults })
}

/** Whether a statement failed because another request has just stored a record of the table under the same id. */
export function hasKeyOf(table: string, error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === `${table}_pkey`
}
