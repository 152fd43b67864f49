import { once } from 'node:events'
import { createServer } from 'node:net'

// Below those that the system gives to whoever wants any: nobody gets it in the moment between asking for it and using it.
const first = 20_000
const many = 1000
// Each worker of a test run has a range of its own.
const own = first + many * (Number(process.env.GANTRY_TEST_WORKER ?? 0) % 12)
const given = new Set<number>()

/** A port on which nobody listens, and of which nobody else here was told. */
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
    } catch {} // somebody else has it
  }
}
