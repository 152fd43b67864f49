import type { Id } from '../../kernel/id.ts'

/** A row of the log with the digest of what it says. */
export interface LogRow {
  id: Id
  at: Date
  kind: string
  digest: Buffer
}

/** A row that differs from what was sealed; one that is missing is only known by the row before it. */
export interface Difference {
  kind: 'missing' | 'added' | 'changed'
  row?: LogRow | undefined
  after?: LogRow | undefined
}

const digestLength = 16

/**
 * Compares rows with the digests under which they were sealed. `former` are digests that rows had before a rewriting that
 * the log itself notes.
 */
export function compareRows(
  digests: Buffer,
  rows: readonly LogRow[],
  former: ReadonlyMap<Id, readonly string[]>,
): { differences: Difference[]; rewritten: number } {
  const sealed = Array.from({ length: digests.length / digestLength }, (_, i) =>
    digests.toString('hex', i * digestLength, (i + 1) * digestLength),
  )
  const left = new Set(sealed)
  const own = rows.map(row => row.digest.toString('hex'))
  const meant = rows.map((row, j) => [own[j] ?? '', ...(former.get(row.id) ?? [])].find(each => left.has(each)))
  const rewritten = meant.filter((each, j) => each !== undefined && each !== own[j]).length
  const there = new Set(meant)
  const differences: Difference[] = []
  let [i, j] = [0, 0]
  while (i < sealed.length || j < rows.length) {
    const [digest, row] = [sealed[i], rows[j]]
    if (row && meant[j] === digest && digest !== undefined) {
      i++
      j++
    } else if (row && meant[j] === undefined) {
      // A row that nobody sealed stands where a sealed one is missing: it was changed.
      const replaces = digest !== undefined && !there.has(digest)
      differences.push({ kind: replaces ? 'changed' : 'added', row })
      if (replaces) i++
      j++
    } else if (digest !== undefined && !there.has(digest)) {
      differences.push({ kind: 'missing', after: rows[j - 1] })
      i++
    } else {
      // Both are known, in another order.
      differences.push({ kind: 'changed', row })
      i++
      j++
    }
  }
  return { differences, rewritten }
}
