import { newItem } from './operations.ts'
import { watchMemory } from './processes.ts'

// Measures requests for many items: the whole list, the list page by page, and bulk creation.

export interface Service {
  base: string
  key: string
  pid: number
}

export interface LargeRequestResult {
  items: number
  perSecond: number
  megabytesPerSecond: number
  memory: { before: number; peak: number; after: number }
}

async function measure(
  { pid }: Service,
  work: () => Promise<{ items: number; bytes: number }>,
): Promise<LargeRequestResult> {
  const memory = watchMemory(pid)
  const began = performance.now()
  const { items, bytes } = await work()
  const seconds = (performance.now() - began) / 1000
  return { items, perSecond: items / seconds, megabytesPerSecond: bytes / 1e6 / seconds, memory: memory() }
}

const headers = (key: string) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' })

async function bodyOf(response: Response): Promise<Buffer> {
  const body = Buffer.from(await response.arrayBuffer())
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${body.toString().slice(0, 2000)}`)
  return body
}

/** Reads `GET /api/item` without `limit`: one array of all items. */
export async function wholeList(service: Service): Promise<LargeRequestResult> {
  let body: Buffer = Buffer.alloc(0)
  const long = await measure(service, async () => {
    body = await bodyOf(await fetch(`${service.base}/api/item`, { headers: headers(service.key) }))
    return { items: 0, bytes: body.length }
  })
  const items: unknown[] = JSON.parse(body.toString())
  const seconds = body.length / 1e6 / long.megabytesPerSecond
  return { ...long, items: items.length, perSecond: items.length / seconds }
}

/** Reads page after page by the cursor, to the end or up to `maxItems`. */
export async function pagedWalk(service: Service, limit: number, maxItems: number): Promise<LargeRequestResult> {
  return await measure(service, async () => {
    let [items, bytes, cursor] = [0, 0, '']
    do {
      const url = `${service.base}/api/item?limit=${limit}${cursor && `&cursor=${cursor}`}`
      const response = await fetch(url, { headers: headers(service.key) })
      const body = await bodyOf(response)
      bytes += body.length
      items += JSON.parse(body.toString()).length
      cursor = response.headers.get('x-next-cursor') ?? ''
    } while (cursor !== '' && items < maxItems)
    return { items, bytes }
  })
}

/** Creates the items of the operation `create` in bulk: a thousand in a request, two requests at a time. */
export async function bulk(service: Service, calls: number): Promise<LargeRequestResult> {
  const rows = Array.from({ length: 1000 }, (_, i) => newItem(`Imported ${i}`))
  const body = JSON.stringify(rows)
  return await measure(service, async () => {
    let items = 0
    const importer = async () => {
      for (let i = 0; i < calls / 2; i++) {
        const reply = await bodyOf(
          await fetch(`${service.base}/api/item/bulk`, { method: 'POST', headers: headers(service.key), body }),
        )
        const outcomes: { outcome: string }[] = JSON.parse(reply.toString())
        items += outcomes.filter(each => each.outcome === 'created').length
      }
    }
    await Promise.all([importer(), importer()])
    return { items, bytes: body.length * calls }
  })
}
