import { isUtf8 } from 'node:buffer'
import { RuleBroken } from '../../kernel/refusal.ts'

/** One line of an export. */
export interface Line {
  number: number
  text: string
  value: Record<string, unknown>
}

/** A limit above the longest line that an export writes. */
const maxLineBytes = 64_000_000

/** Reads the lines of a stream as JSON objects and skips empty ones. Memory holds one line and the current chunk. */
export async function* readLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let number = 0
  for await (const line of split(bytes, () => number + 1)) {
    number++
    if (!isUtf8(line)) refuseLine(number, 'is not UTF-8')
    const text = line.toString().trimEnd()
    if (text === '') continue
    yield { number, text, value: parsed(text, number) }
  }
}

async function* split(bytes: AsyncIterable<Buffer>, number: () => number): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  let length = 0
  for await (const chunk of bytes) {
    let from = 0
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, at)])
      rest = []
      length = 0
      from = at + 1
    }
    rest.push(chunk.subarray(from))
    length += chunk.length - from
    if (length > maxLineBytes) refuseLine(number(), `is longer than ${maxLineBytes} bytes`)
  }
  if (length > 0) yield Buffer.concat(rest)
}

function parsed(text: string, number: number): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return { ...value }
  } catch {}
  refuseLine(number, 'is not a JSON object')
}

export function refuseLine(number: number, why: string): never {
  throw new RuleBroken('not-an-export', `line ${number} ${why}`, [], { line: number })
}
