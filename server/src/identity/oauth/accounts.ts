import type { Account } from 'oidc-provider'
import type { Database } from '../../kernel/database.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { openTenantStatuses } from '../tenant-status.ts'

/** The user who signed in, and the version of the credentials that they signed in with. */
export interface AccountRef {
  tenantId: Id
  userId: Id
  /**
   * The version increases whenever all sessions of the user must end; everything issued under an earlier version is
   * void.
   */
  authVersion: number
}

/**
 * The account id as the provider stores it. It includes the version, so that no session, grant or token outlives the
 * version.
 */
export function accountIdOf({ tenantId, userId, authVersion }: AccountRef): string {
  return `${tenantId}:${userId}:${authVersion}`
}

export function readAccountId(accountId: unknown): AccountRef | undefined {
  const [tenantId = '', userId = '', version = ''] = typeof accountId === 'string' ? accountId.split(':') : []
  if (!isId(tenantId) || !isId(userId) || !/^\d{1,9}$/.test(version)) return undefined
  return { tenantId, userId, authVersion: Number(version) }
}

/**
 * Reads the user, provided that they may sign in now, and that the version of their credentials is still current, or the
 * session goes on although they have newer ones. `grant` is the digest of the grant of the session.
 */
export async function findAccount(
  { crossTenantSql }: Database,
  accountId: string,
  grant = '',
): Promise<Account | undefined> {
  const holder = readAccountId(accountId)
  if (!holder) return undefined
  const [user] = await crossTenantSql<{
    name: string
    email: string
  }>`select u.name, u.email from "user" u join tenant t on t.tenant_id = u.tenant_id
    where u.tenant_id = ${holder.tenantId} and u.id = ${holder.userId}
      and (u.auth_version = ${holder.authVersion} or exists (select 1 from user_session s
        where s.tenant_id = ${holder.tenantId} and s.grant_id = ${grant} and s.user_id = u.id and s.auth_version = u.auth_version and s.ended is null))
      and not exists (select 1 from user_session s where s.tenant_id = ${holder.tenantId} and s.grant_id = ${grant} and s.ended is not null)
      and u.active and not u.deleted and (u.locked is null or u.locked <= now()) and (t.status in (${openTenantStatuses}) or u.super_admin) and not t.deleted`
  if (!user) return undefined
  return { accountId, claims: async () => ({ sub: holder.userId, tid: holder.tenantId, ...user }) }
}

/** Ends all sessions, grants, codes and refresh tokens of the user. */
export async function revokeAccount({ crossTenantSql }: Database, tenantId: Id, userId: Id): Promise<void> {
  await crossTenantSql`delete from oauth where account_id = ${columnOf(tenantId, userId)}`
}

/** The owner of a stored row, in the form of the column `account_id`. */
export function holderOf(payload: Record<string, unknown>): string | undefined {
  const session = payload.session as { accountId?: unknown } | undefined
  const holder = readAccountId(payload.accountId ?? session?.accountId)
  return holder && columnOf(holder.tenantId, holder.userId)
}

const columnOf = (tenantId: Id, userId: Id) => `${tenantId}:${userId}`.toLowerCase()
