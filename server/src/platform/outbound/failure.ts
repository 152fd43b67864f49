/** Why a call came to nothing: what it asks is not allowed, the other side kept us waiting or did not answer, or we are full. */
export type FailureReason = 'refused' | 'timeout' | 'too-large' | 'unreachable' | 'busy' | 'closed'

/** A call without a whole answer; `status` when the answer had begun. The message may be shown to the tenant. */
export class OutboundFailure extends Error {
  readonly reason: FailureReason
  readonly status: number | undefined

  constructor(reason: FailureReason, message: string, status?: number) {
    super(message)
    this.reason = reason
    this.status = status
  }
}
