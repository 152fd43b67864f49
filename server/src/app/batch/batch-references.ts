import { fault, Invalid } from '../../kernel/refusal.ts'

/** The bodies of the operations so far, by their indices and by the names that they were given. */
type Results = ReadonlyMap<string, unknown>

/** Replaces each `{"$result": "item.id"}` in a value by the part of an earlier result that it names. */
export function withResults(value: unknown, results: Results, path: readonly (string | number)[]): unknown {
  if (Array.isArray(value)) return value.map((each, at) => withResults(each, results, [...path, at]))
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value)
  const [first] = entries
  if (entries.length === 1 && first?.[0] === '$result') return resultAt(first[1], results, [...path, '$result'])
  return Object.fromEntries(entries.map(([name, each]) => [name, withResults(each, results, [...path, name])]))
}

/** Replaces each `{item.id}` in an address by the part of an earlier result that it names. */
export function addressWithResults(address: string, results: Results, path: readonly (string | number)[]): string {
  return address.replace(/\{([^{}]*)\}/g, (_whole, reference: string) => {
    const value = resultAt(reference, results, path)
    if (typeof value === 'string' || typeof value === 'number') return encodeURIComponent(value)
    throw new Invalid([fault(path, 'reference', 'names no text or number of an earlier result', reference)])
  })
}

/** `0.id` is a property of the first result, `printer.labels.0` an entry of the result that is called printer. */
function resultAt(reference: unknown, results: Results, path: readonly (string | number)[]): unknown {
  const [name = '', ...steps] = typeof reference === 'string' ? reference.split('.') : []
  const value = results.has(name) ? steps.reduce(partOf, results.get(name)) : undefined
  if (value === undefined)
    throw new Invalid([fault(path, 'reference', 'names nothing in the result of an earlier operation', reference)])
  return value
}

function partOf(value: unknown, step: string): unknown {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, step)) return undefined
  return Reflect.get(value, step)
}
