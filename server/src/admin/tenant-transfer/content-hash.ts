import { createHash } from 'node:crypto'

const uuid = /\b([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4})-[0-9a-f]{4}-[0-9a-f]{12}\b/g

/** The row without the random parts of ids, which an import may replace (see fresh-ids.ts). */
function withoutRandomParts(row: string): string {
  return row.replace(uuid, '$1')
}

const modulus = 1n << 256n

/**
 * A hash over all rows of all tables that depends neither on the random parts of ids nor on the order of the rows: the
 * SHA-256 values of the rows are summed per table, and the sums are hashed.
 */
export class ContentHash {
  readonly rows: Record<string, number> = {}
  readonly #sums = new Map<string, bigint>()

  add(table: string, row: string): void {
    const digest = createHash('sha256').update(withoutRandomParts(row)).digest('hex')
    this.#sums.set(table, ((this.#sums.get(table) ?? 0n) + BigInt(`0x${digest}`)) % modulus)
    this.rows[table] = (this.rows[table] ?? 0) + 1
  }

  digest(): string {
    const hash = createHash('sha256')
    for (const table of [...this.#sums.keys()].sort())
      hash.update(`${table} ${this.rows[table]} ${this.#sums.get(table)?.toString(16)}\n`)
    return hash.digest('hex')
  }
}
