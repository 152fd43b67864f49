import type { Database } from '../../kernel/database.ts'
import { type Id, operatorId } from '../../kernel/id.ts'
import { tenantCaller } from '../tenant-caller.ts'
import { type AuditOutcome, appendAudit, type Origin } from './audit.ts'

interface SignInAttempt {
  /** Absent if nobody, or an unknown user, tried. */
  userId?: Id | undefined
  outcome: AuditOutcome
  reason?: string
  address: string
  credential: Origin['credential']
  client: string
}

/** Writes the outcome of a sign-in before it is answered. */
export async function recordSignIn(database: Database, tenantId: Id, attempt: SignInAttempt): Promise<void> {
  const { userId = operatorId, outcome, reason = '', address, credential, client } = attempt
  const origin = { address, credential, credentialId: '', client: client.slice(0, 200) }
  await database.single({ ...tenantCaller(tenantId, userId), origin }, ctx =>
    appendAudit(ctx, { action: 'signIn', outcome, reason, recordKind: 'User', recordId: knownId(userId) }),
  )
}

const knownId = (userId: Id) => (userId === operatorId ? '' : userId)

/** The tenant that keeps the attempts of unknown users: the workspace that they named, else the operator's. */
export async function tenantOfStrangers({ crossTenantSql }: Database, workspace: string): Promise<Id | undefined> {
  const [tenant] = await crossTenantSql<{ id: Id }>`select id from tenant
    where not deleted and (slug = ${workspace} or operating) order by slug = ${workspace} desc, id limit 1`
  return tenant?.id
}
