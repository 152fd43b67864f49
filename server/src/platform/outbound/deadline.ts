import { OutboundFailure } from './failure.ts'

/** Limits the time for the headers, the body and the whole call. The timeouts of undici restart with every byte, so a slow trickle could extend them. */
export function deadline(limits: { headers: number; body: number; total: number }) {
  const controller = new AbortController()
  const after = (ms: number) =>
    setTimeout(() => controller.abort(new OutboundFailure('timeout', 'the host took too long to answer')), ms)
  const total = after(limits.total)
  let phase = after(limits.headers)
  return {
    signal: controller.signal,
    bodyBegins() {
      clearTimeout(phase)
      phase = after(limits.body)
    },
    stop() {
      clearTimeout(total)
      clearTimeout(phase)
    },
  }
}
