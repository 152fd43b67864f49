import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { type ObjectStore, openS3, StoreFailure } from '../../platform/object-store/object-store.ts'
import { readSecret, UnsealFailed } from '../../platform/secrets.ts'
import type { OutboundStorage } from './outbound-storage.ts'
import { storageEncryption } from './storage-kind.ts'

/** Opens the bucket of a storage with its decrypted secret. Its methods need no connection to the database. */
export async function openStore(ctx: Context, storage: OutboundStorage): Promise<ObjectStore> {
  const { tenantId } = ctx.caller
  const { transfer } = ctx.services
  const { endpoint, region, bucket, accessKey, encryption } = storage
  const secretKey = await secretOf(ctx, storage.id)
  return openS3({
    endpoint,
    region,
    bucket,
    accessKey,
    secretKey: secretKey ?? '',
    encrypted: encryption === storageEncryption.aes256,
    async transfer(request) {
      if (!secretKey || accessKey === '')
        throw new StoreFailure('credentials', 'the storage has no access key or no secret key')
      return await transfer({ ...request, tenantId })
    },
  })
}

/** A secret that can no longer be decrypted counts as missing: it must be entered again. */
async function secretOf(ctx: Context, id: Id): Promise<string | undefined> {
  try {
    return await readSecret(ctx, id, 'secretKey')
  } catch (error) {
    if (error instanceof UnsealFailed) return undefined
    throw error
  }
}

/** Where the objects of the caller's tenant are: their keys begin with this. */
export function keyPrefix({ prefix }: Pick<OutboundStorage, 'prefix'>, tenantId: Id): string {
  return `${prefix === '' ? '' : `${prefix}/`}${tenantId}/`
}

/** The key of bytes; no name that a user chose is part of it. */
export function keyOf(storage: Pick<OutboundStorage, 'prefix'>, tenantId: Id, sha256: string): string {
  return `${keyPrefix(storage, tenantId)}${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`
}
