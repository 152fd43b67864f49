/** The limits of outbound calls; times are in milliseconds. */
export interface OutboundLimits {
  /** Until the last header has arrived. */
  headers: number
  /** For the body, after the headers. */
  body: number
  /** For the whole call. */
  total: number
  /** The maximal size of the body in bytes, where the call names none. */
  size: number
  /** The maximal size that a call can name. */
  maxSize: number
  /** The maximum of concurrent calls of one tenant to one host and port. */
  perHost: number
  /** The maximum of concurrent calls of one tenant. */
  perTenant: number
  /** How many calls may wait for one host. */
  waiting: number
  /** How long a call may wait for its turn. */
  maxWait: number
  /** The maximum of concurrent transfers of one tenant to one host. */
  transfers: number
  /** How long a transfer may make no progress. It has no limit as a whole, because it takes as long as the bytes need. */
  stall: number
  /** How long running calls may continue when the client closes. */
  closeGrace: number
}

export const defaultLimits: OutboundLimits = {
  headers: 5000,
  body: 15_000,
  total: 20_000,
  size: 64 * 1024,
  maxSize: 1024 * 1024,
  perHost: 5,
  perTenant: 64,
  waiting: 100,
  maxWait: 20_000,
  transfers: 32,
  stall: 60_000,
  closeGrace: 5000,
}
