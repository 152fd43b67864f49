import { createHash, createHmac } from 'node:crypto'
import type { Adapter } from 'oidc-provider'
import type { Database } from '../../../kernel/database.ts'
import type { Id } from '../../../kernel/id.ts'
import { holderOf } from '../accounts.ts'
import { openAt, sealAt } from './sealed-value.ts'

interface Row {
  id: string
  sealed: string
  consumed: number | null
}

/**
 * Device codes are kept for a while after they expire (seconds), because a device that polls too late must learn that its code has
 * expired.
 */
const lingering: Readonly<Record<string, number>> = { DeviceCode: 600 }

/** Returns the digest under which the id of a row is stored. */
export function digest(id: string): string {
  return createHash('sha256').update(id).digest('base64url')
}

/**
 * Tells whether a grant of a user to a client still exists, and its session was not ended. The grant is identified by the
 * digest of its id.
 */
export async function isGrantValid({ crossTenantSql }: Database, tenantId: Id, grantDigest: string): Promise<boolean> {
  const [row] =
    await crossTenantSql`select 1 from oauth where kind = 'Grant' and id = ${grantDigest} and expires_at > now() and not exists (
      select 1 from user_session s where s.tenant_id = ${tenantId} and s.grant_id = ${grantDigest} and s.ended is not null)`
  return row !== undefined
}

/** Revokes one access token. The row is needed only until the token expires. */
export async function revokeToken({ crossTenantSql }: Database, jti: string, expiresAt: Date): Promise<void> {
  await crossTenantSql`insert into oauth (kind, id, payload, expires_at)
    values (${revoked}, ${digest(jti)}, '{}'::jsonb, ${expiresAt}) on conflict do nothing`
}

export async function isRevoked({ crossTenantSql }: Database, jti: string): Promise<boolean> {
  const [row] = await crossTenantSql`select 1 from oauth where kind = ${revoked} and id = ${digest(jti)}`
  return row !== undefined
}

const revoked = 'RevokedToken'

/**
 * Stores sessions, grants, codes and refresh tokens. Ids are stored as digests and payloads are sealed, because a
 * session or an interaction contains the ids of other rows: a copy of the table gives access to nothing.
 */
export function openStore({ crossTenantSql }: Database, key: Buffer) {
  // A user code is short enough for a brute-force search, so its digest is keyed.
  const keyedDigest = (text: string) => createHmac('sha256', key).update(text).digest('base64url')

  return (kind: string): Adapter => {
    const place = (id: string) => `${kind} ${id}`
    const open = (row: Row | undefined) =>
      row && { ...openAt(key, place(row.id), row.sealed), ...(row.consumed ? { consumed: row.consumed } : {}) }

    return {
      async upsert(rawId, payload, expiresIn) {
        const id = digest(rawId)
        const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
        const [grantId, userCode, uid] = [text(payload.grantId), text(payload.userCode), text(payload.uid)]
        const sealed = JSON.stringify({ sealed: sealAt(key, place(id), payload) })
        const expires = expiresIn && new Date(Date.now() + (expiresIn + (lingering[kind] ?? 0)) * 1000)
        await crossTenantSql`insert into oauth (kind, id, payload, grant_id, user_code, uid, account_id, expires_at)
          values (${kind}, ${id}, ${sealed}::jsonb, ${kind === 'Grant' ? id : grantId && digest(grantId)}, ${userCode && keyedDigest(userCode)},
            ${uid && digest(uid)}, ${holderOf(payload) ?? null}, ${expires ?? null})
          on conflict (kind, id) do update set payload = excluded.payload, grant_id = excluded.grant_id, user_code = excluded.user_code,
            uid = excluded.uid, account_id = excluded.account_id, expires_at = excluded.expires_at`
      },

      async find(rawId) {
        const [row] =
          await crossTenantSql<Row>`select id, payload->>'sealed' as sealed, (payload->>'consumed')::int as consumed from oauth
          where kind = ${kind} and id = ${digest(rawId)} and (expires_at is null or expires_at > now())`
        return open(row)
      },

      async findByUserCode(userCode) {
        const [row] =
          await crossTenantSql<Row>`select id, payload->>'sealed' as sealed, (payload->>'consumed')::int as consumed from oauth
          where user_code = ${keyedDigest(userCode)} and kind = ${kind} and (expires_at is null or expires_at > now())`
        return open(row)
      },

      async findByUid(uid) {
        const [row] =
          await crossTenantSql<Row>`select id, payload->>'sealed' as sealed, (payload->>'consumed')::int as consumed from oauth
          where uid = ${digest(uid)} and kind = ${kind} and (expires_at is null or expires_at > now())`
        return open(row)
      },

      /**
       * If a code or token is used twice at the same moment, one of the two callers stole it, so both lose the grant.
       */
      async consume(rawId) {
        const id = digest(rawId)
        const [first] =
          await crossTenantSql`update oauth set payload = payload || jsonb_build_object('consumed', extract(epoch from now())::int)
          where kind = ${kind} and id = ${id} and payload->'consumed' is null returning true`
        if (first) return
        await crossTenantSql`delete from oauth where grant_id = (select grant_id from oauth where kind = ${kind} and id = ${id})`
        const { errors } = await import('oidc-provider')
        throw new errors.InvalidGrant(`the ${kind} was used by two requests at once`)
      },

      async destroy(rawId) {
        await crossTenantSql`delete from oauth where kind = ${kind} and id = ${digest(rawId)}`
      },

      async revokeByGrantId(grantId) {
        await crossTenantSql`delete from oauth where grant_id = ${digest(grantId)} and kind = ${kind}`
      },
    }
  }
}
