import net from 'node:net'
import { after } from 'node:test'

/** Counts incoming connections on every address of this machine. */
export interface Canary {
  port: number
  connections: number
  /** False if none of the ports was free: nobody can connect then, and the test relies on the answers. */
  listens: boolean
}

/**
 * Listens on the first free one of these ports. The service may call external hosts on them, so that only the host can
 * be the reason for a refusal.
 */
export async function canary(ports: readonly number[]): Promise<Canary> {
  for (const port of ports) {
    const made: Canary = { port, connections: 0, listens: true }
    const listener = net.createServer(socket => {
      made.connections++
      socket.on('data', () => socket.destroy())
      socket.on('error', () => {})
    })
    const listens = await new Promise<boolean>(resolve => {
      listener.once('error', () => resolve(false))
      listener.listen(port, () => resolve(true)) // without a host, it listens on all IPv6 and IPv4 addresses
    })
    if (!listens) continue
    after(() => void listener.close())
    return made
  }
  return { port: ports[0] ?? 0, connections: 0, listens: false }
}
