import type { Operation } from '../../kernel/operation.ts'

interface Header {
  description: string
  required?: true
  schema: Record<string, unknown>
}

const text = { type: 'string' }

/** The headers that replies have. The document describes each once, and the replies refer to it. */
export const headers = {
  'Accept-Ranges': { description: 'Parts of the content can be requested with `Range`.', schema: { const: 'bytes' } },
  'Change-Set': {
    description: 'The id of the change set: all changes of this request have it.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'Content-Disposition': { description: 'The name of the file.', required: true, schema: text },
  'Content-Location': { description: 'The current address of a record that was found by a former key.', schema: text },
  'Content-Range': { description: 'The part of the content, and its length.', required: true, schema: text },
  'Did-You-Mean': { description: 'A spelling that finds more, percent-encoded.', schema: text },
  ETag: {
    description: 'The version of the record, for `If-Match` and `If-None-Match`.',
    schema: { type: 'string', pattern: '^"[^"]+"$' },
  },
  'Idempotency-Replayed': {
    description: 'The request was completed before, and this is its first reply.',
    schema: { const: 'true' },
  },
  Link: { description: 'The address of the next page, if there is one: `<…>; rel="next"`.', schema: text },
  Location: { description: 'The address of the created record.', schema: { type: 'string', pattern: '^/api/' } },
  'Open-Assignments': {
    description: 'The number of open items that are assigned to the user.',
    schema: { type: 'integer', minimum: 0 },
  },
  'Preference-Applied': {
    description: 'The reply has no body, as `Prefer: return=minimal` asks, or names of codes, as `codes=names` asks.',
    schema: { enum: ['return=minimal', 'codes=names'] },
  },
  'Retry-After': {
    description: 'The number of seconds to wait.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'Tus-Checksum-Algorithm': { description: 'The algorithms of `Upload-Checksum`.', schema: text },
  'Tus-Extension': { description: 'The extensions of the protocol that are supported.', schema: text },
  'Tus-Max-Size': { description: 'The maximum of bytes of an upload.', schema: { type: 'integer', minimum: 0 } },
  'Tus-Resumable': { description: 'The version of the protocol.', schema: { const: '1.0.0' } },
  'Tus-Version': { description: 'The versions of the protocol that are supported.', schema: text },
  'Upload-Expires': { description: 'The time when the upload is forgotten unless it goes on.', schema: text },
  'Upload-Length': { description: 'The bytes of the whole upload.', schema: { type: 'integer', minimum: 0 } },
  'Upload-Metadata': { description: 'The metadata that the upload was created with.', schema: text },
  'Upload-Offset': { description: 'The bytes that are stored.', schema: { type: 'integer', minimum: 0 } },
  'WWW-Authenticate': { description: 'The way to authenticate.', required: true, schema: text },
  'X-Limit': { description: 'The maximum of records in a page.', schema: { type: 'integer', minimum: 1 } },
  'X-Next-Cursor': { description: 'The cursor of the next page, if there is one.', schema: text },
  'X-Total-Count': {
    description: 'The number of records on all pages, if `count` asks for it.',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-Total-Count-Kind': {
    description: 'Whether the number is exact.',
    schema: { type: 'string', enum: ['exact', 'estimate'] },
  },
} as const satisfies Record<string, Header>

type HeaderName = keyof typeof headers

/** Refers to the headers of a reply. */
export function headersOf(names: readonly HeaderName[]): Record<string, unknown> {
  return Object.fromEntries(names.map(each => [each, { $ref: `#/components/headers/${each}` }]))
}

/** Describes headers that this reply may have, although others of the same name are always there. */
export function optionalHeaders(names: readonly HeaderName[]): Record<string, unknown> {
  return Object.fromEntries(
    names.map(each => {
      const { required: _, ...rest }: Header = headers[each]
      return [each, rest]
    }),
  )
}

/** The headers of a successful reply of an operation. */
export function replyHeaders(operation: Operation, method: string, status: number): Record<string, unknown> {
  const { mode, query = {}, reply } = operation
  if (status === 204 && mode === 'read') return reply.status === 204 ? headersOf(ownHeaders(operation)) : {}
  if (status === 304) return headersOf(['ETag'])
  const names: HeaderName[] = status === 206 ? ['Content-Range'] : []
  names.push('Preference-Applied')
  if (mode !== 'read') names.push('Change-Set')
  if (mode !== 'read' && method === 'POST') names.push('Idempotency-Replayed')
  // What existed already has an address, too.
  if (reply.status === 201) names.push('Location')
  if ('cursor' in query) names.push('X-Limit', 'X-Next-Cursor', 'Link')
  if ('count' in query) names.push('X-Total-Count', 'X-Total-Count-Kind')
  return {
    ...headersOf(names),
    // The reply of a dry run does not have the headers of the write.
    ...(mode === 'read' ? headersOf : optionalHeaders)(ownHeaders(operation)),
  }
}

/** The headers that an operation declares itself. */
export function ownHeaders(operation: Operation): HeaderName[] {
  const { reply, constantHeaders = {} } = operation
  const version = hasVersion(operation) ? ['ETag'] : []
  return [...version, ...(reply.headers ?? []), ...Object.keys(constantHeaders)].map(known)
}

const isKnown = (name: string): name is HeaderName => name in headers

function known(name: string): HeaderName {
  if (isKnown(name)) return name
  throw new Error(`no header ${name} is described`)
}

/** Whether the reply is one record with a version. */
export function hasVersion({ reply }: Operation): boolean {
  const { entity, version } = reply.schema?.properties ?? {}
  return entity !== undefined && version !== undefined
}
