import type { Context } from '../../kernel/context.ts'
import { remembered } from '../../kernel/memory.ts'

/** What is remembered for each of many keys, and how much of it. */
export interface Remembered<V> {
  subject: string
  /** When a tenant has more keys, all of them are given up. */
  max: number
  load(ctx: Context, keys: readonly string[]): Promise<Iterable<readonly [string, V]>>
}

/** Returns the cached values of these keys, and loads those that are not cached at once; that a key has no value is cached, too. */
export async function rememberedEach<V>(
  ctx: Context,
  { subject, max, load }: Remembered<V>,
  keys: ReadonlySet<string>,
): Promise<ReadonlyMap<string, V | undefined>> {
  const found = new Map<string, V | undefined>()
  if (keys.size === 0) return found
  const cached = await remembered(ctx, subject, async () => new Map<string, V | undefined>())
  if (!cached) return found
  const missing = [...keys].filter(key => !cached.has(key))
  for (const key of keys) found.set(key, cached.get(key))
  if (missing.length === 0) return found
  // A change that is committed meanwhile replaces the cache, so what is read now does not outlive it.
  const loaded = new Map(await load(ctx, missing))
  if (cached.size + missing.length > max) cached.clear()
  for (const key of missing) {
    cached.set(key, loaded.get(key))
    found.set(key, loaded.get(key))
  }
  return found
}
