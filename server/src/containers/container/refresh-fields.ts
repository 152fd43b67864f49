import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { nothing, sql } from '../../kernel/sql.ts'
import { lockRecords, updateRecords } from '../../records/history/rewrite.ts'
import { type Container, containers } from './container.ts'
import { fieldsByProcess, mergedFields } from './process-fields.ts'

/** The fields that a container showed before its processes changed, and those it shows now. */
export interface Refreshed {
  containerId: Id
  before: string[]
  after: string[]
}

/** Removes a deleted process from every container, with the fields that only it had; a successor takes its position. */
export async function withdrawProcess(ctx: Context, processId: Id, follower?: Id): Promise<Refreshed[]> {
  const followed = (id: Id) => (id === processId ? (follower ?? '') : id)
  return await refresh(ctx, processId, ({ processIds, defaultProcessId, portal }) => ({
    processIds: [...new Set(processIds.map(followed))].filter(id => id !== ''),
    defaultProcessId: followed(defaultProcessId),
    portal: { ...portal, types: [...new Set(portal.types?.map(followed))].filter(id => id !== '') },
  }))
}

/** Recomputes the fields of every container that uses a process whose fields changed. */
export async function refreshFields(ctx: Context, processId: Id): Promise<Refreshed[]> {
  return await refresh(ctx, processId, ({ processIds, defaultProcessId, portal }) => ({
    ...{ processIds, defaultProcessId, portal },
  }))
}

async function refresh(
  ctx: Context,
  processId: Id,
  uses: (container: Container) => Pick<Container, 'processIds' | 'defaultProcessId' | 'portal'>,
): Promise<Refreshed[]> {
  const all = await lockRecords(ctx, containers, sql`${processId}::uuid = any(t.process_ids)`)
  const used = all.map(container => ({ container, ...uses(container) }))
  // The changed process is locked already; locking others here could deadlock two concurrent changes.
  const brought = await fieldsByProcess(ctx, [...new Set(used.flatMap(each => each.processIds))], nothing)
  const changes = used.map(({ container, processIds, defaultProcessId, portal }) => {
    const fields = mergedFields(processIds.flatMap(id => brought.get(id) ?? []))
    return [container, { processIds, defaultProcessId, portal, fields }] as const
  })
  await updateRecords(ctx, containers, changes)
  return changes.map(([{ id, fields: before }, { fields: after }]) => ({
    containerId: id,
    before: before.map(each => each.fieldId ?? ''),
    after: after.map(each => each.fieldId),
  }))
}
