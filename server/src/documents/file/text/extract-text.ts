import { strFromU8, unzipSync } from 'fflate'
import { plainText } from '../../../language/markup.ts'
import { runInThread } from '../../../platform/limited-thread.ts'
import type { PdfInput } from './pdf-thread.ts'

/** The bytes that are read of a text; no more of it is searched. */
const maxTextBytes = 1024 * 1024
/** Of an archive and of a PDF all bytes are needed. */
const maxWholeBytes = 20 * 1024 * 1024
const maxUnpackedBytes = 32 * 1024 * 1024
/** The characters that are stored: those that are searched. */
const maxCharacters = 100_000

interface Extractor {
  maxBytes: number
  /** Whether the beginning of the bytes is enough. */
  inPart: boolean
  read(bytes: Buffer): string | Promise<string>
}

const textual: Extractor = { maxBytes: maxTextBytes, inPart: true, read: decoded }
const html: Extractor = { maxBytes: maxTextBytes, inPart: true, read: bytes => plainText(decoded(bytes)) }
const pdf: Extractor = { maxBytes: maxWholeBytes, inPart: false, read: textOfPdf }
const word: Extractor = { maxBytes: maxWholeBytes, inPart: false, read: textOfWord }

const byType: Readonly<Record<string, Extractor>> = {
  'text/html': html,
  'application/json': textual,
  'application/xml': html,
  'application/pdf': pdf,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': word,
}

/** How the text of a file is read; undefined if it has none that can be. */
export function extractorOf({ mime, size }: { mime: string; size: number }): Extractor | undefined {
  const found = byType[mime] ?? (mime.startsWith('text/') ? textual : undefined)
  return found && size > 0 && (found.inPart || size <= found.maxBytes) ? found : undefined
}

/** The text of these bytes as it is stored; empty if they are damaged. */
export async function extractText({ read }: Extractor, bytes: Buffer): Promise<string> {
  try {
    const text = await read(bytes)
    // PostgreSQL stores neither NUL nor halves of characters.
    return text.replaceAll('\0', ' ').toWellFormed().slice(0, maxCharacters).toWellFormed()
  } catch {
    return ''
  }
}

/** A character that is cut at the end is left out. */
function decoded(bytes: Buffer): string {
  return new TextDecoder('utf-8').decode(bytes, { stream: true })
}

/** PDF is a language of its own, and what is written in it may be hostile. */
async function textOfPdf(bytes: Buffer): Promise<string> {
  const module = new URL('./pdf-thread.ts', import.meta.url)
  return await runInThread<string>(module, { bytes, maxCharacters } satisfies PdfInput, { timeoutMs: 30_000 })
}

/** The paragraphs of a Word document. The archive names the size of its parts, and unpacking one stops there. */
function textOfWord(bytes: Buffer): string {
  const part = 'word/document.xml'
  const unpacked = unzipSync(bytes, { filter: each => each.name === part && each.originalSize <= maxUnpackedBytes })
  const xml = strFromU8(unpacked[part] ?? new Uint8Array())
  const marks = /<w:t(?:\s[^<>]*)?>([^<]*)<\/w:t>|<w:(?:tab|br|cr)\b[^<>]*>|<\/w:p>/g
  let text = ''
  for (const [mark, written] of xml.matchAll(marks)) {
    text += written === undefined ? (mark === '</w:p>' ? '\n' : ' ') : unescaped(written)
    if (text.length > maxCharacters) break
  }
  return text.trim()
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescaped(xml: string): string {
  return xml.replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole)
}
