import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** One received call of a hook. */
export interface Call {
  webhookId: string
  /** When it arrived, in ms since 1970. */
  at: number
  body: { type: string; timestamp: string; data: { seq: string; id: string; entity: string } }
}

/** An HTTP server in this process that receives the calls of hooks, and outlives the service. */
export interface Receiver {
  url: string
  /** Settings with which the service can reach it. */
  env: Record<string, string>
  onCall: (call: Call) => void
  /** Closes all connections and is unreachable for so many ms. */
  interrupt(ms: number): Promise<void>
  close(): void
}

export async function openReceiver(): Promise<Receiver> {
  const server = createServer({ keepAliveTimeout: 30_000 }, (request, response) => {
    let text = ''
    request.on('data', part => {
      text += part
    })
    request.on('end', () => {
      receiver.onCall({ webhookId: String(request.headers['webhook-id']), at: Date.now(), body: JSON.parse(text) })
      response.writeHead(200).end()
    })
    request.on('error', () => {}) // The caller was killed.
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/`,
    env: { OUTBOUND_HTTP: 'true', OUTBOUND_ALLOW: `127.0.0.1:${port}` },
    onCall: () => {},
    async interrupt(ms) {
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
  return receiver
}
