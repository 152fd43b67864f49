import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** One call of a hook, as it came in. */
export interface Call {
  webhookId: string
  /** ms, by the clock of this machine. */
  at: number
  body: { type: string; timestamp: string; data: { seq: string; id: string; entity: string } }
}

/** Somebody whom hooks call: it lives in this process, and outlives whatever happens to the service. */
export interface Receiver {
  url: string
  /** What the service must be told to reach it. */
  env: Record<string, string>
  hear: (call: Call) => void
  /** Is gone for so many ms, in the middle of whatever it hears, and then there again. */
  die(ms: number): Promise<void>
  close(): void
}

export async function openReceiver(): Promise<Receiver> {
  const server = createServer({ keepAliveTimeout: 30_000 }, (request, response) => {
    let text = ''
    request.on('data', part => {
      text += part
    })
    request.on('end', () => {
      made.hear({ webhookId: String(request.headers['webhook-id']), at: Date.now(), body: JSON.parse(text) })
      response.writeHead(200).end()
    })
    request.on('error', () => {}) // the caller was killed
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const { port } = server.address() as AddressInfo
  const made: Receiver = {
    url: `http://127.0.0.1:${port}/`,
    env: { OUTBOUND_HTTP: 'true', OUTBOUND_ALLOW: `127.0.0.1:${port}` },
    hear: () => {},
    async die(ms) {
      server.close()
      server.closeAllConnections()
      await sleep(ms)
      await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return made
}
