import type { Auth, Gantry } from './types.ts'

export interface ConnectOptions {
  /** The address of the service: `https://gantry.example`. */
  url: string
  auth: Auth
  /** Sends the requests; a wrapped one can log, trace or count them. */
  fetch?: typeof fetch
  /** How often a request is repeated that failed for a reason that may pass; four times by default. */
  retries?: number
}

/** Makes the client to which every function is passed first. It sends nothing by itself. */
export function connect({
  url,
  auth,
  fetch: send = (...input) => fetch(...input),
  retries = 4,
}: ConnectOptions): Gantry {
  return { url: url.replace(/\/$/, ''), auth, fetch: send, retries }
}
