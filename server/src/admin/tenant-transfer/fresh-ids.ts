import { randomBytes } from 'node:crypto'
import { type Id, operatorId } from '../../kernel/id.ts'

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g

/** A new id with the same timestamp, so that it sorts at the same place. */
export function idLike(id: Id): Id {
  const random = randomBytes(8).toString('hex')
  return `${id.slice(0, 19)}${(8 + (Number.parseInt(random.slice(0, 1), 16) & 3)).toString(16)}${random.slice(1, 4)}-${random.slice(4)}`
}

/**
 * Maps ids to new ones: the timestamp stays, and the random part is combined (xor) with the difference between the old and
 * the new tenant id. The mapping is deterministic and injective, so ids keep their order and references stay valid.
 */
export function freshIds(from: Id, to: Id): (id: Id) => Id {
  const [a, b, c] = randomParts(from).map((part, i) => part ^ (randomParts(to)[i] ?? 0))
  return id => {
    if (id === operatorId) return id
    const [x = 0, y = 0, z = 0] = randomParts(id)
    const variant = ((x ^ ((a ?? 0) & 0x3fff)) & 0xffff).toString(16).padStart(4, '0')
    return `${id.slice(0, 19)}${variant}-${hex(y ^ (b ?? 0))}${hex(z ^ (c ?? 0))}`
  }
}

/** The random part of an id as numbers of two, three and three bytes. */
function randomParts(id: Id): [number, number, number] {
  return [
    Number.parseInt(id.slice(19, 23), 16),
    Number.parseInt(id.slice(24, 30), 16),
    Number.parseInt(id.slice(30, 36), 16),
  ]
}

const hex = (value: number) => value.toString(16).padStart(6, '0')

/** Replaces the given ids everywhere in a row: in columns, lists, JSON values and free text. */
export function changeIds(text: string, isOne: (id: Id) => boolean, fresh: (id: Id) => Id): string {
  return text.replace(uuid, id => (isOne(id) ? fresh(id) : id))
}

/** A set of many ids with little memory: each is stored as a string of sixteen bytes. */
export class IdSet {
  readonly #ids = new Set<string>()

  add(id: Id): void {
    this.#ids.add(packed(id))
  }

  has(id: Id): boolean {
    return this.#ids.has(packed(id))
  }
}

const packed = (id: Id) => Buffer.from(id.replaceAll('-', ''), 'hex').toString('latin1')
