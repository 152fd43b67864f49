/** Why a call failed: it is not allowed, the remote host was too slow or did not answer, or the queue is full. */
export type FailureReason = 'refused' | 'timeout' | 'too-large' | 'unreachable' | 'busy' | 'closed'

/**
 * A call without a complete answer; `status` is set when the answer had begun. The message may be shown to the tenant.
 */
export class OutboundFailure extends Error {
  readonly reason: FailureReason
  readonly status: number | undefined

  constructor(reason: FailureReason, message: string, status?: number) {
    super(message)
    this.reason = reason
    this.status = status
  }
}

export const tooLarge = (most: number) =>
  new OutboundFailure('too-large', `the answer is larger than ${Math.round(most / 1024)} kB`)

/** Translates an error of Node or undici into a message that a tenant may see and can act on. */
export function failureOf(error: unknown, status: number | undefined): OutboundFailure {
  if (error instanceof OutboundFailure) return new OutboundFailure(error.reason, error.message, status)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
    return new OutboundFailure('too-large', 'the answer is larger than 1 MB', status)
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return new OutboundFailure('timeout', 'the host took too long to answer', status)
  if (code === 'UND_ERR_INVALID_ARG') return new OutboundFailure('refused', 'a header is not well formed', status)
  if (/^(UND_ERR_(CLOSED|DESTROYED))$/.test(code))
    return new OutboundFailure('closed', 'the service is stopping', status)
  if (/CERT|TLS|SSL|SIGNATURE|ISSUER/.test(code))
    return new OutboundFailure('unreachable', `the host's certificate or encryption is not accepted (${code})`, status)
  return new OutboundFailure('unreachable', `the host cannot be reached${code ? ` (${code})` : ''}`, status)
}
