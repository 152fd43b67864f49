import { tenantIds } from '../../../engine/recurring-jobs/housekeeping.ts'
import type { RecurringJob } from '../../../engine/recurring-jobs/recurring-jobs.ts'
import { tenantCaller } from '../../../identity/tenant-caller.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Database } from '../../../kernel/database.ts'
import type { Id } from '../../../kernel/id.ts'
import { raw, sql } from '../../../kernel/sql.ts'
import { lockBytes } from '../../../platform/bytes/stored-bytes.ts'
import { StoreFailure } from '../../../platform/object-store/object-store.ts'
import { recordHealth } from '../storage-health.ts'
import { type BytePlace, byteWork, isReferenced, placeOf, writePlace } from './byte-place.ts'
import { type Copy, copyAt } from './copies.ts'

const day = 86_400_000
const batch = 500

/** A move that made no progress for this long was given up; ms. */
const staleMove = day

/**
 * Removes copies at stores that nobody needs: those at the place that bytes were moved from, after a week, and all copies of bytes
 * that no record refers to. What cannot be removed now is tried again the next day.
 */
export function sweepCopies(database: Database, now: () => Date = () => new Date()): RecurringJob {
  return {
    name: 'sweep-copies',
    every: day,
    async run(signal) {
      for await (const tenantId of tenantIds(database)) {
        const sweep = { database, tenantId, now: now() }
        for (let last = ''; ; ) {
          signal.throwIfAborted()
          const hashes = await inTenant(sweep, ctx => nextHashes(ctx, sweep.now, last))
          for (const hash of hashes) await sweepHash(sweep, hash)
          if (hashes.length < batch) break
          last = hashes.at(-1) ?? ''
        }
      }
    },
  }
}

interface Sweep {
  database: Database
  tenantId: Id
  now: Date
}

const inTenant = <T>({ database, tenantId, now }: Sweep, act: (ctx: Context) => Promise<T>) =>
  database.transaction(tenantCaller(tenantId), act, { now })

async function nextHashes(ctx: Context, now: Date, last: string): Promise<string[]> {
  const rows = await ctx.sql<{ hash: string }>`select b.hash from stored_bytes b
    where b.tenant_id = ${ctx.caller.tenantId} and b.hash > ${last}
      and (b.former_until < ${now} or b.work in (${byteWork.clearing}, ${byteWork.erasing})
        or (b.work = ${byteWork.moving} and b.since < ${new Date(now.getTime() - staleMove)})
        or not ${isReferenced(raw('b.hash'))})
    order by b.hash limit ${batch}`
  return rows.map(row => row.hash)
}

async function sweepHash(sweep: Sweep, hash: string): Promise<void> {
  const claimed = await inTenant(sweep, ctx => claim(ctx, hash))
  if (!claimed) return
  const { work, unneeded, kept, place } = claimed
  try {
    // Nothing is deleted before its successor was seen.
    if (kept && (await kept.size()) === undefined) throw new StoreFailure('missing', `the bytes of ${hash} are missing`)
    for (const copy of unneeded) await copy.remove()
    await inTenant(sweep, ctx => release(ctx, hash, claimed))
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error
    await inTenant(sweep, async ctx => {
      // The former copy stays until the next time, and these bytes can be moved meanwhile.
      if (work === byteWork.clearing) await writePlace(ctx, hash, { ...place, work: byteWork.none })
      const blamed = place.storageId ?? place.formerId ?? place.targetId
      if (blamed) await recordHealth(ctx, blamed, error.message)
    })
  }
}

interface Claim {
  work: number
  place: BytePlace
  unneeded: Copy[]
  /** The copy that is read from now on, where one is. */
  kept: Copy | undefined
}

/** Notes what is removed, so that nobody moves these bytes meanwhile, and that an interrupted removal is continued. */
async function claim(ctx: Context, hash: string): Promise<Claim | undefined> {
  await lockBytes(ctx, hash)
  const place = await placeOf(ctx, hash)
  const [row] = await ctx.sql<{ is: boolean }>`select ${isReferenced(sql`${hash}`)} as is`
  const stale = new Date(ctx.now.getTime() - staleMove)
  if (place.work === byteWork.moving && place.since && place.since >= stale) return undefined
  // Bytes that were uploaded again while their copies are being erased are on the disk.
  const isErased = row?.is !== true || place.work === byteWork.erasing
  const { storageId, formerId, formerUntil, targetId } = place
  const isOver = formerUntil !== null && formerUntil < ctx.now
  const atStores = (isErased ? [storageId, formerId, targetId] : [targetId]).filter(each => each !== null)
  // Bytes on the disk that no record refers to are removed by another job.
  const places = new Set(isErased || !isOver ? atStores : [...atStores, formerId])
  const work = isErased ? byteWork.erasing : byteWork.clearing
  const unneeded: Copy[] = []
  for (const each of places) if (isErased || each !== storageId) unneeded.push(await copyAt(ctx, each, hash))
  await writePlace(ctx, hash, { ...place, work })
  return { work, place, unneeded, kept: isErased ? undefined : await copyAt(ctx, storageId, hash) }
}

async function release(ctx: Context, hash: string, { work, place }: Claim): Promise<void> {
  await lockBytes(ctx, hash)
  const nothing = { formerId: null, formerUntil: null, targetId: null, work: byteWork.none, since: null }
  if (work === byteWork.erasing) return await writePlace(ctx, hash, { ...nothing, storageId: null })
  const isOver = place.formerUntil !== null && place.formerUntil < ctx.now
  const former = isOver ? {} : { formerId: place.formerId, formerUntil: place.formerUntil }
  await writePlace(ctx, hash, { ...nothing, ...former, storageId: place.storageId })
}
