import { type Item, items } from '../../items/item/item.ts'
import { demand, narrowedTo, staff } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import { instantText } from '../../kernel/record/columns.ts'
import { withCheck } from '../../kernel/record/findings.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { nothing, ownTenant, sql } from '../../kernel/sql.ts'
import { Code } from '../../records/code-table.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { autoWatchPreferences, autoWatchSetting } from './auto-watch-setting.ts'
import { createWatch, removeWatch, watches, watchLevel, watchReason } from './watch.ts'
import { watchLevels, watchReasons } from './watch-codes.ts'

const watchSchema = watches.schema

const watcherSchema: Schema = {
  type: 'object',
  title: 'Watcher',
  properties: {
    id: { type: 'string', description: 'The id of the watch; empty for authors and assignees without a stored watch.' },
    userId: { type: 'string' },
    userGroupId: { type: 'string' },
    email: { type: 'string' },
    name: { type: 'string' },
    level: Code(watchLevels),
    reason: Code(watchReasons),
    until: { type: 'string', format: 'date-time', nullable: true },
  },
  required: ['id', 'userId', 'userGroupId', 'email', 'name', 'level', 'reason', 'until'],
}

interface Watcher {
  id: string
  userId: string
  userGroupId: string
  email: string
  name: string
  level: number
  reason: number
  until: string | null
}

const byStaff = narrowedTo(staff, watches.permissions.read)

export const listWatchers = operation({
  permission: byStaff,
  placed: true,
  mode: 'read',
  summary: 'List the watchers of an item',
  description: 'All watches on the item, including muted ones, and the implicit watches of its author and assignees.',
  reply: { status: 200, schema: { type: 'array', items: watcherSchema }, description: 'The watchers.' },
  refusals: [404],
  async run(ctx, { params }) {
    const item = await items.get(ctx, params.id ?? '')
    demand(ctx.caller, byStaff, item)
    return { body: await findWatchers(ctx, item) }
  },
})

async function findWatchers(ctx: Context, item: Item, userId?: Id): Promise<Watcher[]> {
  const { tenantId } = ctx.caller
  const rows = await ctx.sql<Watcher>`
    select w.id::text as id, coalesce(w.user_id::text, '') as "userId", coalesce(w.user_group_id::text, '') as "userGroupId", w.email,
      coalesce(u.name, g.name, w.email) as name, w.level, w.reason, ${instantText(sql`w.until`)} as until
    from watch w left join "user" u on u.tenant_id = ${ownTenant} and u.id = w.user_id left join user_group g on g.tenant_id = ${ownTenant} and g.id = w.user_group_id
    where w.tenant_id = ${tenantId} and w.owner = ${ownerKind.item} and w.owner_id = ${item.id} and not w.deleted ${userId ? sql`and w.user_id = ${userId}` : nothing}
    union all
    select '', u.id::text, '', '', u.name, 0, (case when u.id = any(${item.assignees}::uuid[]) then ${watchReason.assignee}::int else ${watchReason.author}::int end), null
    from "user" u where u.tenant_id = ${tenantId} and not u.deleted and u.id = any(${implicitWatchers(item).filter(id => !userId || id === userId)}::uuid[])
      and not exists (select 1 from watch w where w.tenant_id = ${tenantId} and w.owner = ${ownerKind.item} and w.owner_id = ${item.id} and w.user_id = u.id and not w.deleted)
    order by name, id`
  const wants = await autoWatchPreferences(
    ctx,
    rows.map(row => row.userId),
  )
  return rows.filter(row => row.id !== '' || wants(row.userId, row.reason))
}

function implicitWatchers({ assignees, createdBy, requesterId }: Item): Id[] {
  return [...new Set([...assignees, createdBy, requesterId])].filter(id => id !== '')
}

const ownWatchSchema: Schema = {
  type: 'object',
  title: 'OwnWatch',
  properties: {
    watching: { type: 'boolean' },
    id: { type: 'string' },
    level: Code(watchLevels),
    reason: Code(watchReasons),
    until: { type: 'string', format: 'date-time', nullable: true },
  },
  required: ['watching', 'id', 'level', 'reason', 'until'],
}

/** The caller’s own watch, else the implicit watch of an author or assignee, else none. */
async function ownWatch(ctx: Context, item: Item) {
  const [mine] = await findWatchers(ctx, item, ctx.caller.userId)
  if (!mine) return { watching: false, id: '', level: watchLevel.muted, reason: watchReason.manual, until: null }
  const { id, level, reason, until } = mine
  return { watching: level !== watchLevel.muted, id, level, reason, until }
}

const ownPermission = watches.permissions.read

export const getOwnWatch = operation({
  permission: ownPermission,
  placed: true,
  mode: 'read',
  summary: 'Get the caller’s watch on an item',
  description: 'The caller’s own watch on the item, or the implicit watch of its author or assignee (without `id`).',
  reply: { status: 200, schema: ownWatchSchema, description: 'The caller’s watch.' },
  refusals: [404],
  run: async (ctx, { params }) => ({ body: await ownWatch(ctx, await items.get(ctx, params.id ?? '')) }),
})

interface OwnWatchInput {
  level?: number
  until?: string | null
}

const ownWatchInputSchema: Schema = {
  type: 'object',
  properties: {
    level: Code(watchLevels),
    until: { type: 'string', format: 'date-time', maxLength: 40, nullable: true },
  },
  additionalProperties: false,
}

export const watchItem = operation<OwnWatchInput>({
  permission: watches.permissions.create,
  placed: true,
  mode: 'write',
  summary: 'Watch an item, or mute it',
  description:
    '`level` 0 all · 1 comments and status · 2 status only · 3 muted; `until` suppresses notifications up to that time.',
  body: {
    schema: ownWatchInputSchema,
    read: reader<OwnWatchInput>(ownWatchInputSchema),
    example: { level: watchLevel.comments },
  },
  reply: { status: 200, schema: watchSchema, description: 'The caller’s watch.' },
  refusals: [404, 422],
  async run(ctx, { params, body }) {
    const { id } = await items.get(ctx, params.id ?? '')
    const { watch } = await createWatch(ctx, {
      owner: ownerKind.item,
      ownerId: id,
      level: body.level ?? watchLevel.all,
      ...('until' in body ? { until: body.until ?? null } : {}),
    })
    return { body: await withCheck(ctx, watch, watches.findings), version: watch.version }
  },
})

export const unwatchItem = operation({
  permission: watches.permissions.delete,
  placed: true,
  mode: 'write',
  summary: 'Stop watching an item',
  description: `Ends the caller’s watch; for an author or assignee a mute is stored instead. The caller is then notified of the item only when somebody mentions them. The setting \`${autoWatchSetting.key}\` defines the reasons for which users watch items automatically.`,
  reply: { status: 204, description: 'The caller does not watch the item.' },
  refusals: [404],
  async run(ctx, { params }) {
    const item = await items.get(ctx, params.id ?? '')
    const { id } = await ownWatch(ctx, item)
    const wants = await autoWatchPreferences(ctx, [ctx.caller.userId])
    const implied =
      implicitWatchers(item).includes(ctx.caller.userId) &&
      wants(ctx.caller.userId, item.assignees.includes(ctx.caller.userId) ? watchReason.assignee : watchReason.author)
    if (implied)
      await createWatch(ctx, { owner: ownerKind.item, ownerId: item.id, level: watchLevel.muted, until: null })
    else if (id) await removeWatch(ctx, id)
    return {}
  },
})
