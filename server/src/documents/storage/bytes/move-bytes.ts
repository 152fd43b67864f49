import { createHash } from 'node:crypto'
import { Postponed, type Work } from '../../../engine/dispatch/task.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import { sql } from '../../../kernel/sql.ts'
import { type FoundBytes, lockBytes } from '../../../platform/bytes/stored-bytes.ts'
import { StoreFailure } from '../../../platform/object-store/object-store.ts'
import { type BytePlace, byteWork, isReferenced, placeOf, writePlace } from './byte-place.ts'
import { ChecksumMismatch, type Copy, copyAt, firstOf, hashOf } from './copies.ts'

/** How long bytes stay at the place that they were moved from; ms. */
const formerStay = 7 * 86_400_000

/** What a job gives to the code that moves bytes. */
type Mover = Pick<Work, 'transaction' | 'service'>

/**
 * Moves bytes to a storage, or to the disk (null): copies them, reads the copy back, compares its hash, and only then makes it the
 * one that is read. The former copy stays for a week. Returns the number of bytes, or undefined if there was nothing to move. It
 * can be interrupted and repeated at any point.
 */
export async function moveBytes(mover: Mover, sha256: string, target: Id | null): Promise<number | undefined> {
  const begun = await mover.transaction(mover.service, ctx => begin(ctx, sha256, target))
  if (!begun) return undefined
  const { source, copy, before, older, superseded } = begun
  await superseded?.remove()
  const giveUp = () => mover.transaction(mover.service, ctx => abandon(ctx, sha256, before))
  const size = await source.size()
  if (size === undefined) {
    await giveUp() // a file that was imported without its bytes
    return undefined
  }
  try {
    await copyChecked(source, copy, { sha256, size })
  } catch (error) {
    if (error instanceof ChecksumMismatch) {
      await copy.remove()
      await giveUp()
    }
    throw error
  }
  await older?.remove()
  const isRead = await mover.transaction(mover.service, ctx => finish(ctx, sha256, target, before))
  // Another job has moved them elsewhere meanwhile. What is too much on the disk is swept.
  if (!isRead && target !== null) await copy.remove()
  return size
}

interface BegunMove {
  source: FoundBytes
  copy: Copy
  before: BytePlace
  /** A copy from an earlier move, which is removed as soon as there is a newer former one. */
  older: Copy | undefined
  /** What a move to another place, which this one replaces, may have left there. */
  superseded: Copy | undefined
}

/** Notes the move before any byte is sent, so that no copy exists that nobody knows of. */
async function begin(ctx: Context, sha256: string, target: Id | null): Promise<BegunMove | undefined> {
  await lockBytes(ctx, sha256)
  const before = await placeOf(ctx, sha256)
  if (before.work === byteWork.clearing || before.work === byteWork.erasing)
    throw new Postponed(60_000, 'an old copy of these bytes is being removed')
  if (before.storageId === target || !(await referenced(ctx, sha256))) return undefined
  if (target !== null) await refuseUnusable(ctx, target)
  await writePlace(ctx, sha256, { ...before, targetId: target, work: byteWork.moving })
  const { storageId, formerId, formerUntil } = before
  const places = [storageId, ...(formerUntil ? [formerId] : []), ...(storageId !== null ? [null] : [])]
  const copies: Copy[] = []
  for (const place of places) copies.push(await copyAt(ctx, place, sha256))
  const isOld = formerUntil !== null && formerId !== target
  return {
    source: firstOf(copies),
    copy: await copyAt(ctx, target, sha256),
    before,
    older: isOld ? copies[1] : undefined,
    superseded: isLeftOver(before, target) ? await copyAt(ctx, before.targetId, sha256) : undefined,
  }
}

/** Whether an earlier move had a target at a store where nobody reads these bytes. */
function isLeftOver({ work, targetId, storageId, formerId, formerUntil }: BytePlace, target: Id | null): boolean {
  const read = [target, storageId, ...(formerUntil ? [formerId] : [])]
  return work === byteWork.moving && targetId !== null && !read.includes(targetId)
}

/** The storage cannot be deleted until the transaction ends. */
async function refuseUnusable(ctx: Context, id: Id): Promise<void> {
  const [usable] = await ctx.sql`select 1 from outbound_storage
    where tenant_id = ${ctx.caller.tenantId} and id = ${id} and not deleted and active for share`
  if (!usable) throw new StoreFailure('refused', 'the storage is deleted or not active')
}

async function copyChecked(source: FoundBytes, copy: Copy, { sha256, size }: { sha256: string; size: number }) {
  const hash = createHash('sha256')
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const chunk of await source.open()) {
      hash.update(chunk)
      yield chunk
    }
  }
  await copy.put({ sha256, size, read: async () => hashed() })
  if (hash.digest('hex') !== sha256) throw new ChecksumMismatch(`the stored bytes of ${sha256} are damaged`)
  if ((await hashOf(copy)) !== sha256) throw new ChecksumMismatch(`the store gives other bytes back than ${sha256}`)
}

async function abandon(ctx: Context, sha256: string, before: BytePlace): Promise<void> {
  await lockBytes(ctx, sha256)
  await writePlace(ctx, sha256, { ...before, targetId: null, work: byteWork.none })
}

/** Makes the copy the one that is read. Returns false if nobody will read it, because they were moved elsewhere meanwhile. */
async function finish(ctx: Context, sha256: string, target: Id | null, before: BytePlace): Promise<boolean> {
  await lockBytes(ctx, sha256)
  const now = await placeOf(ctx, sha256)
  if (now.work !== byteWork.moving || now.targetId !== target || now.storageId !== before.storageId)
    return now.storageId === target || (now.formerUntil !== null && now.formerId === target)
  await writePlace(ctx, sha256, {
    storageId: target,
    formerId: before.storageId,
    formerUntil: new Date(ctx.now.getTime() + formerStay),
    targetId: null,
    work: byteWork.none,
    since: null,
  })
  return true
}

async function referenced(ctx: Context, sha256: string): Promise<boolean> {
  const [row] = await ctx.sql<{ is: boolean }>`select ${isReferenced(sql`${sha256}`)} as is`
  return row?.is === true
}
