// Measures a message before it is parsed: counted line by line, without building anything.

interface MessageMeasures {
  headerBytes: number
  parts: number
  depth: number
}

export const messageLimits = {
  bytes: 25 * 1024 * 1024,
  headerBytes: 64 * 1024,
  parts: 100,
  depth: 10,
}

/** Counts the parts and their depth by the boundaries that the message declares. */
export function measureMessage(raw: Buffer): MessageMeasures {
  const open: string[] = []
  let header = ''
  let inHeader = true
  let headerBytes = 0
  let parts = 0
  let depth = 0
  for (const { text, end } of lines(raw)) {
    if (inHeader) {
      if (text === '') {
        inHeader = false
        if (headerBytes === 0) headerBytes = end
        const boundary = boundaryIn(header)
        if (boundary !== undefined) open.push(boundary)
        depth = Math.max(depth, open.length)
        header = ''
      } else if (header.length < messageLimits.headerBytes) header += /^[ \t]/.test(text) ? text : `\n${text}`
    } else if (text.startsWith('--')) {
      const at = open.findLastIndex(each => text === `--${each}` || text === `--${each}--`)
      if (at < 0) continue
      // A boundary of an outer part ends the inner parts.
      open.length = at + 1
      if (text.endsWith('--') && text !== `--${open[at]}`) open.length = at
      else {
        parts++
        inHeader = true
      }
    }
    if (parts > messageLimits.parts || depth > messageLimits.depth) break
  }
  return { headerBytes: headerBytes || raw.length, parts: Math.max(1, parts), depth }
}

/** Which limit the message exceeds; undefined if it can be parsed. */
export function exceededLimit({ headerBytes, parts, depth }: MessageMeasures): string | undefined {
  if (headerBytes > messageLimits.headerBytes) return `its headers have more than ${messageLimits.headerBytes} bytes`
  if (parts > messageLimits.parts) return `it has more than ${messageLimits.parts} parts`
  if (depth > messageLimits.depth) return `its parts nest more than ${messageLimits.depth} deep`
  return undefined
}

function boundaryIn(header: string): string | undefined {
  const type = /(?:^|\n)content-type:([^\n]*)/i.exec(header)?.[1] ?? ''
  if (!/^\s*multipart\//i.test(type)) return undefined
  const [, quoted, plain] = /boundary\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(type) ?? []
  return (quoted ?? plain ?? '').trim() || undefined
}

function* lines(raw: Buffer): Generator<{ text: string; end: number }> {
  let start = 0
  while (start < raw.length) {
    const found = raw.indexOf(10, start)
    const end = found < 0 ? raw.length : found
    // A longer line is no boundary, which has at most 70 characters.
    yield { text: raw.toString('latin1', start, Math.min(end, start + 4096)).replace(/\s+$/, ''), end: end + 1 }
    start = end + 1
  }
}
