/** The members of an object in the text form of `jsonb`, with the text of each value as it is. */
export function jsonMembers(text: string): [key: string, value: string][] {
  const members: [string, string][] = []
  let at = 1
  while (text.charCodeAt(at) === quote) {
    const keyEnd = endOfString(text, at)
    const start = keyEnd + 2 // `": ` is between them
    const end = endOfValue(text, start)
    const key = text.slice(at + 1, keyEnd - 1)
    members.push([key.includes('\\') ? JSON.parse(`"${key}"`) : key, text.slice(start, end)])
    at = end + 2
  }
  return members
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/** The place behind a value. */
function endOfValue(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at) - 1
    else if (code === openBrace || code === openBracket) depth++
    else if (code === comma && depth === 0) return at
    else if (code === closeBrace || code === closeBracket) {
      if (depth === 0) return at
      depth--
    }
  }
  return text.length
}

/** The place behind the closing quotation mark of a string. */
function endOfString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1)
  while (at > 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1)
  return at < 0 ? text.length : at + 1
}

/** Whether an odd number of backslashes precedes this place. */
function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === backslash) first--
  return (at - first) % 2 === 1
}
