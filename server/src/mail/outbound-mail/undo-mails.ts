import { annotations } from '../../desk/annotation/annotation.ts'
import type { Reversal } from '../../engine/undo/reversal.ts'
import type { Undoer } from '../../engine/undo/undo.ts'
import { withSystemAuthority } from '../../identity/tenant-caller.ts'
import type { Context } from '../../kernel/context.ts'
import { cancelSend } from '../queue-mail.ts'
import { mailState, type OutboundMail, outboundMails, updateProgress } from './outbound-mail.ts'

/**
 * Undoes annotations with their mails. The mails are found by the annotation and not by the events of the change set,
 * because a mail may be queued while the undo runs: queueing one takes the lock on the annotation.
 */
export const withTheirMails =
  (undoAnnotations: Undoer): Undoer =>
  async (ctx, given, undo) => {
    const conflicts = await undoAnnotations(ctx, given, undo)
    if (conflicts.length > 0) return conflicts
    for (const reversal of given.filter(saysOrUnsays)) {
      const isSaid = (await annotations.find(ctx, reversal.recordId)) !== undefined && !reversal.properties.has('kind')
      for (const mail of await mailsOf(ctx, reversal))
        if (isSaid) undo.warnings.push(...unsentAgain(mail))
        else undo.warnings.push(...(await withdraw(ctx, mail)))
    }
    return []
  }

/** Undoes the mails of a change set that carry no annotation. */
export const undoMails: Undoer = async (ctx, given, { warnings }) => {
  for (const { recordId } of given) {
    const mail = await outboundMails.find(withSystemAuthority(ctx), recordId, { lock: true })
    if (mail && mail.annotationId === '') warnings.push(...(await withdraw(ctx, mail)))
  }
  return []
}

/** Whether the set created, deleted, restored or published the annotation; an edit of its text is not mailed. */
function saysOrUnsays({ created, deleted, properties }: Reversal): boolean {
  return created || deleted !== undefined || properties.has('kind')
}

async function mailsOf(ctx: Context, { recordId }: Reversal): Promise<OutboundMail[]> {
  const rows = await ctx.sql<{ id: string }>`select id from outbound_mail
    where tenant_id = ${ctx.caller.tenantId} and annotation_id = ${recordId} and not deleted order by id`
  const mails: OutboundMail[] = []
  for (const { id } of rows) mails.push(await outboundMails.get(withSystemAuthority(ctx), id, { lock: true }))
  return mails
}

/** Cancels a mail that waits in the queue, or reports that it has left. Without a next attempt it is being sent. */
async function withdraw(ctx: Context, mail: OutboundMail): Promise<string[]> {
  const { id, state, nextAttempt } = mail
  if (state === mailState.suppressed || state === mailState.cancelled) return []
  const isWaiting = (state === mailState.queued || state === mailState.deferred) && nextAttempt !== null
  if (!isWaiting) return [`the mail to ${recipientsOf(mail)} was sent already and cannot be withdrawn`]
  const values = { state: mailState.cancelled, nextAttempt: null, lastError: 'its change was undone' }
  await updateProgress(withSystemAuthority(ctx), id, { among: [state], values })
  await cancelSend(ctx, id)
  return []
}

function unsentAgain(mail: OutboundMail): string[] {
  if (mail.state !== mailState.cancelled) return []
  return [
    `the mail to ${recipientsOf(mail)} was cancelled and is not sent; POST /api/mail/outbound/${mail.id}/retry sends it`,
  ]
}

const recipientsOf = ({ to, cc }: OutboundMail) => [...to, ...cc].join(', ')
