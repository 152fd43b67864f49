/** Who sends which requests, and how long a caller pauses after each. */
export interface Caller {
  base: string
  key: string
  request(i: number): { method: string; path: string; body?: object }
  pause: number
}

export interface Traffic {
  /** The response times, in ms. */
  times: number[]
  statuses: Map<number, number>
}

/** Sends requests with several callers until the given moment; each sends the next one when the last was answered. */
export async function keepAsking(caller: Caller, callers: number, end: number): Promise<Traffic> {
  const traffic: Traffic = { times: [], statuses: new Map() }
  let number = 0
  const one = async () => {
    while (Date.now() < end) {
      await askOnce(caller, number++, traffic)
      if (caller.pause > 0) await new Promise(resolve => setTimeout(resolve, caller.pause * 2 * Math.random()))
    }
  }
  await Promise.all(Array.from({ length: callers }, one))
  return traffic
}

async function askOnce({ base, key, request }: Caller, i: number, { times, statuses }: Traffic): Promise<void> {
  const { method, path, body } = request(i)
  const began = performance.now()
  const response = await fetch(`${base}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  await response.text()
  times.push(performance.now() - began)
  statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
  // A refused caller that comes again at once would measure the speed of refusals.
  if (response.status === 429) await new Promise(resolve => setTimeout(resolve, 100))
}

export function percentile(times: readonly number[], part: number): string {
  const sorted = [...times].sort((a, b) => a - b)
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(1)
}
