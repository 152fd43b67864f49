import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { PermanentFailure, type Task, type Work } from '../../engine/dispatch/dispatch.ts'
import type { Caller } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { ownTenant } from '../../kernel/sql.ts'
import type { Blobs } from '../../platform/bytes/blobs.ts'
import { scanForVirus } from '../../platform/bytes/virus-scan.ts'
import type { OutboundRules } from '../../platform/outbound/outbound.ts'
import { mailSettings } from '../mail-general.ts'
import { type Authenticity, authenticityOf } from './authenticity/authenticity.ts'
import { dnsQuery } from './authenticity/name-server.ts'
import { verifySender } from './authenticity/verify-sender.ts'
import { outcome } from './mail-message.ts'
import { type MailParser, openMailParser, UnreadableMail } from './parsing/mail-parser.ts'
import type { ParsedMail } from './parsing/parsed-mail.ts'
import { exceededLimit, measureMessage, messageLimits } from './parsing/size-limits.ts'
import type { PreparedMessage } from './prepared-message.ts'
import { endProcessing, processMessage } from './process-message.ts'
import { processMailTaskName } from './store-message.ts'

let parser: MailParser | undefined

/**
 * Processes an incoming message. Its result and its end are one transaction: a run that is interrupted is repeated as a whole,
 * and a finished one is not repeated.
 */
export const processMailTask: Task = {
  name: processMailTaskName,
  retryDelays: [5_000, 30_000, 120_000, 600_000, 3_600_000],
  async run(work) {
    const id = String(work.payload.id)
    const found = await work.single(work.service, ctx => pendingMail(ctx, id))
    if (found === undefined) return
    const { raw, blobs } = found
    const read = await taken(raw)
    const authenticity = await looked(found, read.parsed)
    const arrival: PreparedMessage = { id, ...read, authenticity, virus: await scan(found, read.parsed), attached: [] }
    try {
      if (arrival.virus.name === undefined) await keepApart(arrival, blobs)
      await attempt(work, arrival)
    } finally {
      for (const each of arrival.attached) if (each) await blobs.discard(each)
    }
  },
  async onGiveUp({ payload, service, transaction }, error) {
    const reason = error instanceof Error ? error.message : String(error)
    await transaction(byMail(service), ctx => endProcessing(ctx, String(payload.id), outcome.failed, reason))
  },
}

async function keepApart({ parsed, attached }: PreparedMessage, blobs: Blobs): Promise<void> {
  for (const { content } of parsed?.attachments ?? [])
    attached.push(content.length > 0 ? await blobs.arrive(Readable.from([Buffer.from(content)])) : undefined)
}

/** The defaults of a mailbox must not prevent a ticket: if they are refused, it is created without them. */
async function attempt(work: Work, arrival: PreparedMessage): Promise<void> {
  const by = byMail(work.service)
  try {
    await work.transaction(by, ctx => processMessage(ctx, arrival, { defaults: true }))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await work
      .transaction(by, ctx => processMessage(ctx, arrival, { defaults: false, refused: inShort(error) }))
      .catch(again => {
        throw again instanceof Refusal ? new PermanentFailure(inShort(again)) : again
      })
  }
}

const inShort = ({ code, message, faults }: Refusal) =>
  `${code}: ${message}${faults.length > 0 ? ` (${faults.map(each => `${each.Field} ${each.Message}`).join('; ')})` : ''}`.slice(
    0,
    1000,
  )

/** The service as the actor of what a mail causes: unrestricted, and logged with the kind `mail`. */
const byMail = (service: Caller): Caller => ({ ...service, name: 'mail', kind: 'mail' })

interface Pending {
  /** Null if the message is larger than the limit: then it is not read at all. */
  raw: Buffer | null
  hosts: readonly string[]
  demandProof: boolean
  rules: OutboundRules
  blobs: Blobs
}

/** Loads a message that is not processed yet, with what its processing needs. */
async function pendingMail(ctx: Context, id: Id): Promise<Pending | undefined> {
  const { tenantId } = ctx.caller
  const [row] = await ctx.sql<{ sha256: string; size: number; hosts: string[] }>`
    select m.sha256, m.size, b.trusted_auth_hosts as hosts from mail_message m
    join mailbox b on b.tenant_id = ${ownTenant} and b.id = m.mailbox_id
    where m.tenant_id = ${tenantId} and m.id = ${id} and m.outcome = ${outcome.pending}`
  if (!row) return undefined
  const { maxMessageBytes, demandProof } = await mailSettings(ctx)
  const tooLarge = row.sha256 === '' || row.size > (maxMessageBytes || messageLimits.bytes)
  const raw = tooLarge ? null : await buffer(await (await ctx.services.storedBytes.find(ctx, row.sha256)).open())
  return { raw, hosts: row.hosts, demandProof, rules: ctx.services.outboundRules, blobs: ctx.services.blobs }
}

/** Verifies the sender. The DNS is asked outside of any transaction. */
async function looked(
  { raw, hosts, demandProof, rules }: Pending,
  parsed: ParsedMail | undefined,
): Promise<Authenticity | undefined> {
  if (!parsed || raw === null) return undefined
  return authenticityOf(parsed, await verifySender(raw, parsed, { hosts, ask: dnsQuery(rules) }), { demandProof })
}

/** Scans the whole message and each attachment as we extract it: another parser may see other attachments in the same bytes. */
async function scan({ raw, rules }: Pending, parsed: ParsedMail | undefined): Promise<PreparedMessage['virus']> {
  if (!rules.clamd || !parsed || raw === null) return { scanned: false }
  for (const content of [raw, ...parsed.attachments.map(each => each.content)]) {
    const name = content.length > 0 ? await scanForVirus(rules.clamd, content) : undefined
    if (name !== undefined) return { scanned: true, name }
  }
  return { scanned: true }
}

async function taken(raw: Buffer | null): Promise<Pick<PreparedMessage, 'parsed' | 'unreadable'>> {
  if (raw === null) return { unreadable: 'the message is larger than the limit' }
  const unreadable = exceededLimit(measureMessage(raw))
  if (unreadable) return { unreadable }
  parser ??= openMailParser()
  try {
    return { parsed: await parser.parse(raw) }
  } catch (error) {
    if (error instanceof UnreadableMail) return { unreadable: error.message }
    throw error
  }
}
