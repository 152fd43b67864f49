/**
 * Returns the longest text of ASCII letters, digits and blanks that everything contains which the pattern matches;
 * undefined if it has none of three characters. Only plain patterns are read: with an alternative, a group, a class or an
 * escape, a literal may be optional.
 */
export function literalIn(pattern: string): string | undefined {
  if (/[|()[\]\\]/.test(pattern)) return undefined
  const runs = pattern
    .replace(/[a-z0-9 ](?:[?*]|\{[^}]*\})/gi, '\n') // a character that may be absent
    .split(/[^a-z0-9 ]+/i)
  const longest = runs.reduce((a, b) => (b.length > a.length ? b : a), '')
  return longest.length >= 3 ? longest : undefined
}
