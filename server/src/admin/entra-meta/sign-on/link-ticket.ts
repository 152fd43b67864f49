import type { AccountRef, ExternalProviderId } from '../../../identity/oauth/oauth.ts'
import { isId } from '../../../kernel/id.ts'
import { type Secrets, UnsealFailed } from '../../../platform/secrets.ts'

interface LinkTicket {
  holder: AccountRef
  offer: ExternalProviderId
}

const purpose = 'identity-link'
const lifetime = 300_000

/** Seals a ticket to link a user with a provider, valid for five minutes. It needs a browser in which the same user is signed in. */
export function sealTicket(
  secrets: Secrets,
  { holder, offer }: LinkTicket,
  now: Date,
): { ticket: string; expiresAt: Date } {
  const expiresAt = new Date(now.getTime() + lifetime)
  const content = [holder.tenantId, holder.userId, holder.authVersion, offer.id, expiresAt.getTime()]
  return { ticket: secrets.sealText(purpose, JSON.stringify(content)), expiresAt }
}

export function openTicket(secrets: Secrets, ticket: string): LinkTicket | undefined {
  try {
    const [tenantId, userId, authVersion, id, until] = JSON.parse(secrets.openText(purpose, ticket))
    if (!isId(tenantId) || !isId(userId) || !(until > Date.now())) return undefined
    return { holder: { tenantId, userId, authVersion }, offer: { tenantId, id } }
  } catch (error) {
    if (error instanceof UnsealFailed) return undefined
    throw error
  }
}
