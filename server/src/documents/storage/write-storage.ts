import type { OngoingUndo, Reversal, UndoConflict } from '../../engine/undo/reversal.ts'
import { undoRecords } from '../../engine/undo/undo-records.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Expect } from '../../kernel/record/record.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { readMasked, storeMasked } from '../../platform/masked-secrets.ts'
import { dropSecrets } from '../../platform/secrets.ts'
import { holdsBytes } from './bytes/byte-place.ts'
import { type OutboundStorage, outboundStorages, type StorageValues } from './outbound-storage.ts'

const secretNames = ['secretKey'] as const

export async function createStorage(ctx: Context, values: Partial<StorageValues>): Promise<OutboundStorage> {
  const read = readMasked(secretNames, values)
  const storage = await outboundStorages.create(ctx, { ...values, ...read.shown })
  await storeMasked(ctx, storage.id, read)
  return storage
}

export async function changeStorage(
  ctx: Context,
  id: Id,
  values: Partial<StorageValues>,
  more: { expect?: Expect },
): Promise<OutboundStorage> {
  const before = await outboundStorages.get(ctx, id, { lock: true })
  const read = readMasked(secretNames, values, before)
  // Whoever may change the record but not read its secret could otherwise have requests signed for a host of their own.
  if (read.staying.length > 0 && hostOf(values.endpoint ?? before.endpoint) !== hostOf(before.endpoint))
    throw new Invalid([
      fault(
        ['secretKey'],
        'other-host',
        'the host of the endpoint has changed: enter the secret key again, or clear it',
      ),
    ])
  const own = { columns: {}, changes: read.changes }
  const after = await outboundStorages.update(ctx, id, { ...values, ...read.shown }, { ...more, own })
  await storeMasked(ctx, before.id, read)
  return after
}

/** A storage with bytes stays, because nobody could read them without it. */
export async function removeStorage(ctx: Context, id: Id, more: { expect?: Expect }): Promise<OutboundStorage> {
  await outboundStorages.get(ctx, id, { lock: true })
  if (await holdsBytes(ctx, id))
    throw new RuleBroken('storage-in-use', 'files are stored there: move them to another storage first')
  return await outboundStorages.remove(ctx, id, more)
}

const hostOf = (endpoint: string) => (URL.canParse(endpoint) ? new URL(endpoint).host : '')

/**
 * Undoes changes of storages. A storage with bytes stays. No secret is brought back, and none stays for an endpoint that was
 * brought back.
 */
export async function undoStorages(
  ctx: Context,
  given: readonly Reversal[],
  ongoing: OngoingUndo,
): Promise<UndoConflict[]> {
  const held: UndoConflict[] = []
  for (const { created, deleted, recordId, entity } of given)
    if ((created || deleted === false) && (await holdsBytes(ctx, recordId)))
      held.push({ entity, recordId, property: 'deleted', expected: false, current: false })
  if (held.length > 0) return held
  return await undoRecords(ctx, given, ongoing, async (id, { properties, created }) => {
    if (created || (!properties.has('endpoint') && !properties.has('secretKey'))) return
    await dropSecrets(ctx, id)
    await outboundStorages.update(ctx, id, { secretKey: '' })
  })
}
