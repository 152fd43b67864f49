import { Type } from 'typebox'
import type { Context } from '../kernel/context.ts'
import { create, get, list, remove, restore, update } from '../kernel/crud.ts'
import type { Id } from '../kernel/id.ts'
import type { Routes } from '../kernel/operation.ts'
import { resource } from '../kernel/resource.ts'
import { Instant, Ref, Text } from '../kernel/schema/values.ts'
import { history } from '../records/history/history.ts'
import { plainAddress } from './address.ts'

const shape = {
  address: Type.String({ format: 'email', minLength: 3, maxLength: 254, examples: ['gone@example.com'] }),
  reason: Text(500),
  until: Instant,
  outboundMailId: Ref('OutboundMail'),
}

/** An address that gets no automatic mail. */
const mailSuppressions = resource('MailSuppression', {
  about:
    'An address that gets no automatic mail, because a mail to it bounced or a user entered it: until a given time, or permanently. Mail that users write is sent nevertheless. Deleting the record ends the suppression.',
  shape,
  required: ['address'],
  serverSet: ['outboundMailId'],
})

/** Which of these addresses get no automatic mail, and why; addresses in lower case. */
export async function suppressedAmong(ctx: Context, addresses: readonly string[]): Promise<Map<string, string>> {
  const rows = await ctx.sql<{
    address: string
    reason: string
  }>`select lower(address) as address, reason from mail_suppression
    where tenant_id = ${ctx.caller.tenantId} and not deleted and (until is null or until > ${ctx.now})
      and lower(address) = any(${addresses.map(plainAddress)}::text[])`
  return new Map(rows.map(row => [row.address, row.reason || 'it is on the list of suppressed addresses']))
}

/** Suppresses automatic mail to an address for some days, or extends its suppression. */
export async function suppress(
  ctx: Context,
  address: string,
  { days, reason, outboundMailId }: { days: number; reason: string; outboundMailId: Id },
): Promise<void> {
  if (days === 0) return
  const until = new Date(ctx.now.getTime() + days * 86_400_000).toISOString()
  const [known] = await ctx.sql<{ id: Id; until: Date | null }>`select id, until from mail_suppression
    where tenant_id = ${ctx.caller.tenantId} and not deleted and lower(address) = ${plainAddress(address)}`
  const values = { reason: reason.slice(0, 500), until, outboundMailId }
  if (!known) await mailSuppressions.create(ctx, { address: plainAddress(address), ...values })
  else if (known.until !== null) await mailSuppressions.update(ctx, known.id, values)
}

export const routes: Routes = {
  'GET /mail/suppression': list(mailSuppressions),
  'POST /mail/suppression': create(mailSuppressions),
  'PUT /mail/suppression': update(mailSuppressions),
  'GET /mail/suppression/:id': get(mailSuppressions),
  'PUT /mail/suppression/:id': update(mailSuppressions),
  'PATCH /mail/suppression/:id': update(mailSuppressions),
  'DELETE /mail/suppression/:id': remove(mailSuppressions),
  'POST /mail/suppression/:id/restore': restore(mailSuppressions),
  'GET /mail/suppression/:id/history': history(mailSuppressions),
}
