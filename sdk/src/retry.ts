// Which failures may pass, and how long to wait for that.

const firstDelay = 250
const maxDelay = 20_000
const passing = new Set([429, 502, 503, 504])

/** Whether the same request may succeed later. */
export function mayPass(status: number, code: string): boolean {
  return passing.has(status) || (status === 409 && code === 'in-progress')
}

/** The milliseconds before the next attempt: what the service says, else a random part of a time that doubles. */
export function delayBefore(attempt: number, retryAfter: string | null): number {
  const asked = retryAfter === null ? Number.NaN : secondsOf(retryAfter) * 1000
  if (asked >= 0) return asked
  return Math.random() * Math.min(maxDelay, firstDelay * 2 ** attempt)
}

/** `Retry-After` is a number of seconds or a date. */
function secondsOf(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
}

export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
