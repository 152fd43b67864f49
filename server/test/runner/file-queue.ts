// Files that use what earlier ones have warmed: the suites call all operations, whose statements each connection plans for
// itself, and a page opens sooner in a browser that has opened the app. The first worker prefers those of the first group, and so on.
const groups = ['server/test/suites/', 'web/test/']

const groupOf = (file: string) => groups.findIndex(group => file.startsWith(group))

/** The files that no worker has taken yet, in the order in which they are taken. */
export class FileQueue {
  readonly #files: string[]

  constructor(files: readonly string[]) {
    this.#files = [...files]
  }

  get size(): number {
    return this.#files.length
  }

  /** Takes the next file of the worker's group, else one that belongs to no group, else any. */
  take(worker: number): string | undefined {
    const own = this.#files.findIndex(file => groupOf(file) === worker)
    const free = own >= 0 ? own : this.#files.findIndex(file => groupOf(file) < 0)
    return this.#files.splice(Math.max(free, 0), 1)[0]
  }
}
