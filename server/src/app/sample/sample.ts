import { tenants } from '../../admin/tenant/tenant.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Context } from '../../kernel/context.ts'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import { type Operation, operation, type Routes } from '../../kernel/operation.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { type Language, languageOf } from '../start-here/start-here-texts.ts'
import { loadSample } from './load-sample.ts'
import { removeSample } from './remove-sample.ts'
import { managingSample } from './sample-permission.ts'
import { livingRecords, lockSample } from './sample-record.ts'

const counts: Schema = {
  type: 'object',
  additionalProperties: { type: 'integer' },
  description: 'The number of records by kind.',
}

const stateSchema: Schema = {
  type: 'object',
  title: 'Sample',
  properties: { loaded: { type: 'boolean' }, records: counts },
  required: ['loaded', 'records'],
}

const stateOf = async (ctx: Context) => {
  const living = await livingRecords(ctx)
  const records = Object.fromEntries([...living].map(([entity, ids]) => [entity, ids.length]))
  return { loaded: living.size > 0, records }
}

const read = operation({
  permission: managingSample,
  mode: 'read',
  summary: 'Get the state of the sample company',
  description: 'Whether the sample company is loaded, and what is left of it.',
  reply: { status: 200, schema: stateSchema, description: 'The state.' },
  run: async ctx => ({ body: await stateOf(ctx) }),
})

const load = operation({
  permission: managingSample,
  mode: 'write',
  summary: 'Load the sample company',
  description:
    'Creates a small company with its last weeks, in one change set: eight people who cannot sign in, a customer, a service desk with running clocks, a software project with a board, cycles and dependencies, and an internal list; items with comments, labels, estimates and time. Every item has the label `sample`. Dates are relative to now. Nobody is notified, and no rule or hook reacts. If a sample is loaded already, the answer is 409 `sample-loaded`.',
  query: {
    language: {
      type: 'string',
      enum: ['en', 'de'],
      description: 'The language of the texts; by default that of the tenant’s `locale`.',
    },
  },
  reply: { status: 201, schema: stateSchema, description: 'What was created.' },
  refusals: [409, 422],
  async run(ctx, { query }) {
    await lockSample(ctx)
    if ((await livingRecords(ctx)).size > 0)
      throw new Refusal(409, 'sample-loaded', 'the sample company is loaded; remove it first')
    await loadSample(ctx, await languageFor(ctx, query.language))
    return { body: await stateOf(ctx) }
  },
})

/** Loads the sample for the first user of an installation. They are signed in without it, too, if it cannot be loaded. */
export async function loadForFirstUser(
  database: Database,
  { tenantId, userId }: { tenantId: Id; userId: Id },
  log: (line: Record<string, unknown>) => void,
): Promise<void> {
  try {
    await database.transaction(tenantCaller(tenantId, userId), async ctx => {
      await lockSample(ctx)
      if ((await livingRecords(ctx)).size === 0) await loadSample(ctx, await languageFor(ctx, undefined))
    })
  } catch (error) {
    log({
      level: 'error',
      error: `the sample company was not loaded: ${error instanceof Error ? error.message : error}`,
    })
  }
}

async function languageFor(ctx: Context, asked: unknown): Promise<Language> {
  if (asked === 'en' || asked === 'de') return asked
  return languageOf((await tenants.get(ctx, ctx.caller.tenantId)).locale)
}

const removedSchema: Schema = {
  type: 'object',
  title: 'RemovedSample',
  properties: {
    removed: counts,
    kept: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          entity: { type: 'string' },
          id: { type: 'string', format: 'uuid' },
          name: { type: 'string' },
          because: { type: 'string' },
        },
        required: ['entity', 'id', 'name', 'because'],
      },
      description: 'What was not removed, because somebody uses it by now.',
    },
  },
  required: ['removed', 'kept'],
}

const remove: Operation = operation({
  permission: managingSample,
  mode: 'write',
  summary: 'Remove the sample company',
  description:
    'Deletes what `POST /tenant/sample` created, in one change set, and nothing that people have added since. Records of the sample that are in use by now stay, and `kept` says why: an item that somebody has commented on, booked time on or moved to another container, a container with such an item. Without a sample nothing is removed.',
  reply: { status: 200, schema: removedSchema, description: 'What was removed and what was kept.' },
  async run(ctx) {
    await lockSample(ctx)
    const isLoaded = (await livingRecords(ctx)).size > 0
    return { body: isLoaded ? await removeSample(ctx) : { removed: {}, kept: [] } }
  },
})

export const routes: Routes = {
  'GET /tenant/sample': read,
  'POST /tenant/sample': load,
  'DELETE /tenant/sample': remove,
}
