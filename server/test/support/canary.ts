import net from 'node:net'
import { after } from 'node:test'

/** Counts who comes, on every address of this machine. */
export interface Canary {
  port: number
  connections: number
  /** False where none of the ports could be had: then nobody can come, and what was said instead must do. */
  listens: boolean
}

/**
 * Listens at the first of these ports that can be had: ports at which the service may call hosts elsewhere, so that nothing
 * but the host speaks against a call.
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
      listener.listen(port, () => resolve(true)) // without a host: on all of them, of IPv6 and of IPv4
    })
    if (!listens) continue
    after(() => void listener.close())
    return made
  }
  return { port: ports[0] ?? 0, connections: 0, listens: false }
}
