import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type { Service } from '../service.ts'
import { residentOf } from '../speed/processes.ts'

export interface StreamResult {
  written: number
  /** Events that the measured streams should receive; one stream in fifty is measured. */
  expected: number
  delivered: number
  p50: number
  p99: number
  resident: number
}

/** Opens streams for these keys in turn, and creates items that all of them see, at a constant rate. */
export async function measureStreams(
  service: Service,
  adminKey: string,
  keys: readonly string[],
  { streams, perSecond, seconds }: { streams: number; perSecond: number; seconds: number },
): Promise<StreamResult> {
  const agent = new Agent({ connections: 32, pipelining: 1 })
  const write = async (title: string) => {
    const { statusCode, body } = await request(`${service.base}/api/item`, {
      method: 'POST',
      dispatcher: agent,
      headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title }),
    })
    await body.dump()
    if (statusCode !== 201) throw new Error(`a write answered ${statusCode}`)
  }
  const delays: number[] = []
  const sockets: Socket[] = []
  for (let i = 0; i < streams; i++)
    sockets.push(await openStream(service.port, keys[i % keys.length] ?? '', i % 50 === 0 ? delays : undefined))
  const began = performance.now()
  const writes: Promise<void>[] = []
  while (performance.now() - began < seconds * 1000) {
    while (writes.length < ((performance.now() - began) / 1000) * perSecond)
      writes.push(write(`stream at ${performance.now().toFixed(2)}`))
    await sleep(5)
  }
  await Promise.all(writes)
  const expected = writes.length * Math.ceil(streams / 50)
  for (let waited = 0; delays.length < expected && waited < 100; waited++) await sleep(100)
  const resident = residentOf(service.process.pid ?? 0).reduce((sum, each) => sum + each, 0)
  for (const socket of sockets) socket.destroy()
  const sorted = delays.sort((a, b) => a - b)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
  return { written: writes.length, expected, delivered: delays.length, p50: at(0.5), p99: at(0.99), resident }
}

/** Opens a stream on a plain socket. The title of each item contains the time of its request, from which the delay follows. */
function openStream(port: number, key: string, delays: number[] | undefined): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `GET /api/event/stream?entity=Item HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${key}\r\nAccept: text/event-stream\r\n\r\n`,
  )
  return new Promise((resolve, reject) => {
    let open = false
    let rest = ''
    socket.on('error', reject)
    socket.on('data', chunk => {
      const text = chunk.toString('latin1')
      if (!open) {
        open = true
        if (text.startsWith('HTTP/1.1 200')) resolve(socket)
        else reject(new Error(`a stream answered ${text.slice(0, 100)}`))
      }
      if (!delays) return
      rest = (rest + text).slice(-100_000)
      const end = rest.lastIndexOf('\n\n')
      if (end < 0) return
      for (const match of rest.slice(0, end).matchAll(/stream at (\d+\.\d+)/g))
        delays.push(performance.now() - Number(match[1]))
      rest = rest.slice(end)
    })
  })
}
