/** Changes so many items in one request and undoes it, five times. Returns the medians in ms. */
export async function measureUndo(base: string, key: string, count: number): Promise<{ change: number; undo: number }> {
  const ask = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${base}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`)
    return { response, body: JSON.parse(text) }
  }
  const { body: found } = await ask('GET', `/item?limit=${count}&fields=id`)
  const ids = found.map((each: { id: string }) => each.id)
  const [changes, undos]: [number[], number[]] = [[], []]
  for (let round = 0; round < 5; round++) {
    const began = performance.now()
    const { response } = await ask('PATCH', '/item', { ids, patch: { points: 100 + round } })
    const changed = performance.now()
    await ask('POST', `/change/${response.headers.get('change-set')}/undo`)
    changes.push(changed - began)
    undos.push(performance.now() - changed)
  }
  const median = (all: number[]) => all.sort((a, b) => a - b)[2] ?? 0
  return { change: median(changes), undo: median(undos) }
}
