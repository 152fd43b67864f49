import { Type } from 'typebox'
import { cancel, enqueue } from '../../../engine/dispatch/enqueue.ts'
import { admins } from '../../../kernel/access.ts'
import type { Context } from '../../../kernel/context.ts'
import { get, list } from '../../../kernel/crud.ts'
import type { Id } from '../../../kernel/id.ts'
import { operation, type Routes } from '../../../kernel/operation.ts'
import type { Stored } from '../../../kernel/record/record.ts'
import { RuleBroken } from '../../../kernel/refusal.ts'
import { resource } from '../../../kernel/resource.ts'
import { Count, Instant, Ref, Text } from '../../../kernel/schema/values.ts'
import { Code, codeTableOfCodes } from '../../../records/code-table.ts'
import { history } from '../../../records/history/history.ts'
import { outboundStorages } from '../outbound-storage.ts'
import { migrationState } from './migration-state.ts'

export const migrationTaskName = 'storage-migration'

const shape = {
  storageId: Ref('OutboundStorage', { description: 'The storage that everything is moved to.' }),
  state: Code(codeTableOfCodes('storageMigration.state', migrationState), {
    description: '0 running · 1 done · 2 stopped by a wrong checksum · 3 cancelled.',
  }),
  checkpoint: Text(64, { description: 'The hash up to which everything was moved. Hashes are moved in their order.' }),
  files: Count(undefined, 0, { description: 'How many files were moved; equal ones count once.' }),
  bytes: Type.Integer({ 'x-column': 'bigint', description: 'How many bytes they have.' }),
  error: Text(500, { description: 'Why it waits or was stopped.' }),
  finishedAt: Instant,
}

export type StorageMigration = Stored<typeof shape>

/** The move of all files of a tenant to one storage. */
export const storageMigrations = resource('StorageMigration', {
  about:
    'The move of all files of a tenant to one storage: each is copied, read back and compared by its hash before the copy takes its place; what was there before is deleted a week later.',
  shape,
  serverSet: ['storageId', 'state', 'checkpoint', 'files', 'bytes', 'error', 'finishedAt'],
  may: { read: admins },
})

const migrate = operation({
  permission: storageMigrations.permissions.create,
  mode: 'write',
  summary: 'Move all files to a storage',
  description:
    'Starts a job that moves the bytes of all files and mails of the tenant to this storage, from wherever they are. They can be read all the time. A store that does not answer is waited for; bytes whose hash is wrong stop the job (`state` 2, error `checksum-mismatch`). A migration that still runs is cancelled.',
  reply: { status: 201, schema: storageMigrations.schema, description: 'The migration, which runs in the background.' },
  refusals: [404, 422],
  async run(ctx, { params }) {
    const { id: storageId, active } = await outboundStorages.get(ctx, params.id ?? '', { lock: true })
    if (!active) throw new RuleBroken('storage-inactive', 'nothing is written to a storage that is not active')
    await cancelRunning(ctx)
    const made = await storageMigrations.create(ctx, { storageId, state: migrationState.running })
    await enqueueMigration(ctx, made)
    return {
      body: made,
      version: made.version,
      headers: { location: `/api/outbound-storage/migration/${made.id}` },
    }
  },
})

/** Two that run would move the same bytes to and fro, so the last one counts. */
async function cancelRunning(ctx: Context): Promise<void> {
  const { tenantId } = ctx.caller
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`storage-migration ${tenantId}`}, 0))`
  const running = await ctx.sql<{ id: Id }>`select id from storage_migration
    where tenant_id = ${tenantId} and state = ${migrationState.running} and not deleted`
  for (const { id } of running) await cancelMigration(ctx, id)
}

async function cancelMigration(ctx: Context, id: Id): Promise<StorageMigration> {
  const values = { state: migrationState.cancelled, finishedAt: ctx.now.toISOString() }
  const cancelled = await storageMigrations.update(ctx, id, values, { verb: 'cancelled' })
  await cancel(ctx, migrationTaskName, id)
  return cancelled
}

async function enqueueMigration(ctx: Context, { id }: StorageMigration): Promise<void> {
  await enqueue(ctx, { task: migrationTaskName, payload: { id }, key: id })
}

const cancelling = operation({
  permission: storageMigrations.permissions.update,
  mode: 'write',
  summary: 'Cancel a migration',
  description:
    'What was moved stays where it is now; everything can be read. `resume` goes on later. A migration that has ended stays as it is.',
  reply: { status: 200, schema: storageMigrations.schema, description: 'The migration.' },
  refusals: [404],
  async run(ctx, { params }) {
    const before = await storageMigrations.get(ctx, params.id ?? '', { lock: true })
    const body = before.state === migrationState.running ? await cancelMigration(ctx, before.id) : before
    return { body, version: body.version }
  },
})

const resuming = operation({
  permission: storageMigrations.permissions.update,
  mode: 'write',
  summary: 'Resume a migration',
  description: 'Goes on after the last file that was moved, with a migration that was cancelled or stopped.',
  reply: { status: 200, schema: storageMigrations.schema, description: 'The migration.' },
  refusals: [404, 422],
  async run(ctx, { params }) {
    const before = await storageMigrations.get(ctx, params.id ?? '', { lock: true })
    if (before.state === migrationState.running) return { body: before, version: before.version }
    if (before.state === migrationState.done)
      throw new RuleBroken('migration-done', 'everything was moved: start another migration for what came since')
    await cancelRunning(ctx)
    const values = { state: migrationState.running, finishedAt: null, error: '' }
    const body = await storageMigrations.update(ctx, before.id, values, { verb: 'resumed' })
    await enqueueMigration(ctx, body)
    return { body, version: body.version }
  },
})

export const migrationRoutes: Routes = {
  'POST /outbound-storage/:id/migrate': migrate,
  'GET /outbound-storage/migration': list(storageMigrations),
  'GET /outbound-storage/migration/:id': get(storageMigrations),
  'GET /outbound-storage/migration/:id/history': history(storageMigrations),
  'POST /outbound-storage/migration/:id/cancel': cancelling,
  'POST /outbound-storage/migration/:id/resume': resuming,
}
