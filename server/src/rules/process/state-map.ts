import { fault, Invalid } from '../../kernel/refusal.ts'

/** The new states of items whose state is removed: `{"Old": "New"}`, as JSON in the query. */
type StateNames = ReadonlyMap<string, string>

export function readMap(given: unknown): StateNames {
  if (given === undefined || given === '') return new Map()
  const entries = Object.entries(parsed(given) ?? {})
  const wrong = parsed(given) === undefined || entries.some(([, to]) => typeof to !== 'string')
  if (wrong) throw new Invalid([fault(['map'], 'type', 'must be a JSON object of texts: {"Old": "New"}')])
  return new Map(entries.map(([from, to]) => [from, String(to)]))
}

function parsed(given: unknown): object | undefined {
  try {
    const value: unknown = JSON.parse(String(given))
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
