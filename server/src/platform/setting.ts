import { type Static, type TSchema, Type } from 'typebox'
import type { Context, Run } from '../kernel/context.ts'
import type { Id } from '../kernel/id.ts'
import { remembered } from '../kernel/memory.ts'
import { type Fault, Invalid } from '../kernel/refusal.ts'
import { reader, type Schema } from '../kernel/schema/shape.ts'

/** For whom a setting holds. Append only: the numbers are stored. */
export const scopes = { tenant: 0, container: 1, user: 2, operator: 3 } as const
export type Scope = keyof typeof scopes

/** Who can say something about a setting, the farthest first: the nearest counts. */
export const levels = ['default', 'operator', 'tenant', 'container', 'user'] as const
export type Source = (typeof levels)[number]

/** Where a setting is asked for. */
export interface Whereabouts {
  containerId?: Id | undefined
  userId?: Id | undefined
}

/** One choice that the service really reads: what it may be, what it is if nobody says anything, and who may say it. */
export interface Setting<T = unknown> {
  readonly key: string
  readonly schema: Schema
  readonly default: T
  readonly scopes: readonly Exclude<Scope, 'operator'>[]
  readonly secret: boolean
  readonly description: string
  /** What is wrong with a value; nothing, if it will do. */
  readonly faults: (value: unknown) => readonly Fault[]
}

const known = new Map<string, Setting>()

/** Declares a setting, next to the code that reads it. */
export function setting<S extends TSchema>(
  key: string,
  {
    schema,
    secret = false,
    ...rest
  }: {
    schema: S
    default: Static<S>
    scopes: readonly Exclude<Scope, 'operator'>[]
    secret?: boolean
    description: string
  },
): Setting<Static<S>> {
  const read = reader(Type.Object({ value: schema }))
  const made = {
    key,
    schema: schema,
    secret,
    ...rest,
    faults: (value: unknown) => faultsOf(read, value),
  }
  known.set(key, made)
  return made
}

function faultsOf(read: (body: unknown) => unknown, value: unknown): readonly Fault[] {
  try {
    read({ value })
    return []
  } catch (error) {
    if (error instanceof Invalid) return error.faults
    throw error
  }
}

export function settingCalled(key: string): Setting | undefined {
  return known.get(key)
}

/** All that are declared, by key. */
export function allSettings(): Setting[] {
  return [...known.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** What somebody says about a setting. */
export interface Word {
  key: string
  source: Source
  /** Of the stored setting; none of a default and of the operator's. */
  id: Id | ''
  ownerId: string
  value: unknown
  secret: boolean
}

/** The value that counts here, of its declared type. Kept in mind for a moment, and forgotten when a setting changes. */
export async function settingOf<T>(ctx: Context, definition: Setting<T>, at: Whereabouts = {}): Promise<T> {
  const counting = wordThatCounts(await wordsOn(ctx, definition.key, at))
  return counting === undefined ? definition.default : (counting.value as T)
}

/** The nearest of those that can be taken at their word. */
export function wordThatCounts(words: readonly Word[]): Word | undefined {
  return words.findLast(counts)
}

/** What has no value, or one that the setting cannot have, or stands where it is not asked for, says nothing. */
function counts({ key, source, value }: Word): boolean {
  const definition = known.get(key)
  if (!definition) return true
  if (value === null) return false
  if (source === 'default') return true
  if (source !== 'operator' && !definition.scopes.includes(source)) return false
  return definition.secret || definition.faults(value).length === 0
}

/** What everybody says about one setting, the farthest first. */
export async function wordsOn(ctx: Context, key: string, at: Whereabouts): Promise<Word[]> {
  return (await wordsOnAll(ctx, at)).get(key) ?? defaultOf(key)
}

/** What everybody says about every setting: of those that are declared and of all others. */
export async function wordsOnAll(ctx: Context, { containerId, userId }: Whereabouts): Promise<Map<string, Word[]>> {
  const stored = [
    ...(await storedWords(ctx, 'tenant', '')),
    ...(containerId ? await storedWords(ctx, 'container', containerId) : []),
    ...(userId ? await storedWords(ctx, 'user', userId) : []),
  ]
  const byKey = Map.groupBy(stored, word => word.key)
  for (const key of known.keys()) byKey.set(key, byKey.get(key) ?? [])
  return new Map([...byKey].map(([key, words]) => [key, [...defaultOf(key), ...words]]))
}

function defaultOf(key: string): Word[] {
  const definition = known.get(key)
  if (!definition) return []
  const { default: value, secret } = definition
  return [{ key, source: 'default', id: '', ownerId: '', value, secret }]
}

async function storedWords(ctx: Context, scope: 'tenant' | 'container' | 'user', ownerId: string): Promise<Word[]> {
  const load = async () => {
    const own = await ctx.sql<Word>`
      select key, ${scope} as source, id, owner_id as "ownerId", value, secret from app_setting
      where tenant_id = ${ctx.caller.tenantId} and scope = ${scopes[scope]} and owner_id = ${ownerId} and not deleted order by key`
    return scope === 'tenant' ? [...(await operatorsWords(ctx.sql)), ...own] : own
  }
  return (await remembered(ctx, `settings ${scope} ${ownerId}`, load)) ?? []
}

async function operatorsWords(run: Run): Promise<Word[]> {
  return await run<Word>`select key, 'operator' as source, '' as id, '' as "ownerId", value, false as secret
    from operator_setting order by key`
}
