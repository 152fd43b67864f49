import { type Static, type TSchema, Type } from 'typebox'
import type { Context, Run } from '../kernel/context.ts'
import type { Id } from '../kernel/id.ts'
import { remembered } from '../kernel/memory.ts'
import { type Fault, Invalid } from '../kernel/refusal.ts'
import { reader, type Schema } from '../kernel/schema/shape.ts'
import { codeTableOfCodes } from '../records/code-table.ts'

/** The scope of a setting. Append only: the numbers are stored. */
export const scopes = { tenant: 0, container: 1, user: 2, operator: 3 } as const
export const settingScopes = codeTableOfCodes('setting.scope', scopes)
export type Scope = keyof typeof scopes

/**
 * The levels at which a setting can have a value, from the most general to the most specific: the most specific value
 * applies.
 */
export const levels = ['default', 'operator', 'tenant', 'container', 'user'] as const
export type Source = (typeof levels)[number]

/** The container and the user for which a setting is read. */
export interface Whereabouts {
  containerId?: Id | undefined
  userId?: Id | undefined
}

/** A setting that the service reads: its allowed values, its default, and the levels that may set it. */
export interface Setting<T = unknown> {
  readonly key: string
  readonly schema: Schema
  readonly default: T
  readonly scopes: readonly Exclude<Scope, 'operator'>[]
  readonly secret: boolean
  /** Whether it decides who gets in, so that its changes are in the audit log. */
  readonly security: boolean
  readonly description: string
  /** Returns the faults of a value; an empty list if it is valid. */
  readonly faults: (value: unknown) => readonly Fault[]
}

const known = new Map<string, Setting>()

/** Declares a setting, next to the code that reads it. */
export function setting<S extends TSchema>(
  key: string,
  {
    schema,
    secret = false,
    security = false,
    ...rest
  }: {
    schema: S
    default: Static<S>
    scopes: readonly Exclude<Scope, 'operator'>[]
    secret?: boolean
    security?: boolean
    description: string
  },
): Setting<Static<S>> {
  const read = reader(Type.Object({ value: schema }))
  const made = {
    key,
    schema: schema,
    secret,
    security,
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

/** Returns all declared settings, sorted by key. */
export function allSettings(): Setting[] {
  return [...known.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** The value of a setting at one level. */
export interface Word {
  key: string
  source: Source
  /** The id of the stored setting; empty for a default and for the operator's value. */
  id: Id | ''
  ownerId: string
  value: unknown
  secret: boolean
}

/**
 * Returns the value that applies here, with its declared type. It is cached briefly, and the cache is cleared when a
 * setting changes.
 */
export async function settingOf<T>(ctx: Context, definition: Setting<T>, at: Whereabouts = {}): Promise<T> {
  const counting = wordThatCounts(await wordsOn(ctx, definition.key, at))
  return counting === undefined ? definition.default : (counting.value as T)
}

/** Returns the most specific valid value. */
export function wordThatCounts(words: readonly Word[]): Word | undefined {
  return words.findLast(counts)
}

/** An absent or invalid value is ignored, and so is one at a level that the setting does not allow. */
function counts({ key, source, value }: Word): boolean {
  const definition = known.get(key)
  if (!definition) return true
  if (value === null) return false
  if (source === 'default') return true
  if (source !== 'operator' && !definition.scopes.includes(source)) return false
  return definition.secret || definition.faults(value).length === 0
}

/** Returns the values of one setting at all levels, the most general first. */
export async function wordsOn(ctx: Context, key: string, at: Whereabouts): Promise<Word[]> {
  const stored = await wordsAt(ctx, at)
  return [...defaultOf(key), ...stored.filter(word => word.key === key)]
}

/** Returns the values of every setting at all levels, including settings that are not declared. */
export async function wordsOnAll(ctx: Context, at: Whereabouts): Promise<Map<string, Word[]>> {
  const stored = Map.groupBy(await wordsAt(ctx, at), word => word.key)
  const keys = new Set([...stored.keys(), ...known.keys()])
  return new Map([...keys].map(key => [key, [...defaultOf(key), ...(stored.get(key) ?? [])]]))
}

/** The stored values of all settings, the most general first. */
async function wordsAt(ctx: Context, { containerId, userId }: Whereabouts): Promise<Word[]> {
  return [
    ...(await storedWords(ctx, 'tenant', '')),
    ...(containerId ? await storedWords(ctx, 'container', containerId) : []),
    ...(userId ? await storedWords(ctx, 'user', userId) : []),
  ]
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
