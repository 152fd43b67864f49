/** One code of a table: the integer in records, its name for programs and its label for people. */
interface CodeMeaning {
  readonly code: number
  readonly name: string
  readonly label: string
}

/**
 * The meanings of the integers of one property. Tables are append only: a code never changes its meaning. From `from` on a code
 * is a plain number, such as a number of minutes, and has no name of its own.
 */
export interface CodeTable {
  readonly field: string
  readonly meanings: readonly CodeMeaning[]
  readonly from?: CodeMeaning
}

/** Makes a table of entries with a code and a label each. */
export function codeTable(
  field: string,
  entries: Readonly<Record<string, readonly [code: number, label: string]>>,
  from?: CodeMeaning,
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
