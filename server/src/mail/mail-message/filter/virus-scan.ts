import { connect } from 'node:net'

/** The chunk size of the scan; bytes. */
const piece = 64 * 1024

/** The timeout of one scan; ms. */
const patience = 30_000

/**
 * Scans bytes by clamd (INSTREAM) and returns the name of the virus it found. Any unclear answer is an error, because a message
 * that was not scanned must not pass.
 */
export async function scanForVirus(place: string, content: Uint8Array): Promise<string | undefined> {
  const said = await askScanner(place, content)
  const [, name] = /^stream: (.+) FOUND$/.exec(said) ?? []
  if (name !== undefined) return name
  if (said === 'stream: OK') return undefined
  throw new Error(`the virus scanner answers: ${said.slice(0, 200) || 'nothing'}`)
}

function askScanner(place: string, content: Uint8Array): Promise<string> {
  const [, host = '', port = ''] = /^\[?(.+?)\]?:(\d+)$/.exec(place) ?? []
  return new Promise((resolve, reject) => {
    let said = ''
    const socket = connect({ host, port: Number(port) })
    const fail = (why: string) => {
      socket.destroy()
      reject(new Error(`the virus scanner at ${place} ${why}`))
    }
    socket.setTimeout(patience, () => fail('does not answer'))
    socket.on('error', error => fail(`cannot be reached: ${error.message}`))
    socket.on('data', chunk => {
      said += chunk.toString('latin1')
      if (said.length > 4096) fail('sends too long an answer')
    })
    socket.on('close', () => resolve(said.replace(/[\0\r\n]+$/, '')))
    socket.write('zINSTREAM\0')
    for (let at = 0; at < content.length; at += piece) {
      const part = content.subarray(at, at + piece)
      socket.write(sized(part.length))
      socket.write(part)
    }
    socket.write(sized(0))
  })
}

function sized(length: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(length)
  return bytes
}
