import type { Id } from '../../kernel/id.ts'

/** The time of a request that counts as quick; ms. */
const quick = 50
/** The slow time that a tenant may use at once, and per ms of the clock. */
const burst = 5000
const refill = 0.1
const maxTenants = 1000

/** Counts the time that tenants spend on slow requests which were taken for quick ones. */
export function openSlowTime(now: () => number) {
  const tenants = new Map<Id, { left: number; at: number }>()

  function add(tenantId: Id, ms: number): void {
    if (ms <= quick) return
    const at = now()
    const known = tenants.get(tenantId) ?? { left: burst, at }
    const left = Math.min(burst, known.left + (at - known.at) * refill) - (ms - quick)
    if (tenants.size >= maxTenants) tenants.delete(tenants.keys().next().value ?? '')
    // A tenant that used far too much waits no longer than half a minute of the clock for its next slow request.
    tenants.set(tenantId, { left: Math.max(left, -30_000 * refill), at })
  }

  /** Whether the tenant has used up its time. */
  function isExceeded(tenantId: Id): boolean {
    const known = tenants.get(tenantId)
    if (!known || known.left > 0) return false
    return known.left + (now() - known.at) * refill <= 0
  }

  return { add, isExceeded }
}
