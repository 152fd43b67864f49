import { operator } from '../../server/src/language/conditions/conditions.ts'
import type { SeededTenant } from '../fair/tenants.ts'
import { containerId, itemId } from '../growth/seed.ts'

/** A caller that does everything that members do, one request after the other. */
export interface Member {
  base: string
  tenant: SeededTenant
  items: number
}

type Act = (member: Member, i: number) => Promise<number>

/** Most requests are reads, as in real life; the numbers are shares. */
const acts: [number, Act][] = [
  [40, (member, i) => send(member, 'GET', `/item/${itemId(member.tenant.mark, (i * 389) % member.items)}`)],
  [
    15,
    (member, i) =>
      send(member, 'GET', `/item?containerId=${containerId(member.tenant.mark, 1 + (i % 4))}&limit=50&sort=-id`),
  ],
  [1, (member, i) => send(member, 'GET', `/item?containerId=${containerId(member.tenant.mark, 1 + (i % 4))}`)],
  [8, (member, i) => send(member, 'GET', `/search?q=${encodeURIComponent(`zx${(i * 97) % member.items} `)}`)],
  [6, (member, i) => send(member, 'POST', '/item/search', filter(i))],
  [10, (member, i) => send(member, 'POST', '/item', newItem(member, i))],
  [
    10,
    (member, i) =>
      send(member, 'PATCH', `/item/${itemId(member.tenant.mark, (i * 389) % member.items)}`, { priority: 1 + (i % 4) }),
  ],
  [
    1,
    (member, i) =>
      send(
        member,
        'POST',
        '/item/bulk',
        Array.from({ length: 50 }, (_, n) => newItem(member, i + n)),
      ),
  ],
  [4, upload],
  [2, listen],
]
const shares = acts.reduce((total, [share]) => total + share, 0)

/** Performs the next act and returns the status of the answer. */
export async function act(member: Member, i: number): Promise<number> {
  let at = (i * 7919) % shares
  for (const [share, perform] of acts) {
    if (at < share) return await perform(member, i)
    at -= share
  }
  return 0
}

const newItem = ({ tenant }: Member, i: number) => ({
  title: `Printer ${i}`,
  containerId: containerId(tenant.mark, 1 + (i % 4)),
  description: 'Smoke comes out of the tray on the third floor. '.repeat(5),
  Tags: ['hardware'],
})

const filter = (i: number) => ({
  conditionGroup: [
    { condition: [{ leftSide: 'priority', operator: operator.lessOrEqual, rightSide: String(1 + (i % 4)) }] },
  ],
  includeClosed: false,
  limit: 50,
})

async function send({ base, tenant }: Member, method: string, path: string, body?: unknown): Promise<number> {
  const response = await fetch(`${base}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${tenant.key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  await response.arrayBuffer()
  return response.status
}

async function upload({ base, tenant }: Member): Promise<number> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(300_000)]), 'picture.bin')
  const response = await fetch(`${base}/api/file`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.key}` },
    body: form,
  })
  await response.arrayBuffer()
  return response.status
}

/** Listens to the events of the tenant for some seconds. */
async function listen({ base, tenant }: Member): Promise<number> {
  const end = AbortSignal.timeout(3000)
  const response = await fetch(`${base}/api/event/stream`, {
    headers: { authorization: `Bearer ${tenant.key}` },
    signal: end,
  })
  try {
    for await (const _part of response.body ?? []) if (end.aborted) break
  } catch {
    // The time is over.
  }
  return response.status
}
