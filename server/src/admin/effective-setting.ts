import { seesEverything } from '../identity/visibility.ts'
import { permission, staff } from '../kernel/access.ts'
import type { Context } from '../kernel/context.ts'
import { operation } from '../kernel/operation.ts'
import { refuseUnknown } from '../kernel/record/references.ts'
import { Forbidden } from '../kernel/refusal.ts'
import type { Schema } from '../kernel/schema/shape.ts'
import {
  levels,
  type Source,
  type Whereabouts,
  type Word,
  wordsOn,
  wordsOnAll,
  wordThatCounts,
} from '../platform/setting.ts'

export interface EffectiveSetting {
  key: string
  value: unknown
  secret: boolean
  source: Source
  /** All that say something about it, the nearest first. */
  provenance: Omit<Word, 'key'>[]
}

/** What counts for this user in this container, of any key; whoever declares a setting asks `settingOf`. */
export async function effectiveValue(ctx: Context, key: string, at: Whereabouts): Promise<EffectiveSetting> {
  return summarize(key, await wordsOn(ctx, key, at))
}

/** What counts, and what everybody says: user before container before tenant before operator before the default. */
function summarize(key: string, words: readonly Word[]): EffectiveSetting {
  const counting = wordThatCounts(words)
  return {
    key,
    value: counting?.value ?? null,
    secret: counting?.secret ?? false,
    source: counting?.source ?? 'default',
    provenance: words.toReversed().map(({ key: _key, ...word }) => word),
  }
}

/** All settings as they count for somebody, by key. */
export async function effectiveSettings(ctx: Context, at: Whereabouts): Promise<EffectiveSetting[]> {
  const all = [...(await wordsOnAll(ctx, at))].map(([key, words]) => summarize(key, words))
  return all.sort((a, b) => (a.key < b.key ? -1 : 1))
}

const source: Schema = { type: 'string', enum: levels.toReversed() }
const value: Schema = { description: 'any JSON value; a secret shows as `***`' }

const level: Schema = {
  type: 'object',
  properties: { source, id: { type: 'string' }, ownerId: { type: 'string' }, value, secret: { type: 'boolean' } },
  required: ['source', 'id', 'ownerId', 'value', 'secret'],
}

export const effectiveSchema: Schema = {
  type: 'object',
  properties: {
    key: { type: 'string' },
    value,
    secret: { type: 'boolean' },
    source,
    provenance: { type: 'array', items: level },
  },
  required: ['key', 'value', 'secret', 'source', 'provenance'],
}

export const effectiveSetting = operation({
  permission: permission('appSetting.read', staff),
  mode: 'read',
  summary: 'The setting that counts',
  description:
    'The value that counts for a user, the caller unless another is named, in a container, and where it comes from: user before container before tenant before operator before the default, which for a key that is not registered is null. Without `key`, an array of all that are registered or set. Only admins ask for somebody else.',
  query: {
    key: { type: 'string', description: 'Which setting; all of them, if none is named.' },
    userId: { type: 'string', description: 'For whom; the caller, if nobody is named.' },
    containerId: { type: 'string', description: 'In which container.' },
  },
  reply: {
    status: 200,
    schema: { oneOf: [effectiveSchema, { type: 'array', items: effectiveSchema }] },
    description: 'The value and its provenance, or all of them.',
  },
  refusals: [422],
  async run(ctx, { query }) {
    const key = String(query.key ?? '')
    const userId = String(query.userId || ctx.caller.userId).toLowerCase()
    const containerId = String(query.containerId ?? '').toLowerCase()
    if (userId !== ctx.caller.userId && !seesEverything(ctx.caller.authority)) {
      throw new Forbidden('only admins ask for the settings of others')
    }
    await refuseUnknown(ctx, [
      { entity: 'User', id: userId, path: ['userId'] },
      ...(containerId === '' ? [] : [{ entity: 'Container', id: containerId, path: ['containerId'] }]),
    ])
    const at = { userId, containerId }
    return { body: key === '' ? await effectiveSettings(ctx, at) : await effectiveValue(ctx, key, at) }
  },
})
