import { createPrivateKey } from 'node:crypto'
import type { OngoingUndo, Reversal, UndoConflict } from '../../engine/undo/reversal.ts'
import { undoRecords } from '../../engine/undo/undo-records.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Expect } from '../../kernel/record/record.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { readMasked, storeMasked } from '../../platform/masked-secrets.ts'
import { dropSecrets, mask, readSecret, storeSecret } from '../../platform/secrets.ts'
import { type Mailbox, type MailboxValues, mailboxes } from './mailbox.ts'

/** The encrypted secrets, and the servers that each is sent to. */
const secrets = {
  password: ['imap', 'smtp'],
  smtpPassword: ['smtp'],
  // The access tokens that these secrets yield are sent to the mail servers.
  clientSecret: ['oauth', 'imap', 'smtp'],
  refreshToken: ['oauth', 'imap', 'smtp'],
  dkimKey: [],
} as const satisfies Record<(typeof secretNames)[number], readonly ('imap' | 'smtp' | 'oauth')[]>

const secretNames = ['password', 'smtpPassword', 'clientSecret', 'refreshToken', 'dkimKey'] as const

export async function createMailbox(ctx: Context, values: Partial<MailboxValues>): Promise<Mailbox> {
  const read = readMasked(secretNames, values)
  validateDkimKey(values.dkimKey)
  const mailbox = await mailboxes.create(ctx, { ...values, ...read.shown })
  await storeMasked(ctx, mailbox.id, read)
  return mailbox
}

export async function changeMailbox(
  ctx: Context,
  id: Id,
  values: Partial<MailboxValues>,
  more: { expect?: Expect },
): Promise<Mailbox> {
  const before = await mailboxes.get(ctx, id, { lock: true })
  const read = readMasked(secretNames, values, before)
  validateDkimKey(values.dkimKey)
  for (const each of read.staying) {
    // A user who may change the record but not read its secret could otherwise have it sent to a host of their own.
    const elsewhere = secrets[each].find(
      place => values[place] !== undefined && movesAway(before[place], values[place]),
    )
    if (elsewhere)
      throw noSecret(each, 'other-host', `the host of ${elsewhere} has changed: enter the secret again, or clear it`)
  }
  const own = { columns: {}, changes: read.changes }
  const after = await mailboxes.update(ctx, id, { ...values, ...read.shown }, { ...more, own })
  await storeMasked(ctx, before.id, read)
  // The change may have removed the cause of the failure, so the next attempt starts at once.
  await ctx.sql`update mailbox_state set next_try = null, failures = 0 where tenant_id = ${ctx.caller.tenantId} and mailbox_id = ${before.id}`
  return after
}

/** Undoes changes of mailboxes. No secret is brought back, and none stays for a host that was brought back. */
export async function undoMailboxes(
  ctx: Context,
  given: readonly Reversal[],
  ongoing: OngoingUndo,
): Promise<UndoConflict[]> {
  return await undoRecords(ctx, given, ongoing, async (id, { properties, created }) => {
    const movedBack = (place: string) => {
      const { from, to } = properties.get(place) ?? {}
      return movesAway((to ?? null) as Place, (from ?? null) as Place) // the log holds what the mailbox had
    }
    const lost = secretNames.filter(each => secrets[each].some(movedBack))
    if (created || lost.length === 0) return
    await dropSecrets(
      ctx,
      id,
      secretNames.filter(each => !lost.includes(each)),
    )
    await mailboxes.update(ctx, id, Object.fromEntries(lost.map(each => [each, ''])))
  })
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

/** Stores the refresh token that the provider has rotated. The version of the mailbox stays the same. */
export async function storeRefreshToken(ctx: Context, mailboxId: Id, fresh: string, used: string): Promise<void> {
  await mailboxes.find(ctx, mailboxId, { lock: true })
  // A token that a user entered in the meantime takes precedence.
  if ((await readSecret(ctx, mailboxId, 'refreshToken')) === used)
    await storeSecret(ctx, mailboxId, 'refreshToken', fresh)
}

/** DKIM keys must be RSA, because every receiver supports it. */
function validateDkimKey(key: string | null | undefined): void {
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
