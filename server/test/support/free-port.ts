import { once } from 'node:events'
import { createServer } from 'node:net'

// These ports lie below the ephemeral range, so the system gives none of them away between the check and the use.
const first = 20_000
const many = 1000
// Each worker of a test run has its own range.
const own = first + many * (Number(process.env.GANTRY_TEST_WORKER ?? 0) % 12)
const given = new Set<number>()

/** Returns a free port that was not returned to anybody else in this run. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = own + Math.floor(Math.random() * many)
    if (given.has(port)) continue
    given.add(port)
    const server = createServer().listen(port, '127.0.0.1')
    try {
      await once(server, 'listening')
      await new Promise(resolve => server.close(resolve))
      return port
    } catch {} // the port is taken
  }
}
