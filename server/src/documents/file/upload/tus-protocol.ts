import { isUtf8 } from 'node:buffer'
import { type Fault, fault, Invalid, Refusal } from '../../../kernel/refusal.ts'

// What the tus protocol (https://tus.io/protocols/resumable-upload, version 1.0.0) says in headers.

type Headers = Readonly<Record<string, string | string[] | undefined>>

const tusVersion = '1.0.0'
export const tusExtensions = 'creation,creation-with-upload,termination,checksum,expiration'

/** The media type of the bytes of an upload. */
export const tusMedia = 'application/offset+octet-stream'

/** The algorithms of checksums: their names in the protocol and in Node are the same. */
export const checksumAlgorithms = ['sha1', 'sha256', 'sha512', 'md5']

/** Every reply names the version, also a refusal, which may be one of the version. */
export const tusHeaders = { 'Tus-Resumable': tusVersion, 'Tus-Version': tusVersion }

/** Refuses a version that the client names and that is not supported. */
export function refuseOtherVersion(headers: Headers): void {
  const version = one(headers, 'tus-resumable')
  if (version === undefined || version === tusVersion) return
  throw new Refusal(412, 'tus-version', `the supported version of tus is ${tusVersion}`, {
    faults: [fault(['Tus-Resumable'], 'enum', `must be ${tusVersion}`, version)],
  })
}

/** Reads a header that is a number of bytes. */
export function readBytes(headers: Headers, name: 'Upload-Length' | 'Upload-Offset'): number {
  const text = one(headers, name.toLowerCase())
  if (text === undefined) throw new Invalid([fault([name], 'required', 'is required')])
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new Invalid([fault([name], 'type', 'must be a number of bytes', text)])
}

export interface Checksum {
  algorithm: string
  digest: Buffer
}

export function readChecksum(headers: Headers): Checksum | undefined {
  const text = one(headers, 'upload-checksum')
  if (text === undefined) return undefined
  const [algorithm = '', digest = ''] = text.split(' ')
  const faultOf = (code: string, message: string) => new Invalid([fault(['Upload-Checksum'], code, message, text)])
  if (!checksumAlgorithms.includes(algorithm))
    throw faultOf('enum', `must begin with one of ${checksumAlgorithms.join(', ')}`)
  if (!isBase64(digest) || digest === '') throw faultOf('pattern', 'must be an algorithm and a Base64 text')
  return { algorithm, digest: Buffer.from(digest, 'base64') }
}

export function checksumMismatch(): Refusal {
  return new Refusal(
    460,
    'checksum-mismatch',
    'the bytes do not have the checksum of Upload-Checksum; send them again',
    {
      faults: [fault(['Upload-Checksum'], 'checksum-mismatch', 'is not the checksum of the bytes')],
    },
  )
}

/** The longest metadata that are stored; characters. */
const maxMetadata = 8000

/** Reads `Upload-Metadata`: pairs of a key and a Base64 text. */
export function readPairs(header: string): Record<string, string> {
  const faults: Fault[] = []
  if (header.length > maxMetadata)
    throw new Invalid([fault(['Upload-Metadata'], 'maxLength', `must have at most ${maxMetadata} characters`)])
  const pairs = new Map<string, string>()
  for (const pair of header.split(',').filter(each => each.trim() !== '')) {
    const [key = '', value = '', ...more] = pair.trim().split(' ')
    const bytes = Buffer.from(value, 'base64')
    if (more.length > 0 || !isBase64(value) || !isUtf8(bytes))
      faults.push(fault(['Upload-Metadata', key], 'pattern', 'must be UTF-8 in Base64', value))
    else if (pairs.has(key)) faults.push(fault(['Upload-Metadata', key], 'uniqueItems', 'must occur once'))
    else pairs.set(key, bytes.toString())
  }
  if (faults.length > 0) throw new Invalid(faults)
  return Object.fromEntries(pairs)
}

const isBase64 = (text: string) => /^[A-Za-z0-9+/]*={0,2}$/.test(text)

/** A header that may occur once; Node joins repeated ones. */
export function one(headers: Headers, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
