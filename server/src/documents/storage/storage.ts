import { enqueue } from '../../engine/dispatch/enqueue.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { remembered } from '../../kernel/memory.ts'
import type { StoredBytes } from '../../platform/bytes/stored-bytes.ts'
import { byteWork, placeOf } from './bytes/byte-place.ts'
import { type Copy, copyAt, firstOf, refusing } from './bytes/copies.ts'
import { storeBytesTaskName } from './bytes/store-bytes-task.ts'
import { keyPrefix, openStore } from './open-store.ts'
import { type OutboundStorage, outboundStorages } from './outbound-storage.ts'
import { storageKind } from './storage-kind.ts'

export { isReferenced, neededOnDisk } from './bytes/byte-place.ts'

/**
 * Finds and keeps the bytes of files and mails. New bytes are stored on the disk first, so that no upload waits for a store or fails
 * with it; a job moves them afterwards.
 */
export const storedBytes: StoredBytes = {
  async find(ctx, sha256) {
    const disk = await copyAt(ctx, null, sha256)
    if ((await storesOf(ctx)).length === 0) return refusing(disk)
    const { storageId, formerId, formerUntil, work } = await placeOf(ctx, sha256)
    if (work === byteWork.erasing) return refusing(disk)
    const copies: Copy[] = []
    for (const place of [storageId, formerUntil ? formerId : null])
      if (place !== null) copies.push(await copyAt(ctx, place, sha256))
    // Bytes on the disk are there at once; those at a store are newer than those at the former one.
    return refusing(firstOf(storageId === null ? [disk, ...copies] : [...copies, disk]))
  },

  async keep(ctx, arrived) {
    await ctx.services.blobs.keep(ctx.caller.tenantId, arrived)
    const target = (await storesOf(ctx)).find(each => each.default && each.active)
    if (target)
      await enqueue(ctx, {
        task: storeBytesTaskName,
        payload: { sha256: arrived.sha256 },
        lane: storeBytesTaskName,
      })
  },

  async eraseTenant(database, tenantId) {
    let files = 0
    const opened = await database.single(tenantCaller(tenantId), async ctx => {
      const stores = await storesOf(ctx)
      return await Promise.all(stores.map(async each => ({ storage: each, store: await openStore(ctx, each) })))
    })
    for (const { storage, store } of opened)
      for await (const key of store.list(keyPrefix(storage, tenantId))) {
        await store.remove(key)
        files++
      }
    return files
  },
}

/** The storages of the tenant at stores. The list is cached, so that a tenant without any pays nothing for each file. */
async function storesOf(ctx: Context): Promise<OutboundStorage[]> {
  const known = await remembered(ctx, 'stores', async () => {
    const rows = await ctx.sql<{ id: Id }>`select id from outbound_storage
      where tenant_id = ${ctx.caller.tenantId} and kind = ${storageKind.s3} and not deleted`
    const found: OutboundStorage[] = []
    for (const { id } of rows) found.push(await outboundStorages.get(ctx, id))
    return found
  })
  return known ?? []
}
