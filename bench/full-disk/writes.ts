import { createHash, randomUUID } from 'node:crypto'
import type { Service } from '../service.ts'

/** What the callers were told. */
export interface Journal {
  /** Acknowledged items: id and title. */
  items: Map<string, string>
  /** Acknowledged files: id and SHA-256. */
  files: Map<string, string>
  /** Refusals by status and code. */
  refusals: Map<string, number>
}

/** Creates an item or uploads a file, in turn, and notes the answer. */
export async function write(base: string, key: string, noise: string, journal: Journal): Promise<'stored' | 'refused'> {
  const title = randomUUID()
  const asFile = title < '4'
  const { path, init } = asFile ? upload(`${title}${noise}`) : item(title, noise)
  const response = await fetch(`${base}/api${path}`, {
    ...init,
    headers: { authorization: `Bearer ${key}`, ...init.headers },
  }).catch(error => `no answer: ${error.cause?.code ?? error.message}`)
  if (typeof response === 'string') return note(journal, response)
  const body = JSON.parse(await response.text())
  if (!response.ok) return note(journal, `${response.status} ${body.code}: ${body.detail}`)
  if (asFile) journal.files.set(body.id, sha256(`${title}${noise}`))
  else journal.items.set(body.id, title)
  return 'stored'
}

/** Reads a page of items, and notes a refusal. */
export async function read(base: string, key: string, journal: Journal): Promise<void> {
  const response = await fetch(`${base}/api/item?limit=5`, { headers: { authorization: `Bearer ${key}` } })
  const text = await response.text()
  if (!response.ok) note(journal, `${response.status} ${JSON.parse(text).code}, a read`)
}

function item(title: string, noise: string) {
  // Text that does not repeat, because the database compresses long values.
  const at = Number.parseInt(title.slice(0, 5), 16) % (noise.length - 20_000)
  const body = JSON.stringify({ title, description: noise.slice(at, at + 20_000) })
  return { path: '/item', init: { method: 'POST', body, headers: { 'content-type': 'application/json' } } }
}

function upload(content: string) {
  const body = new FormData()
  body.set('file', new Blob([content]), 'noise.txt')
  return { path: '/file', init: { method: 'POST', body, headers: {} } }
}

function note({ refusals }: Journal, answer: string): 'refused' {
  refusals.set(answer, (refusals.get(answer) ?? 0) + 1)
  return 'refused'
}

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')

/** Compares what was acknowledged with what the service has, and creates one more item. Returns the faults. */
export async function check({ base }: Service, key: string, journal: Journal): Promise<string[]> {
  const faults: string[] = []
  const get = (path: string) => fetch(`${base}/api${path}`, { headers: { authorization: `Bearer ${key}` } })
  for (const [id, title] of journal.items) {
    const response = await get(`/item/${id}`)
    const found = response.ok ? JSON.parse(await response.text()).title : `status ${response.status}`
    if (found !== title) faults.push(`the acknowledged item ${id} is ${found}`)
  }
  for (const [id, hash] of journal.files) {
    const response = await get(`/file/download/${id}`)
    const bytes = new Uint8Array(await response.arrayBuffer())
    if (sha256(bytes) !== hash) faults.push(`the bytes of the acknowledged file ${id} are others: ${response.status}`)
  }
  const again: Journal = { items: new Map(), files: new Map(), refusals: new Map() }
  if ((await write(base, key, 'x'.repeat(30_000), again)) !== 'stored')
    faults.push(`no write after space was freed: ${[...again.refusals.keys()]}`)
  return faults
}
