import { createPrivateKey } from 'node:crypto'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import type { Expect } from '../../kernel/resource.ts'
import { dropSecrets, keepSecret, mask, readSecret } from '../../platform/secrets.ts'
import { type Mailbox, type MailboxValues, mailboxes } from './mailbox.ts'

/** What is sealed, and the places that it is sent to. */
const secrets = {
  password: ['imap', 'smtp'],
  smtpPassword: ['smtp'],
  // What is got for them is shown to the mail servers.
  clientSecret: ['oauth', 'imap', 'smtp'],
  refreshToken: ['oauth', 'imap', 'smtp'],
  dkimKey: [],
} as const satisfies Record<string, readonly ('imap' | 'smtp' | 'oauth')[]>

type SecretName = keyof typeof secrets
const secretNames = [
  'password',
  'smtpPassword',
  'clientSecret',
  'refreshToken',
  'dkimKey',
] as const satisfies SecretName[]

export async function createMailbox(ctx: Context, values: Partial<MailboxValues>): Promise<Mailbox> {
  for (const each of secretNames)
    if (values[each] === mask) throw noSecret(each, 'no-value', 'no value is kept for this yet')
  refuseNoKey(values.dkimKey)
  const shown = Object.fromEntries(secretNames.map(each => [each, values[each] ? mask : '']))
  const mailbox = await mailboxes.create(ctx, { ...values, ...shown })
  for (const each of secretNames) if (values[each]) await keepSecret(ctx, mailbox.id, each, values[each])
  return mailbox
}

export async function changeMailbox(
  ctx: Context,
  id: Id,
  values: Partial<MailboxValues>,
  more: { expect?: Expect },
): Promise<Mailbox> {
  const before = await mailboxes.get(ctx, id, { lock: true })
  refuseNoKey(values.dkimKey)
  const wish: Partial<MailboxValues> = { ...values }
  const fresh: SecretName[] = []
  for (const each of secretNames) {
    const given = values[each]
    if (given === mask && before[each] === '') throw noSecret(each, 'no-value', 'no value is kept for this yet')
    const isFresh = given !== undefined && given !== null && given !== '' && given !== mask
    if (isFresh) fresh.push(each)
    const cleared = given === null || given === ''
    // Else whoever may change the record but not read its secret could have it sent to a host of their own.
    const elsewhere = secrets[each].find(
      place => values[place] !== undefined && movesAway(before[place], values[place]),
    )
    if (before[each] !== '' && !isFresh && !cleared && elsewhere)
      throw noSecret(each, 'other-host', `the host of ${elsewhere} is another: give it anew, or clear it`)
    wish[each] = isFresh ? mask : cleared ? '' : before[each]
  }
  const changes = Object.fromEntries(
    fresh.filter(each => before[each] !== '').map(each => [each, { from: mask, to: mask }]),
  )
  const own = Object.keys(changes).length > 0 ? { own: { columns: {}, changes } } : {}
  const after = await mailboxes.update(ctx, id, wish, { ...more, ...own })
  for (const each of fresh) await keepSecret(ctx, before.id, each, String(values[each]))
  await dropSecrets(
    ctx,
    before.id,
    secretNames.filter(each => after[each] !== ''),
  )
  // Whatever was wrong may be right now: it is tried at once.
  await ctx.sql`update mailbox_state set next_try = null, failures = 0 where tenant_id = ${ctx.caller.tenantId} and mailbox_id = ${before.id}`
  return after
}

type Place = { host?: string; tokenUrl?: string } | null

function movesAway(before: Place, after: Place | undefined): boolean {
  const [was, is] = [hostOf(before), hostOf(after ?? null)]
  return is !== '' && is !== was
}

function hostOf(place: Place): string {
  const url = place?.tokenUrl ?? ''
  return (URL.canParse(url) ? new URL(url).host : (place?.host ?? '')).toLowerCase()
}

/** The provider has given out another one; that is no change of the mailbox. */
export async function keepRefreshToken(ctx: Context, mailboxId: Id, fresh: string, used: string): Promise<void> {
  await mailboxes.find(ctx, mailboxId, { lock: true })
  // Somebody may have entered one meanwhile, and that one counts.
  if ((await readSecret(ctx, mailboxId, 'refreshToken')) === used)
    await keepSecret(ctx, mailboxId, 'refreshToken', fresh)
}

/** Mail is signed with RSA, which every receiver knows. */
function refuseNoKey(key: string | null | undefined): void {
  if (!key || key === mask || isSigningKey(key)) return
  throw noSecret('dkimKey', 'private-key', 'must be a private RSA key of 1024 bits or more (PEM)')
}

function isSigningKey(pem: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem)
    return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 1024
  } catch {
    return false
  }
}

function noSecret(property: string, code: string, message: string): Invalid {
  return new Invalid([fault([property], code, message)])
}
