import { createHash } from 'node:crypto'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import { networkOf } from '../oauth/sign-in/attempt-limit.ts'
import { tenantCaller } from '../tenant-caller.ts'
import { type AuditAction, type AuditOutcome, appendAudit, type Origin } from './audit.ts'

interface KeyUse {
  tenantId: Id
  userId: Id
  keyId: Id
  origin: Origin
  action?: AuditAction
  outcome?: AuditOutcome
  reason?: string
}

const maxKnown = 50_000

/**
 * Writes the first use of each key from each network on each day. Later uses cost a look into memory; another process
 * that sees the same use writes the same id, which is stored once.
 */
export function openKeyUse(database: Database, now: () => Date = () => new Date()) {
  const written = new Set<string>()

  return async function noteKeyUse(use: KeyUse): Promise<void> {
    const { tenantId, userId, keyId, origin, action = 'keyUse', outcome = 'ok', reason = '' } = use
    const day = now().toISOString().slice(0, 10)
    const fact = [day, tenantId, keyId, networkOf(origin.address), action, outcome].join(' ')
    if (written.has(fact)) return
    await database.single({ ...tenantCaller(tenantId, userId), origin }, ctx =>
      appendAudit(ctx, { action, outcome, reason, recordKind: 'ApiKey', recordId: keyId, id: idOf(fact) }),
    )
    if (written.size >= maxKnown) written.clear()
    written.add(fact)
  }
}

export type NoteKeyUse = ReturnType<typeof openKeyUse>

/** The same id for the same fact, in every process. */
function idOf(fact: string): Id {
  const hex = createHash('sha256').update(fact).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
