import type { Database } from '../../../kernel/database.ts'
import type { Id } from '../../../kernel/id.ts'
import { kindNamed } from '../../../kernel/kinds.ts'
import { notifyForget } from '../../../kernel/memory.ts'
import type { EventBatch } from './event-batch.ts'
import { LogFollower, type LogFollowerOptions } from './log-follower.ts'

/** The followers of the logs that this process streams, one for each tenant with an open stream. */
export function openTenantLogs(database: Database, options: LogFollowerOptions) {
  const followers = new Map<Id, LogFollower>()

  return {
    /** Returns the follower of a tenant's log, and starts it if it is the first stream of the tenant. */
    follow(tenantId: Id): LogFollower {
      const known = followers.get(tenantId)
      if (known) return known
      const follower = new LogFollower(database, tenantId, options)
      follower.onBatch = batch => forgetChanged(tenantId, batch)
      followers.set(tenantId, follower)
      return follower
    },
    /** Makes followers read soon, because something was written: that of the tenant, or all without a tenant. */
    wake(tenantId?: Id): void {
      if (tenantId !== undefined) followers.get(tenantId)?.wake()
      else for (const follower of followers.values()) follower.wake()
    },
    stop(tenantId: Id): void {
      followers.get(tenantId)?.close()
      followers.delete(tenantId)
    },
    close(): void {
      for (const follower of followers.values()) follower.close()
    },
  }
}

/** Clears the cached permissions that another node has changed as soon as its event is read. */
function forgetChanged(tenantId: Id, { events, large }: EventBatch): void {
  const entities = [...events.map(event => event.entity), ...large.flatMap(each => each.entities)]
  if (entities.some(entity => kindNamed(entity)?.remembered)) void notifyForget(tenantId, true)
}
