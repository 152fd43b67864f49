const longest = 6

/** A key for a name: the first letters of its words, or the beginning of its only one; free among those that exist. */
export function suggestKey(name: string, taken: readonly string[]): string {
  const words = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter(Boolean)
  const letters = words.length > 1 ? words.map(word => word[0]).join('') : (words[0] ?? '').slice(0, 4)
  const key = letters.replace(/^[0-9]+/, '').slice(0, longest)
  if (key === '' || !taken.includes(key)) return key
  for (let number = 2; ; number++) if (!taken.includes(`${key}${number}`)) return `${key}${number}`
}
