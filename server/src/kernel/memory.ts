import type { Context } from './context.ts'
import type { Id } from './id.ts'

// A cache of records that most requests need and that change rarely (users, containers, fields); to read them each time would
// double the work of the database. A change on this node clears the entries of its tenant; a change on another node is seen
// when they expire. Statements that write check again what must be true.

const maxAge = 5000
const maxTenants = 1000
const tenants = new Map<Id, Map<string, { value: unknown; until: number }>>()

/** A transaction that has changed a cached record uses a cache of its own, because it may be rolled back; one for each tenant. */
const uncommitted = new WeakMap<object, Map<Id, Map<string, unknown>>>()

type Listener = (tenantId: Id, remote: boolean) => unknown
const listeners = new Set<Listener>([tenantId => tenants.delete(tenantId)])

/** Returns the cached value of a key, or loads it; undefined is not cached. */
export async function remembered<T>(
  ctx: Context,
  key: string,
  load: () => Promise<T | undefined>,
  reload = false,
): Promise<T | undefined> {
  const local = uncommitted.get(ctx.transaction)?.get(ctx.caller.tenantId)
  if (local) {
    if (reload || !local.has(key)) local.set(key, await load())
    return local.get(key) as T | undefined
  }
  const { tenantId } = ctx.caller
  let known = tenants.get(tenantId)
  if (!known) {
    if (tenants.size >= maxTenants) tenants.delete(tenants.keys().next().value ?? '')
    known = new Map()
    tenants.set(tenantId, known)
  }
  const found = known.get(key)
  if (!reload && found && found.until > Date.now()) return found.value as T
  const value = await load()
  if (value !== undefined) known.set(key, { value, until: Date.now() + maxAge })
  return value
}

/**
 * Calls back when cached records have changed: in this process or (`remote`) in another one of this node. The writer waits for
 * the listeners, so that the next request sees the change whichever process answers it. Returns the function that ends it.
 */
export function onForget(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export async function notifyForget(tenantId: Id, remote: boolean): Promise<void> {
  await Promise.all([...listeners].map(listener => listener(tenantId, remote)))
}

/** Clears the cache of the tenant when this transaction has committed. */
export function forgetAfterCommit(ctx: Context): void {
  const { tenantId } = ctx.caller
  const byTenant = uncommitted.get(ctx.transaction) ?? new Map<Id, Map<string, unknown>>()
  uncommitted.set(ctx.transaction, byTenant.set(tenantId, new Map()))
  ctx.afterCommit(() => notifyForget(tenantId, false))
}

/** Clears what the transaction has cached since it changed a cached record, because a part of it was rolled back. */
export function forgetUncommitted({ transaction, caller }: Context): void {
  uncommitted.get(transaction)?.get(caller.tenantId)?.clear()
}
