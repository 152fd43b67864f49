import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from './until.ts'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into calls as a person would
  body: any
}

/** An external server that webhooks call, and the calls that it received. */
export interface Receiver {
  url: string
  /** The settings that let the service reach it. */
  env: Record<string, string>
  got: Received[]
  /** Sets its answer from now on. */
  answer: (
    call: Received,
  ) => number | { status: number; headers?: Record<string, string>; wait?: number | Promise<unknown> }
  until(holds: (got: Received[]) => boolean): Promise<void>
  /** Aborts all requests that it has not answered. */
  hangUp(): void
}

export async function receiver(): Promise<Receiver> {
  const got: Received[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', part => {
      text += part
    })
    request.on('end', async () => {
      const call = {
        path: request.url ?? '',
        headers: request.headers,
        text,
        body: text === '' ? undefined : JSON.parse(text),
      }
      got.push(call)
      const said = made.answer(call)
      const { status, headers = {}, wait = 0 } = typeof said === 'number' ? { status: said } : said
      await (typeof wait === 'number' ? sleep(wait, undefined, { ref: false }) : wait)
      response.writeHead(status, headers).end()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const made: Receiver = {
    url: `http://127.0.0.1:${port}`,
    env: { OUTBOUND_HTTP: 'true', OUTBOUND_ALLOW: `127.0.0.1:${port}` },
    got,
    answer: () => 200,
    hangUp: () => server.closeAllConnections(),
    until: holds =>
      until(
        () => holds(got),
        () => got.slice(-3),
      ),
  }
  return made
}
