import { commonNames, type Reader, reader, type Schema } from '../../kernel/schema/shape.ts'

/**
 * Reads a body that contains a record in a property. The record may come from an earlier reply, so properties that only
 * the service sets are ignored.
 */
export function recordInBody<T>(schema: Schema, property: string, shown: readonly string[]): Reader<T> {
  const read = reader<T>(schema)
  const ignored = new Set([...commonNames, ...shown, 'check'].map(each => each.toLowerCase()))
  const said = (record: object) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => !ignored.has(name.toLowerCase())))
  return body => {
    if (!isObject(body)) return read(body)
    const entries = Object.entries(body).map(([name, value]): [string, unknown] => [
      name,
      name.toLowerCase() === property && isObject(value) ? said(value) : value,
    ])
    return read(Object.fromEntries(entries))
  }
}

function isObject(value: unknown): value is object {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
