/** The members of an object in the text form of `jsonb`, with the text of each value as it is. */
export function jsonMembers(text: string): [key: string, value: string][] {
  const members: [string, string][] = []
  let at = 1
  while (text[at] === '"') {
    const keyEnd = endOfString(text, at)
    const start = keyEnd + 2 // `": ` is between them
    const end = endOfValue(text, start)
    members.push([JSON.parse(text.slice(at, keyEnd)), text.slice(start, end)])
    at = end + 2
  }
  return members
}

/** The place behind a value. */
function endOfValue(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at) - 1
    else if (character === '{' || character === '[') depth++
    else if ((character === '}' || character === ']' || character === ',') && depth === 0) return at
    else if (character === '}' || character === ']') depth--
  }
  return text.length
}

/** The place behind the closing quotation mark of a string. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}
