import { Type } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { idTaken } from '../../kernel/refusal.ts'
import { isUuidV7 } from '../../kernel/schema/formats.ts'
import type { Schema } from '../../kernel/schema/shape.ts'

// Clients may make the id of a new record themselves: a record that was created without a network can be changed and linked before the
// service knows it, and a creation whose answer was lost cannot make a second record.

/** How far the clock of a client may be ahead. */
const maxAhead = 86_400_000

/** The id of a new record, made by the client; `''` and `null` are none. */
export const OwnId = Type.Unsafe<string | null>({
  type: 'string',
  format: 'uuidv7',
  nullable: true,
  'x-check': (value: unknown) =>
    typeof value === 'string' && timeOfId(value) > Date.now() + maxAhead
      ? { code: 'future', message: 'has a time that is more than a day ahead' }
      : undefined,
  description:
    'An id that the client has made: a UUIDv7 (RFC 9562) whose time is at most a day ahead. Without one the service makes it. An id that a record has or had is refused (409 `id-taken`).',
})

/** The time in a UUIDv7, in ms; of other texts it is not a number. */
const timeOfId = (id: string) => (isUuidV7(id) ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : Number.NaN)

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

/** Whether a statement failed because another request has just stored a record of the table under the same id. */
export function hasKeyOf(table: string, error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === `${table}_pkey`
}
