/** The first letters of the first and the last name, in any script: `Ada King Lovelace` → `AL`, `bob` → `B`. */
export function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}][^\s]*/gu) ?? []
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends.map(word => [...(word ?? '')][0]?.toLocaleUpperCase('en') ?? '').join('')
}
