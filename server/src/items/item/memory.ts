import type { Context } from '../../kernel/database.ts'
import { onAccessChange } from '../../kernel/resource.ts'

// What every new item needs to know (its container, the fields, the people) changes rarely, and asking for it again
// with each item would double the work of the database. So it is remembered for a moment, per tenant, and forgotten as
// soon as something of it changes here; what another process changed is believed a few seconds longer. Whatever
// matters is checked once more by the statement that writes.

const belief = 5000
const mostTenants = 1000
const tenants = new Map<string, Map<string, { value: unknown; until: number }>>()
onAccessChange(tenantId => tenants.delete(tenantId))

/** Loads what is not remembered; what was not found is never remembered. */
export async function remembered<T>(
  ctx: Context,
  key: string,
  load: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const { tenantId } = ctx.caller
  let known = tenants.get(tenantId)
  if (!known) {
    if (tenants.size >= mostTenants) tenants.delete(tenants.keys().next().value ?? '')
    known = new Map()
    tenants.set(tenantId, known)
  }
  const found = known.get(key)
  if (found && found.until > Date.now()) return found.value as T
  const value = await load()
  if (value !== undefined) known.set(key, { value, until: Date.now() + belief })
  return value
}

/** Before something is refused because of what is remembered, it is looked up afresh. */
export function forget(ctx: Context): void {
  tenants.delete(ctx.caller.tenantId)
}
