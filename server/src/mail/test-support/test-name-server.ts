import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after } from 'node:test'

// A name server on this machine that knows only the records that a test adds.

interface NameServer {
  /** The value for MAIL_DNS. */
  place: string
  /** The TXT records, by name. */
  texts: Map<string, string[]>
  /** The addresses of hosts, by name. */
  hosts: Map<string, string[]>
  /** The names for which it answers with a server failure. */
  broken: Set<string>
  /** The received queries, as `TXT name`. */
  asked: string[]
}

const types: Record<number, string> = { 1: 'A', 15: 'MX', 16: 'TXT', 28: 'AAAA' }

export async function nameServer(): Promise<NameServer> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  after(() => socket.close())
  const server: NameServer = {
    place: `127.0.0.1:${socket.address().port}`,
    texts: new Map(),
    hosts: new Map(),
    broken: new Set(),
    asked: [],
  }
  socket.on('message', (question, { port, address }) => socket.send(answerTo(question, server), port, address))
  return server
}

function answerTo(question: Buffer, { texts, hosts, broken, asked }: NameServer): Buffer {
  const labels: string[] = []
  let at = 12
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const [name, type] = [labels.join('.').toLowerCase(), types[question.readUInt16BE(at + 1)] ?? '']
  asked.push(`${type} ${name}`)
  const records =
    type === 'TXT'
      ? (texts.get(name) ?? [])
          .map(text => text.match(/.{1,255}/gs) ?? [])
          .map(parts => Buffer.concat(parts.map(sized)))
      : type === 'A'
        ? (hosts.get(name) ?? []).map(address => Buffer.from(address.split('.').map(Number)))
        : []
  const known = [...texts.keys(), ...hosts.keys()].some(each => each === name || each.endsWith(`.${name}`))
  const code = broken.has(name) ? 2 : known ? 0 : 3
  const head = Buffer.from(question.subarray(0, 12))
  head.writeUInt16BE(0x8180 | code, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(code === 0 ? records.length : 0, 6)
  head.writeUInt32BE(0, 8)
  const answers = code === 0 ? records.map(record => answer(question.readUInt16BE(at + 1), record)) : []
  return Buffer.concat([head, question.subarray(12, at + 5), ...answers])
}

const sized = (text: string) =>
  Buffer.concat([Buffer.of(Buffer.byteLength(text, 'latin1')), Buffer.from(text, 'latin1')])

function answer(type: number, record: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(60, 6)
  head.writeUInt16BE(record.length, 10)
  return Buffer.concat([head, record])
}
