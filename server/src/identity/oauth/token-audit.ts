import type { Ctx } from 'oidc-provider'
import type { Database } from '../../kernel/database.ts'
import { appendAudit, type Origin } from '../audit/audit.ts'
import { openKeyUse } from '../audit/key-use.ts'
import { tenantCaller } from '../tenant-caller.ts'
import { readAccountId } from './accounts.ts'
import { base } from './base-path.ts'
import { apiKeyOf } from './provider/clients.ts'
import { digest } from './provider/store.ts'

/**
 * Writes into the audit log which key asked for tokens, and which codes and refresh tokens of known accounts were refused,
 * before the request is answered. Refreshed tokens are not written: they belong to a sign-in that is.
 */
export function openTokenAudit(database: Database) {
  const noteKeyUse = openKeyUse(database)

  return async function auditTokens(ctx: Ctx, next: () => Promise<void>): Promise<void> {
    await next()
    if (ctx.path !== `${base}/token` || ctx.method !== 'POST') return
    const { client, entities } = ctx.oidc
    const refused = ctx.status >= 400
    const from = { address: ctx.ip, client: client?.clientId ?? '' }
    const key = apiKeyOf(client)
    if (key) {
      const { tenantId, userId, id: keyId } = key
      const origin: Origin = { ...from, credential: 'apiKey', credentialId: keyId }
      const outcome = refused ? ({ action: 'token', outcome: 'refused', reason: reasonOf(ctx) } as const) : {}
      await noteKeyUse({ tenantId, userId, keyId, origin, ...outcome })
      return
    }
    const token = entities.RefreshToken ?? entities.AuthorizationCode ?? entities.DeviceCode
    const holder = readAccountId(token?.accountId)
    if (!refused || !token || !holder) return
    const origin: Origin = { ...from, credential: 'token', credentialId: digest(token.grantId ?? '') }
    const reason = token.consumed ? `the ${token.kind} was used twice, and its session is ended` : reasonOf(ctx)
    await database.single({ ...tenantCaller(holder.tenantId, holder.userId), origin }, write =>
      appendAudit(write, { action: 'token', outcome: 'refused', reason, recordKind: 'User', recordId: holder.userId }),
    )
  }
}

function reasonOf({ body }: Ctx): string {
  const { error = '', error_description: text = '' } = (body ?? {}) as Record<string, string | undefined>
  return `${error}: ${text}`
}
