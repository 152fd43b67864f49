import { request } from 'undici'
import type { Person } from './people.ts'

export interface Heard {
  id: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events as a person would
  data: any
}

/** A client that follows an event stream and records what it receives. */
export class Listener {
  readonly received: Heard[] = []
  /** The names of the messages that are not events of the log. */
  readonly asides: string[] = []
  /** What these messages contain, and their positions in the log, where they have one. */
  readonly contents: unknown[] = []
  readonly positions: string[] = []
  /** The last position that was received, in an event or in a keep-alive line. */
  last = ''
  status = 0
  ended = false
  readonly #hangUp = new AbortController()
  readonly #changed = new Set<() => void>()

  /** Starts to listen; resolves when the response has begun. */
  static async to(person: Person, path: string, headers: Record<string, string> = {}): Promise<Listener> {
    const listener = new Listener()
    await listener.#begin(person, path, headers)
    return listener
  }

  async #begin({ base, key }: Person, path: string, headers: Record<string, string>): Promise<void> {
    const { statusCode, body } = await request(`${base}/api${path}`, {
      headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream', ...headers },
      signal: this.#hangUp.signal,
      bodyTimeout: 0,
    })
    this.status = statusCode
    void this.#read(body)
    if (statusCode === 200) await this.until(() => this.last !== '' || this.ended)
  }

  async #read(body: AsyncIterable<Buffer>): Promise<void> {
    let text = ''
    try {
      for await (const part of body) {
        text += part.toString()
        const blocks = text.split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) this.#take(block)
      }
    } catch {} // the connection was closed, by the client or by the service
    this.ended = true
    this.#tell()
  }

  #take(block: string): void {
    const lines = block.split('\n')
    const of = (field: string) => lines.find(line => line.startsWith(`${field}: `))?.slice(field.length + 2)
    this.last = of('id') ?? this.last
    const [data, name] = [of('data'), of('event')]
    if (name !== undefined) {
      this.asides.push(name)
      this.contents.push(JSON.parse(data ?? '{}'))
      this.positions.push(of('id') ?? '')
    } else if (data !== undefined) this.received.push({ id: this.last, data: JSON.parse(data) })
    this.#tell()
  }

  #tell(): void {
    for (const each of this.#changed) each()
  }

  /** Waits until a condition holds; fails if it does not hold after a long time. */
  async until(holds: () => boolean, patience = 180_000): Promise<void> {
    if (holds()) return
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => {
        this.#changed.delete(look)
        reject(new Error(`it did not come; heard ${JSON.stringify(this.received.slice(-5)).slice(0, 2000)}`))
      }, patience)
      const look = () => {
        if (!holds()) return
        clearTimeout(late)
        this.#changed.delete(look)
        resolve()
      }
      this.#changed.add(look)
    })
  }

  /** Waits until this number of events has been received in total. */
  async count(count: number): Promise<Heard[]> {
    await this.until(() => this.received.length >= count)
    return this.received
  }

  hangUp(): void {
    this.#hangUp.abort()
  }
}
