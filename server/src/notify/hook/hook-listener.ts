import type { EventJob, Listener, LoggedEvent } from '../../engine/dispatch/dispatch.ts'
import type { Context } from '../../kernel/context.ts'
import { isImported } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { kindNamed } from '../../kernel/kinds.ts'
import { name, ownTenant, sql } from '../../kernel/sql.ts'
import { codesOf } from '../event-names.ts'
import { type Hook, liveHooks } from './hook.ts'

/** The task that sends one event to one hook. */
export const hookTaskName = 'hook'

/** The group of all calls to a hook. */
export const groupOf = (hookId: Id) => `hook ${hookId}`

/** The task, lane and group of a call about a record: calls about one record are made in order. */
export function callOf(hookId: Id, recordId: Id) {
  return { task: hookTaskName, lane: `hook ${hookId} ${recordId}`, group: groupOf(hookId) }
}

export const hookListener: Listener = {
  name: 'hook',
  listens: async ctx => (await liveHooks(ctx)).length > 0,
  jobs: async (ctx, events) => await hookJobs(ctx, await liveHooks(ctx), events),
}

/** The jobs for the hooks that select an event. Conditions and the visibility for the owner are checked when a job runs. */
export async function hookJobs(
  ctx: Context,
  hooks: readonly Hook[],
  events: readonly LoggedEvent[],
): Promise<EventJob[]> {
  const containers = hooks.some(hook => hook.container.length > 0) ? await containersOf(ctx, events) : new Map()
  return events.flatMap(event => {
    if (isImported(event)) return []
    const codes = codesOf(event)
    const involved = [containers.get(event.recordId), event.changes.containerId?.from, event.changes.containerId?.to]
    return hooks
      .filter(({ events: wanted }) => wanted.length === 0 || wanted.some(code => codes.includes(code)))
      .filter(({ container }) => container.length === 0 || container.some(id => involved.includes(id)))
      .map(hook => ({
        event,
        ...callOf(hook.id, event.recordId),
        payload: { hookId: hook.id, xact: event.xact, eventId: event.id },
      }))
  })
}

/** The container of each record: its own, or that of the item that it belongs to. */
async function containersOf(ctx: Context, events: readonly LoggedEvent[]): Promise<Map<Id, Id>> {
  const { tenantId } = ctx.caller
  const places = new Map<Id, Id>()
  for (const [entity, own] of Map.groupBy(events, event => event.entity)) {
    const kind = kindNamed(entity)
    const ids = own.map(event => event.recordId)
    if (entity === 'Container') for (const id of ids) places.set(id, id)
    const itself = kind?.byProperty.has('containerId')
    if (!kind || (!itself && !kind.byProperty.has('itemId'))) continue
    const from = itself
      ? sql`select t.id, t.container_id as place from ${name(kind.table)} t`
      : sql`select t.id, i.container_id as place from ${name(kind.table)} t join item i on i.tenant_id = ${ownTenant} and i.id = t.item_id`
    const rows = await ctx.sql<{
      id: Id
      place: Id | null
    }>`${from} where t.tenant_id = ${tenantId} and t.id = any(${ids}::uuid[])`
    for (const { id, place } of rows) if (place) places.set(id, place)
  }
  return places
}
