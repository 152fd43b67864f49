import { removeUser } from '../../admin/user/write-user.ts'
import { removeClock, restoreClock } from '../../clocks/clock/clock-change.ts'
import { restoreContainer } from '../../containers/container/container.ts'
import { removeLabel, restoreLabel } from '../../containers/label/label.ts'
import { bookkeeping } from '../../engine/undo/built-on.ts'
import { withSystemAuthority } from '../../identity/tenant-caller.ts'
import { removeLink, restoreLink } from '../../items/link/link.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { kind } from '../../kernel/kinds.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { name, raw } from '../../kernel/sql.ts'
import { removeCycle } from '../../planning/cycle/cycle-lifecycle.ts'
import { usersOf } from '../../records/references/pointers.ts'
import { removeProcess } from '../../rules/process/process-change.ts'
import { removeTime, restoreTime } from '../../time/entry/entry.ts'
import { requestOf } from './operation-request.ts'
import { isOfSample, livingRecords, noteSample, sampleKinds } from './sample-record.ts'

/** How a record is removed and restored. */
interface Removal {
  remove?: (ctx: Context, id: Id) => Promise<unknown>
  restore?: (ctx: Context, id: Id) => Promise<unknown>
}

/** The kinds that are not simply deleted and restored. */
const removals: Partial<Record<(typeof sampleKinds)[number], Removal>> = {
  Time: { remove: (ctx, id) => removeTime(ctx, id, {}), restore: restoreTime },
  Link: { remove: (ctx, id) => removeLink(ctx, id, {}), restore: restoreLink },
  Cycle: { remove: (ctx, id) => removeCycle(ctx, id, {}) },
  Container: { restore: restoreContainer },
  Clock: { remove: (ctx, id) => removeClock(ctx, id, {}), restore: restoreClock },
  Process: { remove: (ctx, id) => removeProcess(ctx, id, {}, requestOf({})) },
  User: { remove: (ctx, id) => removeUser(ctx, id, {}) },
  Label: { remove: removeLabel, restore: restoreLabel },
}

export function removalOf(entity: (typeof sampleKinds)[number]): Required<Removal> {
  const { remove, restore } = kind(entity)
  return { remove, restore, ...removals[entity] }
}

/** A record of the sample that was not removed. */
interface KeptRecord {
  entity: string
  id: Id
  name: string
  because: string
}

interface RemovedSample {
  removed: Record<string, number>
  kept: KeptRecord[]
}

/**
 * Removes the records of the sample, except those that somebody uses by now: what others have written refers to them, or an item
 * was moved to a container of their own.
 */
export async function removeSample(given: Context): Promise<RemovedSample> {
  const ctx = withSystemAuthority(given)
  const living = await livingRecords(ctx)
  const result: RemovedSample = { removed: {}, kept: [] }
  for (const entity of sampleKinds) {
    const { remove } = removalOf(entity)
    let left = living.get(entity) ?? []
    const keep = (reasons: ReadonlyMap<Id, string>) => {
      for (const [id, because] of reasons) result.kept.push({ entity, id, name: '', because })
      left = left.filter(id => !reasons.has(id))
      return reasons.size > 0
    }
    if (entity === 'Item') keep(await movedItems(ctx, left))
    // What is kept keeps what it refers to in turn, such as a subtask its parent.
    while (keep(await stillUsed(ctx, entity, left, result.kept)));
    for (const id of left) {
      const refusal = await attempt(() => remove(ctx, id))
      if (refusal) result.kept.push({ entity, id, name: '', because: refusal.message })
      else result.removed[entity] = (result.removed[entity] ?? 0) + 1
    }
  }
  await nameThem(ctx, result.kept)
  await noteSample(ctx, 'sampleRemoved')
  return result
}

async function stillUsed(
  ctx: Context,
  entity: string,
  ids: readonly Id[],
  kept: readonly KeptRecord[],
): Promise<Map<Id, string>> {
  if (ids.length === 0) return new Map()
  const keptIds = kept.map(each => each.id)
  const found = await usersOf(ctx, entity, ids, other => isOfSample(ctx.caller.tenantId, other, keptIds))
  return new Map(
    [...found].flatMap(([id, kinds]) => {
      const users = kinds.filter(each => !bookkeeping.has(each) && !ofTheService.has(each))
      return users.length > 0 ? [[id, `is used by ${users.sort().join(', ')}`] as const] : []
    }),
  )
}

/** What the service writes about somebody's work by itself. */
const ofTheService = new Set(['InboxEntry'])

async function movedItems(ctx: Context, ids: readonly Id[]): Promise<Map<Id, string>> {
  const { tenantId } = ctx.caller
  const rows = await ctx.sql<{
    id: Id
  }>`select i.id from item i where i.tenant_id = ${tenantId} and i.id = any(${ids}::uuid[])
    and not exists (select 1 from sample_record s where s.tenant_id = ${tenantId} and s.entity = 'Container' and s.record_id = i.container_id)`
  return new Map(rows.map(({ id }) => [id, 'was moved to another container']))
}

async function attempt(work: () => Promise<unknown>): Promise<Refusal | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** Adds the names, titles or keys of the records that are kept. */
async function nameThem(ctx: Context, kept: readonly KeptRecord[]): Promise<void> {
  for (const [entity, group] of Map.groupBy(kept, each => each.entity)) {
    const { table, byProperty } = kind(entity)
    const shown = byProperty.has('name')
      ? raw('t.name')
      : byProperty.has('title')
        ? raw("t.key || ' ' || t.title")
        : raw("''")
    const rows = await ctx.sql<{ id: Id; name: string }>`select t.id, ${shown} as name from ${name(table)} t
      where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${group.map(each => each.id)}::uuid[])`
    const names = new Map(rows.map(row => [row.id, row.name]))
    for (const each of group) each.name = names.get(each.id) ?? ''
  }
}
