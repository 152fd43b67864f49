import { createHmac, hash, randomBytes } from 'node:crypto'
import type { Id } from '../kernel/id.ts'

// Standard Webhooks: https://github.com/standard-webhooks/standard-webhooks

const prefix = 'whsec_'

export function newSecret(): string {
  return prefix + randomBytes(32).toString('base64')
}

/** `whsec_` and 24 to 64 bytes as base64. */
export function isSecret(text: string): boolean {
  const bytes = Buffer.from(text.slice(prefix.length), 'base64')
  return (
    text.startsWith(prefix) && bytes.length >= 24 && bytes.length <= 64 && prefix + bytes.toString('base64') === text
  )
}

/** The headers by which a receiver verifies and identifies a call; a repeated call has the same `webhook-id`. */
export function signed(
  { id, at, body }: { id: string; at: Date; body: string },
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map(secret => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...(signatures.length > 0 ? { 'webhook-signature': signatures.join(' ') } : {}),
  }
}

/** Derives an id from others: always the same one, with the time of the first id, so that both sort alike. */
export function derivedId(first: Id, ...more: readonly string[]): Id {
  const digest = hash('sha256', [first, ...more].join(' '))
  const variant = (8 + (Number.parseInt(digest.slice(3, 4), 16) & 3)).toString(16)
  return `${first.slice(0, 13)}-7${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 19)}`
}

export const webhookIdOf = (deliveryId: Id) => `msg_${deliveryId.replaceAll('-', '')}`
