/** An API and a key for it. */
export interface Api {
  base: string
  key: string
}

export interface SeededBoard {
  items: number
  itemIds: string[]
  containerKey: string
  email: string
}

export const password = 'correct horse battery'

const atOnce = 1000

/** The items of a second container, which are changed together. */
export const manyItems = 500

/** Fills a container with items that are spread over the columns of a board. */
export async function seedBoard(api: Api, items: number): Promise<SeededBoard> {
  const me = await ask(api, 'GET', '/user/me')
  await ask(api, 'POST', `/user/${me.id}/password`, { password })
  const container = await ask(api, 'POST', '/container', { name: 'Bench', key: 'BENCH' })
  const itemIds: string[] = []
  for (let from = 0; from < items; from += atOnce) {
    const batch = Array.from({ length: Math.min(atOnce, items - from) }, (_, at) => ({
      title: `Replace the switch in hall ${from + at} before the inspection`,
      containerId: container.id,
      priority: (from + at) % 5,
      estimateMinutes: 60,
      assignees: at % 3 === 0 ? [me.id] : [],
    }))
    for (const { id } of await ask(api, 'POST', '/item/bulk', batch)) if (id) itemIds.push(id)
  }
  const many = await ask(api, 'POST', '/container', { name: 'Many', key: 'MANY' })
  const row = (at: number) => ({ title: `Check the door of hall ${at}`, containerId: many.id, priority: 3 })
  await ask(
    api,
    'POST',
    '/item/bulk',
    Array.from({ length: manyItems }, (_, at) => row(at)),
  )
  await ask(api, 'POST', '/board', { name: 'Bench', containerIds: [container.id], columnField: 'priority' })
  return { items, itemIds, containerKey: container.key, email: me.email }
}

// biome-ignore lint/suspicious/noExplicitAny: the answers of several operations
export async function ask({ base, key }: Api, method: string, path: string, body?: unknown): Promise<any> {
  const answer = await fetch(`${base}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`)
  return text === '' ? undefined : JSON.parse(text)
}
