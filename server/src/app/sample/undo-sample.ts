import type { ChangeSetEvent, UndoConflict } from '../../engine/undo/reversal.ts'
import { withSystemAuthority } from '../../identity/tenant-caller.ts'
import { demand } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { kind } from '../../kernel/kinds.ts'
import { removalOf, removeSample } from './remove-sample.ts'
import { managingSample } from './sample-permission.ts'
import { livingRecords, lockSample, noteSample, sampleKinds } from './sample-record.ts'

/**
 * Undoes the loading or the removal of the sample by its counterpart: its records depend on each other, so they are not reverted
 * one by one in the order of their kinds. What people use by now is in conflict.
 */
export async function undoSample(ctx: Context, events: readonly ChangeSetEvent[]): Promise<UndoConflict[] | undefined> {
  const is = (verb: string) => events.some(each => each.kind === `tenant.${verb}`)
  if (!is('sampleLoaded') && !is('sampleRemoved')) return undefined
  demand(ctx.caller, managingSample)
  await lockSample(ctx)
  if (is('sampleRemoved')) return await restoreSample(ctx, events)
  const living = (await livingRecords(ctx)).get('Container') ?? []
  // The set is that of a former sample, of which nothing is left.
  if (!events.some(({ entity, recordId }) => entity === 'Container' && living.includes(recordId))) return undefined
  const { kept } = await removeSample(ctx)
  return kept.map(({ entity, id, because }) => ({ entity, recordId: id, property: 'usedBy', current: because }))
}

async function restoreSample(given: Context, events: readonly ChangeSetEvent[]): Promise<[]> {
  const ctx = withSystemAuthority(given)
  for (const entity of sampleKinds.toReversed()) {
    const { restore } = removalOf(entity)
    const { area, find } = kind(entity)
    for (const { kind: happened, recordId } of events) {
      if (happened !== `${area}.deleted`) continue
      // Its container has brought an item back.
      if (!(await find(ctx, recordId))) await restore(ctx, recordId)
    }
  }
  await noteSample(ctx, 'sampleLoaded')
  return []
}
