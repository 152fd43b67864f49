import { once } from 'node:events'
import { type Duplex, PassThrough, type Readable } from 'node:stream'
import type pg from 'pg'

// COPY over an ordinary connection: `pg` passes the messages of the protocol on to the query object that is active.

/** The part of the driver's connection that COPY needs. */
interface WireConnection {
  readonly stream: Duplex
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
}

const blockSize = 1 << 16

/** Runs `copy … to stdout`: returns the bytes as a stream, and the number of rows, which is known after the last byte. */
export function copyOut(client: pg.Client, statement: string): { bytes: Readable; rows: Promise<number> } {
  const bytes = new PassThrough({ highWaterMark: 1 << 20 })
  const rows = Promise.withResolvers<number>()
  rows.promise.catch(() => {}) // the stream reports the same error
  const blocks = openBlocks(block => bytes.write(block))
  let count = 0
  client.query({
    submit: connection => connection.query(statement),
    handleCopyData({ chunk }: { chunk: Buffer }, { stream }: WireConnection) {
      if (blocks.add(chunk)) return
      stream.pause()
      bytes.once('drain', () => stream.resume())
    },
    handleCommandComplete({ text }: { text: string }) {
      count = rowsOfTag(text)
    },
    handleReadyForQuery() {
      blocks.flush()
      bytes.end()
      rows.resolve(count)
    },
    handleError(error: Error) {
      bytes.destroy(error)
      rows.reject(error)
    },
  })
  return { bytes, rows: rows.promise }
}

/** Runs `copy … from stdin` with these bytes, and returns the number of rows that were stored. */
export async function copyIn(client: pg.Client, statement: string, bytes: AsyncIterable<Buffer>): Promise<number> {
  const done = Promise.withResolvers<number>()
  let [count, failed] = [0, false]
  let sourceError: unknown
  async function send(connection: WireConnection): Promise<void> {
    try {
      for await (const chunk of bytes) {
        if (failed) return
        connection.sendCopyFromChunk(chunk)
        if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain')
      }
      if (!failed) connection.endCopyFrom()
    } catch (error) {
      sourceError = error
      if (!failed) connection.sendCopyFail('the source of the rows failed')
    }
  }
  client.query({
    submit: connection => connection.query(statement),
    handleCopyInResponse: (connection: WireConnection) => void send(connection),
    handleCommandComplete({ text }: { text: string }) {
      count = rowsOfTag(text)
    },
    handleReadyForQuery: () => done.resolve(count),
    handleError(error: Error) {
      failed = true
      done.reject(sourceError ?? error)
    },
  })
  return await done.promise
}

const none = Buffer.alloc(0)

/** Collects rows into blocks. The driver reuses the memory of a row, so the bytes are copied. Many tables are empty and need no block. */
function openBlocks(write: (block: Buffer) => boolean) {
  let block = none
  let used = 0
  const flush = () => {
    if (used === 0) return true
    const roomy = write(block.subarray(0, used))
    block = none
    used = 0
    return roomy
  }
  return {
    flush,
    /** Returns false when the reader is slower than the server. */
    add(chunk: Buffer): boolean {
      let roomy = true
      if (used + chunk.length > blockSize) roomy = flush()
      if (chunk.length > blockSize) return write(Buffer.from(chunk)) && roomy
      if (block === none) block = Buffer.allocUnsafe(blockSize)
      used += chunk.copy(block, used)
      return roomy
    },
  }
}

/** The server ends with a tag such as `COPY 42`. */
const rowsOfTag = (tag: string) => Number(/\d+$/.exec(tag)?.[0] ?? 0)
