// The media type of a file follows from its bytes. What the sender declares is ignored.

type Sign = readonly [type: string, at: number, bytes: string | readonly number[]]

const signs: readonly Sign[] = [
  ['image/png', 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', 0, [0xff, 0xd8, 0xff]],
  ['image/gif', 0, 'GIF87a'],
  ['image/gif', 0, 'GIF89a'],
  ['image/avif', 4, 'ftypavif'],
  ['image/heic', 4, 'ftypheic'],
  ['image/tiff', 0, [0x49, 0x49, 0x2a, 0x00]],
  ['image/tiff', 0, [0x4d, 0x4d, 0x00, 0x2a]],
  ['image/vnd.microsoft.icon', 0, [0x00, 0x00, 0x01, 0x00]],
  ['application/pdf', 0, '%PDF-'],
  ['application/gzip', 0, [0x1f, 0x8b, 0x08]],
  ['application/x-7z-compressed', 0, [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
  ['application/vnd.rar', 0, [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07]],
  ['application/x-bzip2', 0, 'BZh'],
  ['application/x-xz', 0, [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ['application/zstd', 0, [0x28, 0xb5, 0x2f, 0xfd]],
  ['application/x-tar', 257, 'ustar'],
  ['application/vnd.sqlite3', 0, 'SQLite format 3\0'],
  ['application/x-cfb', 0, [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]],
  ['application/rtf', 0, '{\\rtf'],
  ['application/wasm', 0, [0x00, 0x61, 0x73, 0x6d]],
  ['application/x-elf', 0, [0x7f, 0x45, 0x4c, 0x46]],
  ['application/vnd.microsoft.portable-executable', 0, 'MZ'],
  ['audio/mpeg', 0, 'ID3'],
  ['audio/flac', 0, 'fLaC'],
  ['audio/ogg', 0, 'OggS'],
  ['video/quicktime', 4, 'ftypqt'],
  ['audio/mp4', 4, 'ftypM4A'],
  ['video/mp4', 4, 'ftyp'],
  ['video/webm', 0, [0x1a, 0x45, 0xdf, 0xa3]],
  ['font/woff2', 0, 'wOF2'],
]

const unknown = 'application/octet-stream'

/** The media type by the first bytes. The name only distinguishes text formats, which are all equally harmless. */
export function mediaType(head: Buffer, name: string): string {
  const known = signs.find(([, at, bytes]) => startsWith(head, at, bytes))?.[0]
  if (known) return known
  if (startsWith(head, 0, 'RIFF')) return riffType(head)
  if (startsWith(head, 0, 'PK\x03\x04') || startsWith(head, 0, 'PK\x05\x06')) return packedType(head)
  const text = textOf(head)
  return text === undefined ? unknown : textType(text, name)
}

function startsWith(head: Buffer, at: number, bytes: string | readonly number[]): boolean {
  const wanted = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : Buffer.from(bytes)
  return head.subarray(at, at + wanted.length).equals(wanted)
}

function riffType(head: Buffer): string {
  return { WEBP: 'image/webp', WAVE: 'audio/wav', 'AVI ': 'video/vnd.avi' }[head.toString('latin1', 8, 12)] ?? unknown
}

/** Office documents are ZIP archives; their first entries distinguish them. */
function packedType(head: Buffer): string {
  const text = head.toString('latin1')
  const declared = /^.{30}mimetype(application\/(?:epub\+zip|vnd\.oasis\.[a-z.-]+))/s.exec(text)?.[1]
  if (declared) return declared
  const office = 'application/vnd.openxmlformats-officedocument'
  if (text.includes('word/')) return `${office}.wordprocessingml.document`
  if (text.includes('xl/')) return `${office}.spreadsheetml.sheet`
  if (text.includes('ppt/')) return `${office}.presentationml.presentation`
  return 'application/zip'
}

/**
 * The first bytes as text, if they are UTF-8 without control characters. A character that is cut at the end is
 * accepted.
 */
function textOf(head: Buffer): string | undefined {
  if (head.length === 0) return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

function textType(text: string, name: string): string {
  const start = text.trimStart().slice(0, 1000).toLowerCase()
  if (/^(<!doctype html|<html|<head|<body|<script|<iframe)/.test(start)) return 'text/html'
  if (/^(<\?xml[^>]*>\s*)?(<!--.*?-->\s*|<!doctype svg[^>]*>\s*)*<svg[\s>]/s.test(start)) return 'image/svg+xml'
  if (start.startsWith('<?xml')) return 'application/xml'
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return { csv: 'text/csv', md: 'text/markdown', json: 'application/json' }[ending] ?? 'text/plain'
}

/** Bitmap images contain no code, so that a browser may show them inline. */
export function isSafeInline(type: string): boolean {
  return ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'].includes(type)
}
