import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

/** What a proxy does with a request: forwards it, loses its answer, or answers by itself. */
export type Treatment = 'forward' | 'lose the answer' | { status: number; headers?: Record<string, string> }

export interface Proxy {
  url: string
  /** The requests that it has received, as `METHOD /path`. */
  seen: string[]
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
    if (typeof treatment === 'object') {
      outgoing.writeHead(treatment.status, treatment.headers).end()
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
    incoming.pipe(onward)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const proxy: Proxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: [],
    treat: () => 'forward',
    cut: () => {
      for (const each of open) each.destroy()
    },
  }
  return proxy
}
