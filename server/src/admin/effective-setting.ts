import { seesEverything } from '../identity/visibility.ts'
import { everyone, narrowedTo, permission, staff } from '../kernel/access.ts'
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

interface EffectiveSetting {
  key: string
  value: unknown
  secret: boolean
  source: Source
  /** The value of each level that has one, the most specific level first. */
  provenance: Omit<Word, 'key'>[]
}

/** The effective value of any key for a user in a container. Code that declares a setting uses `settingOf` instead. */
async function effectiveValue(ctx: Context, key: string, at: Whereabouts): Promise<EffectiveSetting> {
  return summarize(key, await wordsOn(ctx, key, at))
}

/** The effective value and the value of each level: user before container before tenant before operator before default. */
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

/** All effective settings of a user, sorted by key. */
export async function effectiveSettings(ctx: Context, at: Whereabouts): Promise<EffectiveSetting[]> {
  const all = [...(await wordsOnAll(ctx, at))].map(([key, words]) => summarize(key, words))
  return all.sort((a, b) => (a.key < b.key ? -1 : 1))
}

const source: Schema = { type: 'string', enum: levels.toReversed() }
const value: Schema = { description: 'Any JSON value; a secret is shown as `***`.' }

const level: Schema = {
  type: 'object',
  properties: { source, id: { type: 'string' }, ownerId: { type: 'string' }, value, secret: { type: 'boolean' } },
  required: ['source', 'id', 'ownerId', 'value', 'secret'],
}

const effectiveSchema: Schema = {
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
  permission: narrowedTo(staff, permission('appSetting.read', everyone)),
  mode: 'read',
  summary: 'Get effective settings',
  description:
    'The effective value for a user (by default the caller) in a container, and its source: user before container before tenant before operator before the default, which is null for a key that is not registered. Without `key`, an array of all settings that are registered or set. Only admins may ask for other users.',
  query: {
    key: { type: 'string', description: 'The key of the setting; all settings if absent.' },
    userId: { type: 'string', description: 'The user; the caller if absent.' },
    containerId: { type: 'string', description: 'The container.' },
  },
  reply: {
    status: 200,
    schema: { oneOf: [effectiveSchema, { type: 'array', items: effectiveSchema }] },
    description: 'The value and its provenance, or an array of them.',
  },
  refusals: [422],
  async run(ctx, { query }) {
    const key = String(query.key ?? '')
    const userId = String(query.userId || ctx.caller.userId).toLowerCase()
    const containerId = String(query.containerId ?? '').toLowerCase()
    if (userId !== ctx.caller.userId && !seesEverything(ctx.caller.authority)) {
      throw new Forbidden('only admins may read the settings of other users')
    }
    await refuseUnknown(ctx, [
      { entity: 'User', id: userId, path: ['userId'] },
      ...(containerId === '' ? [] : [{ entity: 'Container', id: containerId, path: ['containerId'] }]),
    ])
    const at = { userId, containerId }
    return { body: key === '' ? await effectiveSettings(ctx, at) : await effectiveValue(ctx, key, at) }
  },
})
