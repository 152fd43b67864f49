import { openStatementRules } from './statement-rules.ts'

/**
 * Checks statements while the tests run: to do so at the end would leave a core idle. It takes one at a time, so that the runner
 * answers its workers in between.
 */
export class StatementCheck {
  readonly faulty = new Map<string, string[]>()
  readonly #known = new Set<string>()
  readonly #waiting: string[] = []
  readonly #rules: ReturnType<typeof openStatementRules>
  #work: Promise<void> | undefined

  constructor(tenantTables: ReadonlySet<string>) {
    this.#rules = openStatementRules(tenantTables)
  }

  add(texts: readonly string[]): void {
    for (const text of texts) {
      if (this.#known.has(text)) continue
      this.#known.add(text)
      this.#waiting.push(text)
    }
    this.#work ??= this.#checkAll()
  }

  async #checkAll(): Promise<void> {
    const faultsOf = await this.#rules
    for (let text = this.#waiting.pop(); text !== undefined; text = this.#waiting.pop()) {
      const faults = faultsOf(text)
      if (faults.length > 0) this.faulty.set(text, faults)
      await new Promise(setImmediate)
    }
    this.#work = undefined
  }

  /** Returns the number of statements when all of them have been checked. */
  async finish(): Promise<number> {
    await this.#work
    return this.#known.size
  }
}
