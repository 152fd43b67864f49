import { Readable } from 'node:stream'
import type { Context } from '../../kernel/context.ts'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import type { Reply } from '../../kernel/operation.ts'
import type { Arrived } from './blobs.ts'

/** A part of some bytes; both ends are included. */
export interface ByteRange {
  start: number
  end: number
}

/** Bytes whose place is known. Opening them needs no connection to the database. */
export interface FoundBytes {
  open(range?: ByteRange): Promise<Readable>
  /** Undefined if they are nowhere. */
  size(): Promise<number | undefined>
}

/** The bytes of files and mails, wherever a tenant keeps them: on the disk of the service, or at a store of its own. */
export interface StoredBytes {
  find(ctx: Context, sha256: string): Promise<FoundBytes>
  /** Stores what has arrived. It must be called before the row that refers to the bytes is written. */
  keep(ctx: Context, arrived: Arrived): Promise<void>
  /** Removes what a tenant has at stores, and returns how many files that were. */
  eraseTenant(database: Database, tenantId: Id): Promise<number>
}

declare module '../../kernel/context.ts' {
  interface Services {
    /** The bytes of files and mails, wherever they are. */
    storedBytes: StoredBytes
  }
}

/** A reply with bytes. They are opened after the connection to the database was given back, and before the reply begins. */
export function bytesReply(
  found: FoundBytes,
  { status, headers }: { status?: number; headers: Record<string, string> },
  range?: ByteRange,
): Reply {
  return {
    async takeOver({ request, reply, operation }) {
      const bytes = request.method === 'HEAD' ? Readable.from([]) : await found.open(range)
      return reply
        .code(status ?? operation.reply.status)
        .headers(headers)
        .send(bytes)
    },
  }
}

/** Until the transaction ends, nobody else can create a row for these bytes, move or sweep them. */
export async function lockBytes(ctx: Context, sha256: string): Promise<void> {
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`file ${ctx.caller.tenantId} ${sha256}`}, 0))`
}
