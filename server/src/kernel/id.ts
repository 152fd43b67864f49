import { randomFillSync } from 'node:crypto'

export type Id = string

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a value has the form of an id; callers treat any other value as an id that does not exist. */
export function isId(text: unknown): boolean {
  return typeof text === 'string' && uuid.test(text)
}

/** The actor of what the operator does by commands on the host. */
export const operatorId: Id = '00000000-0000-0000-0000-000000000000'

// Random bytes are drawn in bulk: one system call serves 256 ids.
const pool = Buffer.alloc(256 * 8)
let used = pool.length
let latest = 0
let counter = 0

/** Returns a new UUIDv7: ids of one process sort in the order of their creation, so that inserts go to the same index pages. */
export function newId(): Id {
  if (used + 8 > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const now = Date.now()
  // Within a millisecond a counter keeps the order; after its last value the time is advanced by one.
  if (now > latest) [latest, counter] = [now, pool.readUInt16BE(used) & 0x3ff]
  else if (++counter > 0xfff) [latest, counter] = [latest + 1, 0]
  const random = pool.toString('hex', used, used + 8)
  used += 8
  const time = latest.toString(16).padStart(12, '0')
  const variant = (8 + (Number.parseInt(random.slice(0, 1), 16) & 3)).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${variant}${random.slice(1, 4)}-${random.slice(4)}`
}
