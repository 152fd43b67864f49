import { connect } from 'node:net'
import { type OperationName, operationOf } from './operations.ts'

// The load generator runs in a process of its own, so it shares no event loop with the measured server. It writes HTTP/1.1 on
// keep-alive sockets itself, because on a small machine its CPU time is taken from the measured server.

export interface LoadOptions {
  operation: OperationName
  port: number
  key: string
  connections: number
  /** Seconds that are not counted, in which caches fill and code is compiled. */
  warmUp: number
  seconds: number
}

export interface Load {
  perSecond: number
  p50: number
  p99: number
  bytes: number
  /** All replies, including those of the warm-up. */
  answered: number
  /** How many replies were errors, and the first of them. */
  failures: number
  failure?: string
}

/** Sends one request at a time on every connection; the next one follows when the reply is complete. */
export async function load(options: LoadOptions): Promise<Load> {
  const began = performance.now()
  const counted = began + options.warmUp * 1000
  const end = counted + options.seconds * 1000
  const tally: Tally = { latencies: [], bytes: 0, answered: 0, failures: 0, counted, end, last: counted }
  await Promise.all(Array.from({ length: options.connections }, () => runConnection(options, tally)))
  const sorted = Float64Array.from(tally.latencies).sort()
  return {
    perSecond: sorted.length / ((tally.last - counted) / 1000),
    p50: sorted[Math.floor(sorted.length * 0.5)] ?? 0,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    bytes: tally.bytes / Math.max(1, sorted.length),
    answered: tally.answered,
    failures: tally.failures,
    ...(tally.failure ? { failure: tally.failure } : {}),
  }
}

interface Tally {
  latencies: number[]
  bytes: number
  answered: number
  failures: number
  failure?: string
  counted: number
  end: number
  last: number
}

function runConnection({ operation, port, key }: LoadOptions, tally: Tally): Promise<void> {
  const { numbers = [0, 0], request } = operationOf(operation)
  const head = `host: 127.0.0.1:${port}\r\nauthorization: Bearer ${key}\r\n`
  const write = () => {
    const n = numbers[0] + Math.floor(Math.random() * (numbers[1] - numbers[0] + 1))
    const { method, path, body } = request(n)
    const content = body ? `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` : ''
    return `${method} ${path} HTTP/1.1\r\n${head}${content}\r\n${body ?? ''}`
  }
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const reply = new ReplyReader()
    let sent = 0
    const send = () => {
      sent = performance.now()
      if (sent >= tally.end) {
        socket.end()
        resolve()
      } else socket.write(write())
    }
    socket.on('connect', send)
    socket.on('data', chunk => {
      if (!reply.read(chunk)) return
      const now = performance.now()
      tally.answered++
      if (reply.status >= 300) {
        tally.failures++
        tally.failure ??= reply.text()
      } else if (sent >= tally.counted) {
        tally.latencies.push(now - sent)
        tally.bytes += reply.length
        tally.last = now
      }
      reply.reset()
      send()
    })
    socket.on('error', reject)
  })
}

/** Reads one reply with a Content-Length. The measured servers use no other form. */
class ReplyReader {
  status = 0
  length = 0
  private missing = -1
  private chunks: Buffer[] = []

  /** Returns true when the reply is complete. */
  read(chunk: Buffer): boolean {
    if (this.missing < 0) {
      this.chunks.push(chunk)
      const whole = this.chunks.length === 1 ? chunk : Buffer.concat(this.chunks)
      const headEnd = whole.indexOf('\r\n\r\n')
      if (headEnd < 0) return false
      const head = whole.toString('latin1', 0, headEnd)
      this.status = Number(head.slice(9, 12))
      this.length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      this.missing = this.length - (whole.length - headEnd - 4)
    } else {
      if (this.status >= 300) this.chunks.push(chunk)
      this.missing -= chunk.length
    }
    return this.missing <= 0
  }

  text(): string {
    return Buffer.concat(this.chunks).toString().slice(0, 2000)
  }

  reset(): void {
    this.missing = -1
    this.chunks = []
  }
}

if (import.meta.main) process.stdout.write(JSON.stringify(await load(JSON.parse(process.argv[2] ?? '{}'))))
