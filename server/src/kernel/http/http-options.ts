import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../access.ts'
import type { Context } from '../context.ts'
import type { Database } from '../database.ts'
import type { Form, FormPart, Operation, Reply } from '../operation.ts'

/** Returns, for one route, the function that records the status and the duration in seconds of each of its requests. */
export type Observe = (method: string, route: string) => (status: number, seconds: number) => void

/** A request with an `Idempotency-Key`. */
export interface KeyedRequest {
  key: string
  route: string
  operation: Operation
  url: string
  /** The body before validation. */
  body: unknown
}

export interface HttpOptions {
  database: Database
  authenticate: (request: FastifyRequest) => Promise<Caller>
  baseUrl: () => string
  bodyLimit: number
  /** The proxies that name the address of the client: their addresses and networks, or how many there are. */
  trustProxy?: string[] | number | undefined
  /** The time in ms that a body without files may take to arrive; a minute if undefined. */
  bodyTime?: number
  observe?: Observe
  /** Runs a request with an `Idempotency-Key` once, and answers its repetitions with the same reply. */
  idempotently: (ctx: Context, request: KeyedRequest, run: (ctx: Context) => Promise<Reply>) => Promise<Reply>
  /** Returns the parts of a form; with `media`, a body of that type is one file. */
  readForm: (request: FastifyRequest, form: Pick<Form, 'media' | 'optional'>) => AsyncIterable<FormPart>
  /** Refuses a caller who has sent too many requests. */
  rateLimit?: (caller: Caller, reply: FastifyReply) => void | Promise<void>
  log: (line: Record<string, unknown>) => void
}
