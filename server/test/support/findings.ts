import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'

/** Collects failures, so that one run reports all of them and not only the first. */
export class Findings {
  readonly all: string[] = []
  checked = 0

  expect(holds: boolean, otherwise: string): boolean {
    this.checked++
    if (!holds) this.all.push(otherwise)
    return holds
  }

  same(actual: unknown, wanted: unknown, what: string): boolean {
    return this.expect(isDeepStrictEqual(actual, wanted), `${what}: ${short(actual)} instead of ${short(wanted)}`)
  }

  /** Records the failure of a step and continues with the next one. */
  async step(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.checked++
      this.all.push(`${what}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  finish(most = 20): void {
    if (this.all.length === 0) return
    const more = this.all.length > most ? `\n… and ${this.all.length - most} more` : ''
    assert.fail(`${this.all.length} of ${this.checked} do not hold:\n${this.all.slice(0, most).join('\n')}${more}`)
  }
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}

/** Runs the work for each element with limited concurrency. */
export async function each<T>(list: readonly T[], work: (one: T) => Promise<void>, width = 6): Promise<void> {
  const queue = list.values()
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const one of queue) await work(one)
    }),
  )
}
