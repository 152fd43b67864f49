import { type TSchemaOptions, Type } from 'typebox'
import type { CodeTable } from '../kernel/schema/shape.ts'
import { Integer } from '../kernel/schema/values.ts'

export type { CodeTable }

/** A number with a meaning in a table. A request may contain its name instead; an unknown code is stored and has no effect. */
export function Code(table: CodeTable, options: TSchemaOptions = {}) {
  return Integer({ 'x-codes': table, 'x-read': (value: unknown) => codeNamed(table, value), ...options })
}

export function Codes(table: CodeTable, maxItems = 100) {
  return Type.Array(Code(table), { maxItems })
}

/** The code that has this name in a table. */
export function codeNamed({ meanings }: CodeTable, name: unknown): number | undefined {
  return typeof name === 'string' ? meanings.find(each => each.name === name)?.code : undefined
}

/** Makes a table of entries with a code and a label each. */
export function codeTable(
  field: string,
  entries: Readonly<Record<string, readonly [code: number, label: string]>>,
  from?: CodeTable['from'],
): CodeTable {
  const meanings = Object.entries(entries).map(([name, [code, label]]) => ({ code, name, label }))
  return from ? { field, meanings, from } : { field, meanings }
}

/** The codes of the entries of a table by their names: `priority.urgent`. */
export function codesOf<E extends Readonly<Record<string, readonly [code: number, label: string]>>>(
  entries: E,
): { readonly [N in keyof E]: E[N][0] } {
  // Object.fromEntries returns an index signature, which loses the names.
  return Object.fromEntries(Object.entries(entries).map(([name, [code]]) => [name, code])) as {
    readonly [N in keyof E]: E[N][0]
  }
}

/** Makes a table of a list in which the index of a name is its code. */
export function codeTableOfList(field: string, names: readonly string[]): CodeTable {
  return codeTableOfCodes(field, Object.fromEntries(names.map((name, code) => [name, code])))
}

/** Makes a table of codes by name; the labels are made of the names. */
export function codeTableOfCodes(field: string, codes: Readonly<Record<string, number>>): CodeTable {
  return { field, meanings: Object.entries(codes).map(([name, code]) => ({ code, name, label: labelOf(name) })) }
}

/** `greaterThan` → `Greater than`. */
function labelOf(name: string): string {
  const words = name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function isKnownCode({ meanings, from }: CodeTable, code: number): boolean {
  return (from !== undefined && code >= from.code) || meanings.some(meaning => meaning.code === code)
}
