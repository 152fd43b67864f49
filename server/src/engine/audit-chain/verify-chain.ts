import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { UnsealFailed } from '../../platform/secrets.ts'
import type { LogPosition } from '../live/log-position.ts'
import { type ChainHead, hashOf, type LogSeal, openHead } from './chain-head.ts'
import { compareRows, type Difference, type LogRow } from './compare-rows.ts'
import type { KnownSeal } from './heads-file.ts'
import { start } from './seal-log.ts'

/** The result of a verification: how much is proven, and where the chain breaks. */
interface ChainReport {
  seals: number
  rows: number
  /** Rows from which an anonymised user was removed. */
  rewritten: number
  /** Rows that were written after the last seal. */
  unsealed: number
  problems: string[]
}

/** The oldest row that is not sealed may have this age; ms. */
const maxUnsealedAge = 3_600_000

/** Proves that nothing was cut out of the log of a tenant or changed in it, or says where. */
export async function verifyChain(ctx: Context, known: readonly KnownSeal[]): Promise<ChainReport> {
  const report: ChainReport = { seals: 0, rows: 0, rewritten: 0, unsealed: 0, problems: [] }
  const head = await readHead(ctx, report)
  const end = head ? await verifySeals(ctx, head, known, report) : start
  for (const { seal } of head ? known.filter(each => each.seal > head.last) : known)
    report.problems.push(`seal ${seal} was written and is gone: the end of the log was cut off`)
  await verifyUnsealed(ctx, end, report)
  return report
}

async function readHead(ctx: Context, { problems }: ChainReport): Promise<ChainHead | undefined> {
  const { tenantId } = ctx.caller
  const [row] = await ctx.sql<{ head: string | null; last: number }>`select
    (select head from audit_chain where tenant_id = ${tenantId}) as head,
    (select coalesce(max(n), 0)::int from audit_seal where tenant_id = ${tenantId}) as last`
  if (!row?.head) {
    if (row && row.last > 0) problems.push(`the end of the chain is gone, and ${row.last} seals are there`)
    return undefined
  }
  try {
    const head = openHead(ctx.services.secrets, row.head)
    if (head.tenantId !== tenantId) problems.push('the end of the chain is that of another tenant')
    if (row.last > head.last) problems.push(`${row.last - head.last} seals follow the end of the chain`)
    return head
  } catch (error) {
    if (!(error instanceof UnsealFailed)) throw error
    problems.push('the end of the chain was changed, or sealed with another master key')
    return undefined
  }
}

/** Walks the chain and returns the position of its end. What follows a broken link is not proven, so it ends there. */
async function verifySeals(
  ctx: Context,
  head: ChainHead,
  known: readonly KnownSeal[],
  report: ChainReport,
): Promise<LogPosition> {
  const { tenantId } = ctx.caller
  let [position, hash] = [await positionBefore(ctx, head), head.before]
  for (let n = head.first; n <= head.last; n++) {
    const [seal] = await ctx.sql<
      LogSeal & { hash: string }
    >`select n::int as n, xact::text as xact, id, rows, digests, encode(hash, 'hex') as hash
      from audit_seal where tenant_id = ${tenantId} and n = ${n}`
    if (!seal) {
      report.problems.push(`seals are missing from ${n} on, of ${head.last}`)
      return position
    }
    hash = hashOf(tenantId, seal, hash)
    const wanted = known.find(each => each.seal === n)?.hash ?? hash
    if (seal.hash !== hash || wanted !== hash) {
      report.problems.push(`seal ${n} was changed, or a seal before it`)
      return position
    }
    await verifyRows(ctx, position, seal, { mayLack: n <= head.forgotten }, report)
    position = seal
    report.seals++
  }
  if (hash !== head.hash) report.problems.push(`seal ${head.last} is not the one that ended the chain`)
  return position
}

async function positionBefore(ctx: Context, { first }: ChainHead): Promise<LogPosition> {
  const [seal] = await ctx.sql<LogPosition>`select xact::text as xact, id from audit_seal
    where tenant_id = ${ctx.caller.tenantId} and n = ${first - 1}`
  return seal ?? start
}

async function verifyRows(
  ctx: Context,
  after: LogPosition,
  seal: LogSeal,
  { mayLack }: { mayLack: boolean },
  report: ChainReport,
): Promise<void> {
  const rows = await ctx.sql<LogRow>`select id, at, kind, digest from log_row
    where tenant_id = ${ctx.caller.tenantId} and (xact, id) > (${after.xact}::xid8, ${after.id}::uuid)
      and (xact, id) <= (${seal.xact}::xid8, ${seal.id}::uuid) order by xact, id`
  report.rows += rows.length
  if (Buffer.concat(rows.map(each => each.digest)).equals(seal.digests)) return
  const former = await formerDigests(ctx, rows)
  const { differences, rewritten } = compareRows(seal.digests, rows, former)
  report.rewritten += rewritten
  const wrong = differences.filter(({ kind }) => kind !== 'missing' || !mayLack)
  report.problems.push(...wrong.slice(0, maxShown).map(each => describe(each, seal)))
  if (wrong.length > maxShown) report.problems.push(`${wrong.length - maxShown} more in seal ${seal.n}`)
}

const maxShown = 20

function describe({ kind, row, after }: Difference, { n }: LogSeal): string {
  if (kind !== 'missing') return `${nameOf(row)} was ${kind} (seal ${n})`
  return after
    ? `a row after ${nameOf(after)} was removed (seal ${n})`
    : `a row at the beginning of seal ${n} was removed`
}

const nameOf = (row: LogRow | undefined) => (row ? `${row.kind} ${row.id} of ${row.at.toISOString()}` : 'a row')

/** The digests that rewritten rows had before, newest first: only anonymisation may rewrite. */
async function formerDigests(ctx: Context, rows: readonly LogRow[]): Promise<Map<Id, string[]>> {
  const notes = await ctx.sql<{
    id: Id
    was: string
    becomes: string
  }>`select event_id as id, encode(was, 'hex') as was, encode(becomes, 'hex') as becomes
    from event_rewrite where tenant_id = ${ctx.caller.tenantId} and event_id = any(${rows.map(each => each.id)}::uuid[]) order by xact desc, id desc`
  const former = new Map<Id, string[]>()
  for (const { id, digest } of rows) {
    const mine = notes.filter(note => note.id === id)
    const chain: string[] = []
    for (let at = digest.toString('hex'), note = mine.find(each => each.becomes === at); note; ) {
      chain.push(note.was)
      at = note.was
      note = mine.find(each => each.becomes === at && !chain.includes(each.was))
    }
    if (chain.length > 0) former.set(id, chain)
  }
  return former
}

async function verifyUnsealed(ctx: Context, { xact, id }: LogPosition, report: ChainReport): Promise<void> {
  const [rest] = await ctx.sql<{
    rows: number
    oldest: Date | null
  }>`select count(*)::int as rows, min(at) as oldest from (
    select at from log_row where tenant_id = ${ctx.caller.tenantId} and (xact, id) > (${xact}::xid8, ${id}::uuid)) rest`
  report.unsealed = rest?.rows ?? 0
  if (rest?.oldest && rest.oldest.getTime() < ctx.now.getTime() - maxUnsealedAge && report.problems.length === 0)
    report.problems.push(`${rest.rows} rows since ${rest.oldest.toISOString()} are not sealed: no engines run`)
}
