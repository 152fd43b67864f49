import { type ClientRequest, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

/** What a proxy does with a request: forwards it, loses its answer or the rest of its body, or answers by itself. */
export type Treatment =
  | 'forward'
  | 'lose the answer'
  | { cutAfter: number }
  | { status: number; headers?: Record<string, string> }

export interface Proxy {
  url: string
  /** The requests that it has received, as `METHOD /path`. */
  seen: string[]
  /** The bytes of the bodies that it has forwarded. */
  bytes: number
  treat: (method: string, path: string) => Treatment
  /** Ends the answers that are being sent. */
  cut(): void
}

/** A real HTTP proxy before the service, whose faults a test determines. */
export async function proxyBefore(base: string): Promise<Proxy> {
  const open = new Set<ServerResponse>()
  const server = createServer((incoming, outgoing) => {
    const { method = '', url = '' } = incoming
    proxy.seen.push(`${method} ${url}`)
    const treatment = proxy.treat(method, url)
    if (typeof treatment === 'object' && 'status' in treatment) {
      incoming.resume().on('end', () => outgoing.writeHead(treatment.status, treatment.headers).end())
      return
    }
    open.add(outgoing)
    outgoing.on('close', () => open.delete(outgoing))
    const onward = request(
      `${base}${url}`,
      { method, headers: { ...incoming.headers, host: new URL(base).host } },
      answer => {
        if (treatment === 'lose the answer') {
          answer.resume().on('end', () => outgoing.destroy())
          return
        }
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    if (typeof treatment === 'object') forwardStart(incoming, onward, treatment.cutAfter)
    else incoming.pipe(onward)
    incoming.on('data', chunk => (proxy.bytes += chunk.length))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const proxy: Proxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: [],
    bytes: 0,
    treat: () => 'forward',
    cut: () => {
      for (const each of open) each.destroy()
    },
  }
  return proxy
}

/** Forwards some bytes of a body and then loses both connections. */
function forwardStart(incoming: IncomingMessage, onward: ClientRequest, cutAfter: number): void {
  let forwarded = 0
  incoming.on('data', (chunk: Buffer) => {
    if (forwarded >= cutAfter) return
    forwarded += chunk.length
    onward.write(chunk, () => forwarded >= cutAfter && onward.destroy())
  })
}
