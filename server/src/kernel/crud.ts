import type { TProperties } from 'typebox'
import type { Context } from './context.ts'
import { isId } from './id.ts'
import type { Kind } from './kinds.ts'
import { includeDeleted } from './list/list-operation.ts'
import { type Input, type Operation, operation } from './operation.ts'
import { withCheck } from './record/findings.ts'
import type { Expect, Stored, Values } from './record/record.ts'
import { fault, Invalid, NotFound } from './refusal.ts'
import type { Resource } from './resource.ts'
import { name, raw } from './sql.ts'

// The usual operations of a kind of record. Each is a value that a room puts into its route table, as it is or with its own
// function (`own`) in place of the one of the kind.

export { list } from './list/list-operation.ts'
export { check } from './record/findings.ts'

export function get(kind: Kind): Operation {
  const t = raw('t')
  return {
    permission: kind.permissions.read,
    placed: kind.placed,
    mode: 'read',
    summary: `Get one ${kind.entity}`,
    description: `${kind.about} An unknown id and an id of another tenant get the same answer: 404.`,
    query: { deleted: includeDeleted },
    reply: { status: 200, schema: kind.schema, description: 'The record.' },
    refusals: [404],
    async run(ctx, { params, query }) {
      const id = params.id ?? ''
      if (!isId(id)) throw new NotFound()
      const json = await kind.jsonFor(ctx, t)
      const [row] = await ctx.sql<{
        json: string
        version: number
      }>`select ${json} as json, t.version from ${name(kind.table)} t
        where t.tenant_id = ${ctx.caller.tenantId} and t.id = ${id} ${query.deleted === 'include' ? raw('') : raw('and not t.deleted')} and ${kind.visible(ctx.caller, t)}`
      if (!row) throw new NotFound()
      if (kind.findings)
        return { body: await withCheck(ctx, JSON.parse(row.json), kind.findings), version: row.version }
      return { text: row.json, version: row.version }
    },
  }
}

type Create<P extends TProperties> = (
  ctx: Context,
  values: Partial<Values<P>>,
  input: Input<Partial<Values<P>>>,
) => Promise<Stored<P>>

export function create<P extends TProperties>(kind: Resource<P>, own?: Create<P>): Operation {
  return operation<Partial<Values<P>>>({
    permission: kind.permissions.create,
    placed: kind.placed,
    mode: 'write',
    summary: `Create one ${kind.entity}`,
    description: `${kind.about} Omitted properties get their defaults.`,
    body: { schema: kind.createSchema, read: kind.readCreate, example: kind.example },
    reply: { status: 201, schema: kind.schema, description: 'The created record.' },
    refusals: [422],
    async run(ctx, input) {
      const record = await (own ?? kind.create)(ctx, input.body, input as never)
      return {
        body: await withCheck(ctx, record, kind.findings),
        version: record.version,
        headers: { location: `${input.path}/${record.id}` },
      }
    },
  })
}

type Update<P extends TProperties> = (
  ctx: Context,
  id: string,
  values: Partial<Values<P>>,
  more: { expect?: Expect },
  input: Input<Partial<Values<P>>>,
) => Promise<Stored<P>>

export function update<P extends TProperties>(kind: Resource<P>, own?: Update<P>): Operation {
  return operation<Partial<Values<P>>>({
    permission: kind.permissions.update,
    placed: kind.placed,
    mode: 'write',
    summary: `Update one ${kind.entity}`,
    description: `${kind.about} Properties that are absent stay, \`null\` resets a property to its default, an array replaces the whole array. An update without changes writes nothing.`,
    body: {
      schema: kind.updateSchema,
      read: kind.readUpdate,
      example: withoutIds(kind.example),
    },
    reply: { status: 200, schema: kind.schema, description: 'The updated record.' },
    refusals: [404, 412, 422],
    async run(ctx, input) {
      const record = await (own ?? kind.update)(ctx, idOf(input), input.body, { expect: input.expect }, input)
      return { body: await withCheck(ctx, record, kind.findings), version: record.version }
    },
  })
}

/** Returns the id that the path or the body names; where both name one, they must agree. */
export function idOf({ params, raw }: Input): string {
  const body =
    raw !== null && typeof raw === 'object'
      ? Object.entries(raw).find(([key]) => key.toLowerCase() === 'id')?.[1]
      : undefined
  const id = params.id ?? body
  if (id === undefined || id === null || id === '') throw new Invalid([fault(['id'], 'required', 'is required')])
  if (typeof id !== 'string') throw new Invalid([fault(['id'], 'type', 'must be a string', id)])
  if (
    params.id !== undefined &&
    typeof body === 'string' &&
    body !== '' &&
    body.toLowerCase() !== params.id.toLowerCase()
  ) {
    throw new Invalid([fault(['id'], 'mismatch', 'is not the id in the path', body)])
  }
  return id
}

type Remove<P extends TProperties> = (
  ctx: Context,
  id: string,
  more: { expect?: Expect },
  input: Input,
) => Promise<Stored<P> | undefined>

export function remove<P extends TProperties>(kind: Resource<P>, own?: Remove<P>): Operation {
  return {
    permission: kind.permissions.delete,
    placed: kind.placed,
    mode: 'write',
    summary: `Delete one ${kind.entity}`,
    description: `${kind.about} The record is marked as deleted and can be restored for 30 days.`,
    reply: { status: 204, description: 'The record is deleted.' },
    refusals: [404, 412, 422],
    async run(ctx, input) {
      await (own ?? kind.remove)(ctx, input.params.id ?? '', { expect: input.expect }, input)
      return {}
    },
  }
}

export function restore<P extends TProperties>(
  kind: Resource<P>,
  own?: (ctx: Context, id: string) => Promise<Stored<P>>,
): Operation {
  return {
    permission: kind.permissions.delete,
    placed: kind.placed,
    mode: 'write',
    summary: `Restore a deleted ${kind.entity}`,
    description: `${kind.about} Undoes the deletion; a record that is not deleted stays as it is.`,
    reply: { status: 200, schema: kind.schema, description: 'The restored record.' },
    refusals: [404, 422],
    async run(ctx, { params }) {
      const record = await (own ?? kind.restore)(ctx, params.id ?? '')
      return { body: await withCheck(ctx, record, kind.findings), version: record.version }
    },
  }
}

/** An update needs no ids of other records to be a useful example. */
function withoutIds(example: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  return example && Object.fromEntries(Object.entries(example).filter(([, value]) => !isId(value)))
}
