/** `Ada King Lovelace` → `AL`, `bob` → `B`: the first letters of the first and the last name, whatever the script. */
export function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}][^\s]*/gu) ?? []
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends.map(word => [...(word ?? '')][0]?.toLocaleUpperCase('en') ?? '').join('')
}
