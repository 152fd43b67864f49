import type { Context } from './context.ts'
import type { Id } from './id.ts'

// What most requests need to know (who somebody is, a container, the fields) changes rarely, and asking for it again each
// time would double the work of the database. So processes remember it for a moment, per tenant, and forget it as soon
// as something of it changes here; what another node changed is believed a few seconds longer. Whatever matters is
// checked once more by the statement that writes.

const belief = 5000
const maxTenants = 1000
const tenants = new Map<Id, Map<string, { value: unknown; until: number }>>()

/**
 * A transaction that changed something remembered reads from then on for itself, whichever of its contexts asks, and shares
 * nothing: it may yet be rolled back. By the transaction, then by the tenant, because operators act for several.
 */
const uncommitted = new WeakMap<object, Map<Id, Map<string, unknown>>>()

type Listener = (tenantId: Id, heard: boolean) => unknown
const listeners = new Set<Listener>([tenantId => tenants.delete(tenantId)])

/** Loads what is not remembered; what was not found is never remembered. */
export async function remembered<T>(
  ctx: Context,
  key: string,
  load: () => Promise<T | undefined>,
  afresh = false,
): Promise<T | undefined> {
  const own = uncommitted.get(ctx.transaction)?.get(ctx.caller.tenantId)
  if (own) {
    if (afresh || !own.has(key)) own.set(key, await load())
    return own.get(key) as T | undefined
  }
  const { tenantId } = ctx.caller
  let known = tenants.get(tenantId)
  if (!known) {
    if (tenants.size >= maxTenants) tenants.delete(tenants.keys().next().value ?? '')
    known = new Map()
    tenants.set(tenantId, known)
  }
  const found = known.get(key)
  if (!afresh && found && found.until > Date.now()) return found.value as T
  const value = await load()
  if (value !== undefined) known.set(key, { value, until: Date.now() + belief })
  return value
}

/** Tells when something that is remembered has changed: here, or (`heard`) in another process of this node. The writer
 * waits for its listeners, so that whoever asks next, whichever process answers, meets what was just written. Returns
 * how to stop it. */
export function onForget(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export async function tellForget(tenantId: Id, heard: boolean): Promise<void> {
  await Promise.all([...listeners].map(listener => listener(tenantId, heard)))
}

/** When this transaction has committed, what was remembered of the tenant no longer counts. */
export function forgetLater(ctx: Context): void {
  const { tenantId } = ctx.caller
  const byTenant = uncommitted.get(ctx.transaction) ?? new Map<Id, Map<string, unknown>>()
  uncommitted.set(ctx.transaction, byTenant.set(tenantId, new Map()))
  ctx.afterCommit(() => tellForget(tenantId, false))
}
