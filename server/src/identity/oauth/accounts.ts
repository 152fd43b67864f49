import type { Account } from 'oidc-provider'
import type { Database } from '../../kernel/database.ts'
import { type Id, isId } from '../../kernel/id.ts'

/** Who signed in, and by which version of their credentials. */
export interface AccountRef {
  tenantId: Id
  userId: Id
  /** Counted up whenever all sessions of the user are to end; whatever was begun under an earlier one is void. */
  authVersion: number
}

/** The account as the provider knows it. The version is a part of it, so that no session, grant or token outlives it. */
export function accountIdOf({ tenantId, userId, authVersion }: AccountRef): string {
  return `${tenantId}:${userId}:${authVersion}`
}

export function readAccountId(accountId: unknown): AccountRef | undefined {
  const [tenantId = '', userId = '', version = ''] = typeof accountId === 'string' ? accountId.split(':') : []
  if (!isId(tenantId) || !isId(userId) || !/^\d{1,9}$/.test(version)) return undefined
  return { tenantId, userId, authVersion: Number(version) }
}

/** Reads a user who may come in right now, under the version of their credentials that they signed in with. */
export async function findAccount({ crossTenantSql }: Database, accountId: string): Promise<Account | undefined> {
  const holder = readAccountId(accountId)
  if (!holder) return undefined
  const [user] = await crossTenantSql<{
    name: string
    email: string
  }>`select u.name, u.email from "user" u join tenant t on t.tenant_id = u.tenant_id
    where u.tenant_id = ${holder.tenantId} and u.id = ${holder.userId} and u.auth_version = ${holder.authVersion}
      and u.active and not u.deleted and (u.locked is null or u.locked <= now()) and (t.status in (0, 1) or u.super_admin) and not t.deleted`
  if (!user) return undefined
  return { accountId, claims: async () => ({ sub: holder.userId, tid: holder.tenantId, ...user }) }
}

/** Ends everything that the user has begun anywhere: sessions, grants, codes and refresh tokens. */
export async function revokeAccount({ crossTenantSql }: Database, tenantId: Id, userId: Id): Promise<void> {
  await crossTenantSql`delete from oauth where account_id = ${columnOf(tenantId, userId)}`
}

/** Whose a stored row is, as the column `account_id` has it. */
export function holderOf(payload: Record<string, unknown>): string | undefined {
  const session = payload.session as { accountId?: unknown } | undefined
  const holder = readAccountId(payload.accountId ?? session?.accountId)
  return holder && columnOf(holder.tenantId, holder.userId)
}

const columnOf = (tenantId: Id, userId: Id) => `${tenantId}:${userId}`.toLowerCase()
