/**
 * The part of a file to send: all of it, one range (both ends included), nothing because the client has it, or a range
 * outside the file.
 */
type Portion =
  | { kind: 'whole' }
  | { kind: 'part'; start: number; end: number }
  | { kind: 'known' }
  | { kind: 'unsatisfiable' }

interface Conditions {
  range: string
  ifRange: string
  ifNoneMatch: string
}

/** Evaluates the conditions of a download (RFC 9110). A malformed header or several ranges give the whole file. */
export function portion({ range, ifRange, ifNoneMatch }: Conditions, size: number, etag: string): Portion {
  if (ifNoneMatch !== '' && matches(ifNoneMatch, etag)) return { kind: 'known' }
  if (range === '' || (ifRange !== '' && ifRange.trim() !== etag)) return { kind: 'whole' }
  const [, from = '', to = ''] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(range.trim()) ?? []
  if (from === '' && to === '') return { kind: 'whole' }
  if (from === '')
    return Number(to) === 0 || size === 0
      ? { kind: 'unsatisfiable' }
      : { kind: 'part', start: Math.max(0, size - Number(to)), end: size - 1 }
  const start = Number(from)
  if (to !== '' && Number(to) < start) return { kind: 'whole' }
  if (start >= size) return { kind: 'unsatisfiable' }
  return { kind: 'part', start, end: to === '' ? size - 1 : Math.min(Number(to), size - 1) }
}

/** Compares weakly, as RFC 9110 requires for `If-None-Match`. */
function matches(list: string, etag: string): boolean {
  return list.trim() === '*' || list.split(',').some(each => each.trim().replace(/^W\//, '') === etag)
}
