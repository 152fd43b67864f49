// Files that use what earlier ones have warmed: the suites call all operations, whose statements each connection plans for
// itself, and a page opens sooner in a browser that has opened the app. The first worker prefers those of the first group, and so on.
const groups = ['server/test/suites/', 'web/test/']

const groupOf = (file: string) => groups.findIndex(group => file.startsWith(group))

/** The room whose code a file tests. Files of one room call the same operations. */
const roomOf = (file: string) => /^server\/src\/\w+\//.exec(file)?.[0]

/** The files that no worker has taken yet, in the order in which they are taken. */
export class FileQueue {
  readonly #files: string[]
  /** The room of each worker's last file. */
  readonly #rooms = new Map<number, string | undefined>()

  constructor(files: readonly string[]) {
    this.#files = [...files]
  }

  get size(): number {
    return this.#files.length
  }

  /** Takes the next file of the worker's group, of its room, of a room that no other worker is in, else one that belongs to no group, else any. */
  take(worker: number): string | undefined {
    const room = this.#rooms.get(worker)
    this.#rooms.delete(worker)
    const others = new Set(this.#rooms.values())
    const preferences: ((file: string) => boolean)[] = [
      file => groupOf(file) === worker,
      file => room !== undefined && roomOf(file) === room,
      file => groupOf(file) < 0 && !others.has(roomOf(file) ?? file),
      file => groupOf(file) < 0,
      () => true,
    ]
    const place = preferences.map(prefers => this.#files.findIndex(prefers)).find(found => found >= 0)
    const [file] = place === undefined ? [] : this.#files.splice(place, 1)
    if (file !== undefined) this.#rooms.set(worker, roomOf(file))
    return file
  }
}
