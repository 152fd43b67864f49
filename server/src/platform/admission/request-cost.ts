import type { Id } from '../../kernel/id.ts'

/** From this mean time on, the requests of an operation are slow; ms. */
const slowFrom = 200

/** How long a connection serves the requests that one tenant sends to one operation. */
export class RequestCost {
  #mean: number | undefined
  #onTrial = false
  #result = Promise.withResolvers<void>()

  get isSlow(): boolean {
    return this.#mean !== undefined && this.#mean >= slowFrom
  }

  /** Undefined if the cost is known, or is found out by this request; otherwise resolves with the first result. */
  untilKnown(): Promise<void> | undefined {
    return this.#mean === undefined && this.#onTrial ? this.#result.promise : undefined
  }

  begin(): void {
    this.#onTrial = true
  }

  /** A mean of the last requests, which rises faster than it falls. */
  end(ms: number): void {
    this.#onTrial = false
    if (this.#mean === undefined) {
      this.#mean = ms
      this.#result.resolve()
    } else this.#mean += (ms - this.#mean) * (ms > this.#mean ? 0.3 : 0.1)
  }
}

const maxTenants = 1000

/** The costs of all operations by tenant. */
export function openRequestCosts(): (operation: object, tenantId: Id) => RequestCost {
  const costs = new WeakMap<object, Map<Id, RequestCost>>()
  return (operation, tenantId) => {
    let byTenant = costs.get(operation)
    if (!byTenant) {
      byTenant = new Map()
      costs.set(operation, byTenant)
    }
    let cost = byTenant.get(tenantId)
    if (!cost) {
      if (byTenant.size >= maxTenants) byTenant.delete(byTenant.keys().next().value ?? '')
      cost = new RequestCost()
      byTenant.set(tenantId, cost)
    }
    return cost
  }
}
