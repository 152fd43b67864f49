import type { Readable } from 'node:stream'

/** Bytes on their way to a store; `read` is called again when they are sent in parts or once more. */
export interface ObjectContent {
  size: number
  sha256: string
  read(): Promise<AsyncIterable<Buffer>>
}

/** Objects under keys, at one bucket of one store. Every method throws `StoreFailure`. */
export interface ObjectStore {
  put(key: string, content: ObjectContent): Promise<void>
  /** Both ends of a range are included. */
  get(key: string, range?: { start: number; end: number }): Promise<Readable>
  /** The size of an object; undefined if there is none. */
  size(key: string): Promise<number | undefined>
  /** Removes an object; it is no fault if there is none. */
  remove(key: string): Promise<void>
  /** Yields the keys that begin with a text. */
  list(prefix: string): AsyncGenerator<string>
}
