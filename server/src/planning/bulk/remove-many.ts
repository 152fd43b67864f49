import { refuseTogether } from '../../items/change/change.ts'
import { items, placeColumns } from '../../items/item/item.ts'
import { mayAt, missing } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId, newId } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import { Forbidden, NotFound, type Refusal } from '../../kernel/refusal.ts'
import { reader } from '../../kernel/schema/shape.ts'
import { Part, Refs } from '../../kernel/schema/values.ts'
import { raw } from '../../kernel/sql.ts'

const maxRemoved = 5000

interface RemoveItems {
  itemIds: Id[]
}

const schema = Part({ itemIds: { ...Refs('Item', maxRemoved), minItems: 1 } }, ['itemIds'])

/** Deletes many items, all or none. */
export const removeMany = operation<RemoveItems>({
  permission: items.permissions.delete,
  placed: true,
  mode: 'write',
  summary: 'Delete many items',
  description: `Deletes up to ${maxRemoved} items like \`DELETE /item/:id\`, in one change set: all or none. If some cannot be deleted, 422 \`items-refused\` names each of them with its reason in \`Fields\` and \`refused\`. An undo of the change set restores all.`,
  body: {
    schema,
    read: reader<RemoveItems>(schema),
    example: { itemIds: ['01890000-0000-7000-8000-000000000000'] },
  },
  reply: {
    status: 200,
    schema: {
      type: 'object',
      title: 'DeletedItems',
      properties: {
        items: {
          type: 'array',
          items: {
            type: 'object',
            properties: { id: { type: 'string' }, key: { type: 'string' }, version: { type: 'integer' } },
            required: ['id', 'key', 'version'],
          },
        },
      },
      required: ['items'],
    },
    description: 'The deleted items, each with its version after the deletion.',
  },
  refusals: [422],
  async run(ctx, { body }) {
    const ids = [...new Set(body.itemIds.map(each => each.toLowerCase()))]
    const found = await lockDeletable(ctx, ids)
    const refusalOf = (id: Id): Refusal | undefined => {
      const isDeletable = found.get(id)
      if (isDeletable === undefined) return new NotFound()
      return isDeletable ? undefined : new Forbidden(missing(ctx.caller, items.permissions.delete))
    }
    refuseTogether(
      ids.map(id => ({ id, refusal: refusalOf(id) })),
      'deleted',
    )
    return { body: { items: await markDeleted(ctx, ids) } }
  },
})

/** Locks the items that the caller sees, in the order of their ids, and says of each whether the caller may delete it. */
async function lockDeletable(ctx: Context, ids: readonly Id[]): Promise<Map<Id, boolean>> {
  const t = raw('t')
  const rows = await ctx.sql<{ id: Id; may: boolean }>`
    select t.id, ${mayAt(ctx.caller, items.permissions.delete, t, placeColumns(t))} as may from item t
    where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${ids.filter(isId)}::uuid[]) and not t.deleted and ${items.visible(ctx.caller, t)}
    order by t.id for update of t`
  return new Map(rows.map(({ id, may }) => [id, may]))
}

/** Marks all items as deleted by one statement, each with its event. */
async function markDeleted(ctx: Context, ids: readonly Id[]): Promise<{ id: Id; key: string; version: number }[]> {
  const { tenantId, userId, kind } = ctx.caller
  const changes = JSON.stringify({ deleted: { from: false, to: true } })
  return await ctx.sql<{ id: Id; key: string; version: number }>`
    with wanted as (
      select * from unnest(${ids}::uuid[], ${ids.map(newId)}::uuid[]) with ordinality as w(id, event, place)
    ), made as (
      update item t set deleted = true, updated = ${ctx.now}, updated_by = ${userId}, version = t.version + 1
      from wanted w where t.tenant_id = ${tenantId} and t.id = w.id
      returning t.id, t.key, t.version, w.event, w.place
    ), happened as (
      insert into event (tenant_id, id, at, kind, entity, record_id, actor_id, actor_kind, change_set_id, changes, version)
      select ${tenantId}::uuid, m.event, ${ctx.now}::timestamptz, 'item.deleted', 'Item', m.id, ${userId}::uuid, ${kind}, ${ctx.changeSet}::uuid, ${changes}::jsonb, m.version
      from made m returning 1
    )
    select m.id, m.key, m.version from made m order by m.place`
}
