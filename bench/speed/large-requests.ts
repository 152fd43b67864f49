import { newItem } from './operations.ts'
import { watchMemory } from './processes.ts'

/** What takes more than one page: the whole list, the walk through all pages, many items in one call. */

export interface Service {
  base: string
  key: string
  pid: number
}

export interface Long {
  items: number
  perSecond: number
  megabytesPerSecond: number
  memory: { before: number; peak: number; after: number }
}

async function measured({ pid }: Service, work: () => Promise<{ items: number; bytes: number }>): Promise<Long> {
  const memory = watchMemory(pid)
  const began = performance.now()
  const { items, bytes } = await work()
  const seconds = (performance.now() - began) / 1000
  return { items, perSecond: items / seconds, megabytesPerSecond: bytes / 1e6 / seconds, memory: memory() }
}

const headers = (key: string) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' })

async function take(response: Response): Promise<Buffer> {
  const body = Buffer.from(await response.arrayBuffer())
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${body.toString().slice(0, 2000)}`)
  return body
}

/** `GET /api/item` without a limit: one array with everything in it. */
export async function wholeList(service: Service): Promise<Long> {
  let body: Buffer = Buffer.alloc(0)
  const long = await measured(service, async () => {
    body = await take(await fetch(`${service.base}/api/item`, { headers: headers(service.key) }))
    return { items: 0, bytes: body.length }
  })
  const items: unknown[] = JSON.parse(body.toString())
  const seconds = body.length / 1e6 / long.megabytesPerSecond
  return { ...long, items: items.length, perSecond: items.length / seconds }
}

/** Page after page by the cursor, to the end or until it is enough. */
export async function pagedWalk(service: Service, limit: number, enough: number): Promise<Long> {
  return await measured(service, async () => {
    let [items, bytes, cursor] = [0, 0, '']
    do {
      const url = `${service.base}/api/item?limit=${limit}${cursor && `&cursor=${cursor}`}`
      const response = await fetch(url, { headers: headers(service.key) })
      const body = await take(response)
      bytes += body.length
      items += JSON.parse(body.toString()).length
      cursor = response.headers.get('x-next-cursor') ?? ''
    } while (cursor !== '' && items < enough)
    return { items, bytes }
  })
}

/** The same items that are created one by one elsewhere, a thousand in a call, two calls at a time. */
export async function bulk(service: Service, calls: number): Promise<Long> {
  const rows = Array.from({ length: 1000 }, (_, i) => newItem(`Imported ${i}`))
  const body = JSON.stringify(rows)
  return await measured(service, async () => {
    let items = 0
    const importer = async () => {
      for (let i = 0; i < calls / 2; i++) {
        const answer = await take(
          await fetch(`${service.base}/api/item/bulk`, { method: 'POST', headers: headers(service.key), body }),
        )
        const outcomes: { outcome: string }[] = JSON.parse(answer.toString())
        items += outcomes.filter(each => each.outcome === 'created').length
      }
    }
    await Promise.all([importer(), importer()])
    return { items, bytes: body.length * calls }
  })
}
