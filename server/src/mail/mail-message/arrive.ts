import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Caller } from '../../kernel/access.ts'
import type { Arrived } from '../../kernel/blobs.ts'
import type { Context } from '../../kernel/database.ts'
import { Hopeless, type Task, type Work } from '../../kernel/dispatch/dispatch.ts'
import type { Id } from '../../kernel/id.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { mailSettings } from '../mail-general.ts'
import { outcome } from './mail-message.ts'
import { limits, measure, tooMuch } from './measure.ts'
import { openParser, type Parser, Unreadable } from './parse.ts'
import type { Parsed } from './parsed.ts'
import { settle, settleAs } from './settle.ts'
import { arrivingTask } from './take-in.ts'

let parser: Parser | undefined

/** A message taken apart, with its attachments on the disk; or why it was not. */
export interface Arrival {
  id: Id
  parsed?: Parsed
  unreadable?: string
  attached: (Arrived | undefined)[]
}

/**
 * Looks at a message that came in. What becomes of it and that it was looked at is one transaction, so whatever is cut off
 * half way is done again from the beginning, and what is done stays done once.
 */
export const arriving: Task = {
  name: arrivingTask,
  ladder: [5_000, 30_000, 120_000, 600_000, 3_600_000],
  async run(work) {
    const id = String(work.payload.id)
    const raw = await work.single(work.service, ctx => rawOf(ctx, id))
    if (raw === undefined) return
    const arrival: Arrival = { id, ...(await taken(raw)), attached: [] }
    const blobs = await work.single(work.service, async ctx => ctx.blobs)
    try {
      for (const { content } of arrival.parsed?.attachments ?? [])
        arrival.attached.push(
          content.length > 0 ? await blobs.arrive(Readable.from([Buffer.from(content)])) : undefined,
        )
      await attempt(work, arrival)
    } finally {
      for (const each of arrival.attached) if (each) await blobs.discard(each)
    }
  },
  async gaveUp({ payload, service, transaction }, error) {
    const reason = error instanceof Error ? error.message : String(error)
    await transaction(byMail(service), ctx => settleAs(ctx, String(payload.id), outcome.failed, reason))
  },
}

/** Whatever a mailbox says about new tickets must not keep one from being made. */
async function attempt(work: Work, arrival: Arrival): Promise<void> {
  const by = byMail(work.service)
  try {
    await work.transaction(by, ctx => settle(ctx, arrival, { defaults: true }))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await work
      .transaction(by, ctx => settle(ctx, arrival, { defaults: false, refused: inShort(error) }))
      .catch(again => {
        throw again instanceof Refusal ? new Hopeless(inShort(again)) : again
      })
  }
}

const inShort = ({ code, message, faults }: Refusal) =>
  `${code}: ${message}${faults.length > 0 ? ` (${faults.map(each => `${each.Field} ${each.Message}`).join('; ')})` : ''}`.slice(
    0,
    1000,
  )

/** The service at work because of a mail: it may do everything, and its acts are told as the mail's. */
const byMail = (service: Caller): Caller => ({ ...service, name: 'mail', kind: 'mail' })

/** The bytes of one that nobody has looked at yet; larger ones than we take are not even read. */
async function rawOf(ctx: Context, id: Id): Promise<Buffer | null | undefined> {
  const { tenantId } = ctx.caller
  const [row] = await ctx.sql<{ sha256: string; size: number }>`select sha256, size from mail_message
    where tenant_id = ${tenantId} and id = ${id} and outcome = ${outcome.pending}`
  if (!row) return undefined
  const { maxMessageBytes } = await mailSettings(ctx)
  if (row.sha256 === '' || row.size > (maxMessageBytes || limits.bytes)) return null
  return await buffer(ctx.blobs.read(tenantId, row.sha256))
}

async function taken(raw: Buffer | null): Promise<Pick<Arrival, 'parsed' | 'unreadable'>> {
  if (raw === null) return { unreadable: 'it is larger than what is taken' }
  const unreadable = tooMuch(measure(raw))
  if (unreadable) return { unreadable }
  parser ??= openParser()
  try {
    return { parsed: await parser.parse(raw) }
  } catch (error) {
    if (error instanceof Unreadable) return { unreadable: error.message }
    throw error
  }
}
