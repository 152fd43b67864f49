import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { sweepFiles } from '../../src/documents/file/sweep-files.ts'
import { sweepCopies } from '../../src/documents/storage/bytes/sweep-copies.ts'
import { storageKind } from '../../src/documents/storage/storage-kind.ts'
import { tenantCaller } from '../../src/identity/tenant-caller.ts'
import type { Context } from '../../src/kernel/context.ts'
import { multipart } from './multipart.ts'
import type { Person, TestService } from './people.ts'
import type { S3 } from './servers/s3.ts'

const day = 86_400_000

/** The SHA-256 of a text. */
export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** What tests of storages do, in ada's tenant. */
export function storageTools({ ada, bob, database, dataDir }: TestService, s3: S3) {
  const asTenant = <T>(act: (ctx: Context) => Promise<T>) => database.transaction(tenantCaller(ada.tenantId), act)
  return {
    asTenant,
    /** Creates a storage at a bucket. */
    bucket: (name: string, more: object = {}) =>
      ada.post('/outbound-storage', {
        name,
        kind: storageKind.s3,
        ...s3.settings,
        bucket: name,
        prefix: 'gantry',
        ...more,
      }),
    keyOf: (hash: string) => `gantry/${ada.tenantId}/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`,
    onDisk: (hash: string) => join(dataDir, 'files', ada.tenantId, hash.slice(0, 2), hash.slice(2, 4), hash),
    async upload(text: string, who: Person = bob): Promise<string> {
      const { headers, body } = multipart({ file: text })
      const { status, body: file } = await who.ask('POST', '/file', { body, headers })
      assert.equal(status, 201)
      return file.id
    },
    download: (id: string, headers: Record<string, string> = {}) => bob.ask('GET', `/file/download/${id}`, { headers }),
    /** Runs the daily sweeps, so many days from now. */
    async sweep(days: number): Promise<void> {
      const now = () => new Date(Date.now() + days * day)
      const { signal } = new AbortController()
      await sweepCopies(database, now).run(signal)
      await sweepFiles(database, now).run(signal)
    },
    /** Makes jobs due that wait for a store. */
    hurry: () => asTenant(ctx => ctx.sql`update queued_job set run_at = now() where tenant_id = ${ada.tenantId}`),
    /** Deletes the record of a file for good. */
    purge: (id: string) => asTenant(ctx => ctx.sql`delete from file where tenant_id = ${ada.tenantId} and id = ${id}`),
  }
}
