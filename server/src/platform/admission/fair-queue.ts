import type { Id } from '../../kernel/id.ts'

interface FairQueueOptions {
  /** How many may be inside at a time. */
  slots: number
  /** How many may wait; further ones are refused. */
  maxWaiting: number
  /** How long one may wait before it is refused, in ms. */
  maxWait: number
}

/** Thrown to those who may not wait, or have waited too long. */
export class QueueFull extends Error {
  /** Whether the tenant itself uses up what it may use; otherwise all tenants together do. */
  readonly ownFault: boolean

  constructor(ownFault: boolean) {
    super('too many requests are waiting')
    this.ownFault = ownFault
  }
}

interface Waiting {
  enter: () => void
  late: NodeJS.Timeout
}

interface Tenant {
  inside: number
  /** How many of it may be inside at a time. */
  max: number
  waiting: Waiting[]
}

const maxTenants = 1000

/** Gives slots to tenants. One that asks for more than its share waits, and tenants that wait get slots in turn. */
export class FairQueue {
  readonly #options: FairQueueOptions
  readonly #tenants = new Map<Id, Tenant>()
  /** The tenants that wait; the one whose turn it is comes first. */
  readonly #turns = new Map<Id, Tenant>()
  /** How many are inside now. */
  inside = 0
  /** How many wait now. */
  waiting = 0

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  /**
   * Returns undefined if the tenant is inside at once; at most `max` of the tenant are. `leave` must follow, unless it was
   * refused.
   */
  enter(tenantId: Id, max: number): Promise<void> | undefined {
    const tenant = this.#tenantOf(tenantId)
    tenant.max = max
    if (tenant.waiting.length === 0 && this.#hasRoom(tenant)) {
      this.inside++
      tenant.inside++
      return undefined
    }
    if (this.waiting >= this.#options.maxWaiting) throw new QueueFull(tenant.inside >= max)
    return new Promise((enter, refuse) => {
      const late = setTimeout(() => {
        this.#remove(tenantId, tenant, waiting)
        refuse(new QueueFull(tenant.inside >= tenant.max))
      }, this.#options.maxWait)
      const waiting = { enter, late }
      tenant.waiting.push(waiting)
      this.#turns.set(tenantId, tenant)
      this.waiting++
    })
  }

  leave(tenantId: Id): void {
    this.inside--
    this.#tenantOf(tenantId).inside--
    if (this.waiting > 0) this.#admitNext()
  }

  #admitNext(): void {
    for (const [tenantId, tenant] of this.#turns) {
      const [next] = tenant.waiting
      if (!next || !this.#hasRoom(tenant)) continue
      clearTimeout(next.late)
      this.#remove(tenantId, tenant, next)
      // Behind the others that wait.
      if (this.#turns.delete(tenantId)) this.#turns.set(tenantId, tenant)
      this.inside++
      tenant.inside++
      next.enter()
      if (this.inside >= this.#options.slots) return
    }
  }

  #remove(tenantId: Id, tenant: Tenant, waiting: Waiting): void {
    tenant.waiting.splice(tenant.waiting.indexOf(waiting), 1)
    if (tenant.waiting.length === 0) this.#turns.delete(tenantId)
    this.waiting--
  }

  #hasRoom({ inside, max }: Tenant): boolean {
    return this.inside < this.#options.slots && inside < max
  }

  #tenantOf(tenantId: Id): Tenant {
    let tenant = this.#tenants.get(tenantId)
    if (!tenant) {
      if (this.#tenants.size >= maxTenants) this.#forgetIdle()
      tenant = { inside: 0, max: 0, waiting: [] }
      this.#tenants.set(tenantId, tenant)
    }
    return tenant
  }

  #forgetIdle(): void {
    for (const [tenantId, { inside, waiting }] of this.#tenants)
      if (inside === 0 && waiting.length === 0) this.#tenants.delete(tenantId)
  }
}
