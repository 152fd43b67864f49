import type { Context } from '../../kernel/context.ts'
import { appendEvents, type Changes } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import type { Kind } from '../../kernel/kinds.ts'
import { forgetAfterCommit } from '../../kernel/memory.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { withCheck } from '../../kernel/record/findings.ts'
import { refuseUnknown } from '../../kernel/record/references.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { Ref } from '../../kernel/schema/values.ts'
import { name, raw, type Sql, sql } from '../../kernel/sql.ts'
import { changeableKinds } from '../../records/changeable-kinds.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { unlessTaken } from '../../records/references/pointers.ts'
import { ancestorsOf } from '../../records/tree.ts'
import { type Crm, crms, whoIsIt } from './crm.ts'

const batch = 500
const t = raw('t')

/** The condition on the rows of a kind that follow a merged customer; the rows of other kinds all follow. */
type Followers = Readonly<Record<string, (alias: Sql) => Sql>>

const schema: Schema = {
  type: 'object',
  properties: { into: Ref('Crm', { minLength: 1 }) },
  required: ['into'],
  additionalProperties: false,
}

/** The operation that merges a customer into another. */
export function mergeRoutes(followers: Followers): Routes {
  const merge = operation<{ into: Id }>({
    permission: crms.permissions.delete,
    mode: 'write',
    summary: 'Merge a customer into another',
    description:
      'Items, containers, users and every other record of this customer become those of `into`, which also gets the contacts, domains, SKUs and labels. This customer is deleted, and `mergedInto` names the other one. What is closed (time that is submitted, approved, invoiced, locked or on a closed day, and issued invoices) keeps its customer. Undoing the change set undoes the merge.',
    body: {
      schema,
      read: reader<{ into: Id }>(schema),
      example: { into: '01890000-0000-7000-8000-000000000000' },
    },
    reply: { status: 200, schema: crms.schema, description: 'The remaining customer.' },
    refusals: [404, 422],
    async run(ctx, { params, body }) {
      const made = await mergeInto(ctx, params.id ?? '', body.into.toLowerCase(), followers)
      return { body: await withCheck(ctx, made, crms.findings), version: made.version }
    },
  })
  return { 'POST /finance/crm/:id/merge': merge }
}

async function mergeInto(ctx: Context, id: Id, into: Id, followers: Followers): Promise<Crm> {
  const found = await crms.get(ctx, id)
  if (into === found.id) throw new Invalid([fault(['into'], 'same', 'must be another customer', into)])
  await refuseUnknown(ctx, [{ entity: 'Crm', id: into, path: ['into'] }])
  // In the order of ids, so that two merges in opposite directions wait for each other instead of deadlocking.
  const locked = new Map<Id, Crm>()
  for (const each of [found.id, into].sort()) locked.set(each, await crms.get(ctx, each, { lock: true }))
  const [gone, other] = [locked.get(found.id) ?? found, locked.get(into) ?? found]
  if ((await ancestorsOf(ctx, crms, other.parentId)).includes(gone.id))
    throw new RuleBroken('cycle', 'the other customer lies below this one', [
      fault(['into'], 'cycle', 'lies below this customer', into),
    ])
  for (const kind of changeableKinds()) await moveReferences(ctx, kind, gone.id, other.id, followers)
  await crms.update(ctx, gone.id, { mergedInto: other.id })
  await crms.remove(ctx, gone.id)
  forgetAfterCommit(ctx)
  return await crms.update(ctx, other.id, joined(other, gone))
}

/** What the remaining customer gets from the other one. */
function joined(crm: Crm, gone: Crm): Partial<Crm> {
  const known = new Set(crm.contacts.map(whoIsIt))
  const ids = new Set(crm.contacts.map(each => each.id))
  const contacts = [...crm.contacts, ...gone.contacts.filter(each => !known.has(whoIsIt(each)) && !ids.has(each.id))]
  const both = <T>(of: (crm: Crm) => readonly T[]) => [...new Set([...of(crm), ...of(gone)])]
  const lists = {
    contacts,
    domains: both(each => each.domains),
    sku: both(each => each.sku),
    labels: both(each => each.labels),
  }
  for (const [property, values] of Object.entries(lists)) {
    const max = Number(Reflect.get(Reflect.get(crms.shape, property), 'maxItems'))
    if (values.length > max)
      throw new RuleBroken('too-many-entries', `the customers have more than ${max} ${property} together`)
  }
  return { ...lists, domain: crm.domain || gone.domain }
}

/** Moves the declared references of a kind, and the records that the customer owns. */
async function moveReferences(ctx: Context, kind: Kind, from: Id, to: Id, followers: Followers): Promise<void> {
  const follows = followers[kind.entity]?.(t) ?? raw('true')
  for (const { type, schema, column, property } of kind.columns) {
    if (type !== 'uuid' || schema['x-ref'] !== 'Crm' || property === 'mergedInto') continue
    const where = sql`t.${name(column)} = ${from} and ${follows}`
    for (;;) {
      const ids = await lockedIds(ctx, kind, where)
      await write(ctx, kind, ids, sql`${name(column)} = ${to}`, { [property]: { from, to } })
      if (ids.length < batch) break
    }
  }
  const ownerId = kind.byProperty.get('ownerId')
  if (!ownerId || !kind.byProperty.has('owner')) return
  const owned = sql`t.owner = ${ownerKind.crm} and t.owner_id = ${from}::${raw(ownerId.type)} and ${follows}`
  for (const id of await lockedIds(ctx, kind, owned, 10_000)) {
    const moved = sql`owner_id = ${to}::${raw(ownerId.type)}`
    // Two watches of one user become one: an equal record of the other customer exists already, so this one is deleted.
    if (!(await unlessTaken(ctx, () => write(ctx, kind, [id], moved, { ownerId: { from, to } }))))
      await write(ctx, kind, [id], sql`deleted = true`, { deleted: { from: false, to: true } })
  }
}

async function lockedIds(ctx: Context, kind: Kind, where: Sql, max = batch): Promise<Id[]> {
  const rows = await ctx.sql<{ id: Id }>`select t.id from ${name(kind.table)} t
    where t.tenant_id = ${ctx.caller.tenantId} and not t.deleted and ${where} order by t.id limit ${max} for update`
  return rows.map(row => row.id)
}

async function write(ctx: Context, kind: Kind, ids: readonly Id[], set: Sql, changes: Changes): Promise<void> {
  await ctx.sql`update ${name(kind.table)} set ${set}, updated = ${ctx.now}, updated_by = ${ctx.caller.userId}, version = version + 1
    where tenant_id = ${ctx.caller.tenantId} and id = any(${ids}::uuid[])`
  const verb = changes.deleted ? 'deleted' : 'updated'
  await appendEvents(
    ctx,
    ids.map(id => ({ kind: `${kind.area}.${verb}`, entity: kind.entity, recordId: id, changes })),
  )
}
