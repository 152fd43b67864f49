import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** The chunk size of the scan; bytes. */
const piece = 64 * 1024

/** The time for which the scanner may say and take nothing; ms. */
const patience = 30_000

/** The scanner cannot be reached or does not answer: what it would say is not known. */
export class ScannerUnreachable extends Error {}

/**
 * Scans bytes by clamd (INSTREAM) and returns the name of the virus it found. Any unclear answer is an error, because what
 * was not scanned must not pass.
 */
export async function scanForVirus(
  place: string,
  content: Uint8Array | AsyncIterable<Uint8Array>,
): Promise<string | undefined> {
  const said = await askScanner(place, content instanceof Uint8Array ? pieces(content) : content)
  const [, name] = /^stream: (.+) FOUND$/.exec(said) ?? []
  if (name !== undefined) return name
  if (said === 'stream: OK') return undefined
  throw new Error(`the virus scanner answers: ${said.slice(0, 200) || 'nothing'}`)
}

async function* pieces(content: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += piece) yield content.subarray(at, at + piece)
}

function askScanner(place: string, content: AsyncIterable<Uint8Array>): Promise<string> {
  const [, host = '', port = ''] = /^\[?(.+?)\]?:(\d+)$/.exec(place) ?? []
  return new Promise((resolve, reject) => {
    let said = ''
    const socket = connect({ host, port: Number(port) })
    const fail = (error: Error) => {
      socket.destroy()
      reject(error)
    }
    const unreachable = (why: string) => fail(new ScannerUnreachable(`the virus scanner at ${place} ${why}`))
    socket.setTimeout(patience, () => unreachable('does not answer'))
    // A scanner that has seen enough answers and closes, so that what is still being sent fails.
    socket.on('error', error => said === '' && unreachable(`cannot be reached: ${error.message}`))
    socket.on('data', chunk => {
      said += chunk.toString('latin1')
      if (said.length > 4096) fail(new Error(`the virus scanner at ${place} sends too long an answer`))
    })
    socket.on('close', () => resolve(said.replace(/[\0\r\n]+$/, '')))
    send(socket, content).catch(fail)
  })
}

/** Sends no faster than the scanner takes it, so that memory stays flat. */
async function send(socket: Socket, content: AsyncIterable<Uint8Array>): Promise<void> {
  socket.write('zINSTREAM\0')
  for await (const part of content) {
    if (part.length === 0) continue // an empty part would end the stream
    socket.write(sized(part.length))
    if (!socket.write(part)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {})
    if (socket.destroyed) return
  }
  socket.write(sized(0))
}

function sized(length: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(length)
  return bytes
}
