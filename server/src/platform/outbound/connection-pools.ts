import type { Agent } from 'undici'
import type { Id } from '../../kernel/id.ts'

/** The maximum of tenants whose connections are kept open. */
const maxPools = 200

/** The connections of each tenant. They are separate, so that neither headers nor TLS sessions are shared. */
interface ConnectionPools {
  /** Runs the work with the connections of the tenant, which stay open meanwhile. */
  use<T>(tenantId: Id, work: (agent: Agent) => Promise<T>): Promise<T>
  /** Closes all connections, and aborts the calls on them. */
  destroy(): Promise<void>
}

export function openConnectionPools(openAgent: () => Agent): ConnectionPools {
  const pools = new Map<Id, { agent: Agent; inUse: number }>()

  function poolOf(tenantId: Id) {
    const pool = pools.get(tenantId) ?? { agent: openAgent(), inUse: 0 }
    pools.delete(tenantId) // inserted again at the end, so that the first entry is the least recently used
    pools.set(tenantId, pool)
    return pool
  }

  function closeOldestIdle(): void {
    const idle = [...pools].find(([, pool]) => pool.inUse === 0)
    if (!idle) return
    const [tenantId, { agent }] = idle
    pools.delete(tenantId)
    void agent.destroy()
  }

  return {
    async use(tenantId, work) {
      const pool = poolOf(tenantId)
      pool.inUse++
      if (pools.size > maxPools) closeOldestIdle()
      try {
        return await work(pool.agent)
      } finally {
        pool.inUse--
      }
    },
    async destroy() {
      await Promise.all([...pools.values()].map(pool => pool.agent.destroy()))
    },
  }
}
