import type { Id } from '../../kernel/id.ts'

/** One request to an address that a tenant entered. */
export interface OutboundCall {
  tenantId: Id
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Readonly<Record<string, string>>
  body?: string | Buffer
  /** The maximal size of the body, where it may exceed the default; at most 1 MiB. */
  maxBytes?: number
}

/** One request whose bodies are streams of any length: the bytes of files on their way to a store of the tenant, or back. */
export interface OutboundTransfer extends Omit<OutboundCall, 'body' | 'maxBytes'> {
  body?: { bytes: AsyncIterable<Uint8Array>; length: number }
}
