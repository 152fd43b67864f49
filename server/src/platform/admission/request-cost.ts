import type { Id } from '../../kernel/id.ts'

/** From this mean time on, the requests of an operation are slow; ms. */
const slowFrom = 200
/** How many requests of unknown cost run at a time; the others wait for the first result. */
const maxTrials = 2

/** How long a connection serves the requests that one tenant sends to one operation. */
export class RequestCost {
  #mean: number | undefined
  #trials = 0
  #result = Promise.withResolvers<void>()

  get isSlow(): boolean {
    return this.#mean !== undefined && this.#mean >= slowFrom
  }

  /** Undefined if the cost is known, or may be found out by this request; otherwise resolves with the first result. */
  untilKnown(): Promise<void> | undefined {
    return this.#mean === undefined && this.#trials >= maxTrials ? this.#result.promise : undefined
  }

  begin(): void {
    if (this.#mean === undefined) this.#trials++
  }

  /** A mean of the last requests, which rises faster than it falls. */
  end(ms: number): void {
    this.#trials = 0
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
