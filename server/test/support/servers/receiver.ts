import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../until.ts'

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

/** Opens a receiver at an address of its own. */
export async function receiver(): Promise<Receiver> {
  const { server, url, env } = await listen((request, response) => made.hear(request, response, request.url ?? ''))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const made = openReceiver({ url, env, hangUp: () => server.closeAllConnections() })
  return made
}

let standing: ReturnType<typeof listenForAll> | undefined
const heard = new Map<string, Hear>()

/** Opens a receiver in a folder of its own at an address that is the same for all files, so that they can share a service with its `env`. */
export async function sharedReceiver(): Promise<Receiver> {
  standing ??= listenForAll()
  const { server, url, env } = await standing
  const folder = `/receiver-${heard.size + 1}`
  const made = openReceiver({ url: url + folder, env, hangUp: () => server.closeAllConnections() })
  heard.set(folder, made.hear)
  after(() => server.closeAllConnections())
  return made
}

async function listenForAll() {
  const made = await listen((request, response) => {
    const [folder = '', rest = ''] = (request.url ?? '').split(/(?<=^\/[^/?]+)(?=[/?]|$)/)
    const hear = heard.get(folder)
    if (hear) hear(request, response, rest || '/')
    else response.writeHead(404).end()
  })
  made.server.unref()
  return made
}

type Hear = (request: IncomingMessage, response: ServerResponse, path: string) => void

async function listen(hear: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(hear)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const env: Receiver['env'] = { OUTBOUND_HTTP: 'true', OUTBOUND_ALLOW: `127.0.0.1:${port}` }
  return { server, url: `http://127.0.0.1:${port}`, env }
}

function openReceiver(at: Pick<Receiver, 'url' | 'env' | 'hangUp'>): Receiver & { hear: Hear } {
  const got: Received[] = []
  const made: Receiver & { hear: Hear } = {
    ...at,
    got,
    answer: () => 200,
    until: holds =>
      until(
        () => holds(got),
        () => got.slice(-3),
      ),
    hear(request, response, path) {
      let text = ''
      request.on('data', part => {
        text += part
      })
      request.on('end', async () => {
        const call = { path, headers: request.headers, text, body: text === '' ? undefined : JSON.parse(text) }
        got.push(call)
        const said = made.answer(call)
        const { status, headers = {}, wait = 0 } = typeof said === 'number' ? { status: said } : said
        await (typeof wait === 'number' ? sleep(wait, undefined, { ref: false }) : wait)
        response.writeHead(status, headers).end()
      })
    },
  }
  return made
}
