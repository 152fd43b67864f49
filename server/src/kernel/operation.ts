import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Caller, Permission } from './access.ts'
import type { Context, Services } from './context.ts'
import type { Expect } from './record/record.ts'
import { type Reader, type ReaderOptions, reader, type Schema } from './schema/shape.ts'

/** The validated input of an operation. */
export interface Input<T = unknown> {
  /** The path of the request, without its query. */
  path: string
  params: Record<string, string>
  query: Record<string, unknown>
  body: T
  /** The body before validation, which ignores some properties, such as the id. */
  raw: unknown
  expect: Expect
  headers: Record<string, string | string[] | undefined>
}

/** Opens a context for a part of a reply that is sent after `run` has returned, with or without a transaction. */
export type Reopen = <T>(work: (ctx: Context) => Promise<T>, as?: 'transaction') => Promise<T>

interface HttpConnection {
  request: FastifyRequest
  reply: FastifyReply
  caller: Caller
  operation: Operation
}

export interface Reply {
  status?: number
  /** A value that is written as JSON; `text` is JSON that is sent unchanged. */
  body?: unknown
  text?: string
  stream?: (reopen: Reopen) => AsyncIterable<string>
  /** Binary content, whose type and length are in `headers`; not called for HEAD. */
  bytes?: () => Readable
  /** Writes the reply itself for as long as the connection is open. */
  takeOver?: (connection: HttpConnection) => FastifyReply | Promise<FastifyReply>
  headers?: Record<string, string>
  /** The version of the record in the reply, for its ETag. */
  version?: number
  /** More members of the reply to a dry run. */
  dryRun?: Record<string, unknown>
}

/** One part of a form: a field with its text, or a file with its bytes. */
export type FormPart = { name: string; text: string } | { name: string; fileName: string; bytes: AsyncIterable<Buffer> }

/** A received form: the body for `run`, a value that identifies it for idempotency, and its clean-up. */
export interface Received<T = unknown> {
  body: T
  identity: unknown
  release(): Promise<void>
}

/** The request that a form came with, for one whose bytes are stored while they arrive. */
export interface FormRequest extends Pick<Input, 'params' | 'query' | 'headers'> {
  /** Runs a short transaction as the caller, before the one of the operation begins. */
  transaction<T>(work: (ctx: Context) => Promise<T>): Promise<T>
}

/** A body of any length, read before the transaction begins, because that must not wait for a slow connection. */
export interface Form {
  schema: Schema
  /** The body is not a form but one file of this media type. */
  media?: string
  /** A request without a body is accepted, too. */
  optional?: boolean
  receive: (parts: AsyncIterable<FormPart>, services: Services, request: FormRequest) => Promise<Received>
}

export interface Body<T> {
  schema: Schema
  read: Reader<T>
  /** An example for the documentation; undefined if one can be made from the schema. */
  example: unknown
  /** Accepts one JSON value per line (`application/x-ndjson`) as an array. */
  lines?: boolean
  /** The size limit in bytes, where it is not that of the installation. */
  limit?: number
}

/** The body of a request, typed by its schema. */
export function bodyOf<S extends TSchema>(type: S, example: unknown, options?: ReaderOptions): Body<Static<S>> {
  return { schema: type, read: reader<Static<S>>(type, options), example }
}

/** One request that the API offers. One without a permission does not compile. */
export interface Operation {
  permission: Permission
  /** The permission at some place is enough to begin; `run` checks it at the place of the record. */
  placed?: boolean
  /** Reads, and writes that are one statement, need no transaction around them. */
  mode: 'read' | 'write' | 'single'
  summary: string
  description: string
  /** What parameters of the path may be, beyond the id of a record. */
  params?: Readonly<Record<string, string>>
  query?: Record<string, Schema>
  /** The headers of the request that `run` reads, for the documentation. */
  headers?: Readonly<Record<string, Schema>>
  /** Parameters beyond `query` are filters, which `run` reads; see `readListing`. */
  filters?: boolean
  body?: Body<unknown>
  /** Instead of `body`: a form with files in it. */
  form?: Form
  /** Refuses a caller before a long form is received. */
  admit?: (ctx: Context) => Promise<void>
  reply: { status: number; schema?: Schema; description: string; headers?: readonly string[] }
  /** The meaning of other statuses of success. */
  also?: Readonly<Record<number, string>>
  /** Headers of every reply, of refusals too. */
  constantHeaders?: Readonly<Record<string, string>>
  /** Refusals beyond those that every operation has. */
  refusals?: readonly number[]
  /** `If-Match` is required, so that nobody overwrites a version that they have not read. */
  mustMatch?: boolean
  /** The reply contains a secret that must be neither stored nor cached. */
  unrepeatable?: boolean
  run: (ctx: Context, input: Input) => Promise<Reply>
}

/** Thrown by an operation in `single` mode that needs several statements: it runs again in a transaction. */
export class NeedsTransaction extends Error {}

/** The routes of a room: `'PUT /clock/:id': update(clocks)`. */
export type Routes = Record<string, Operation>

/** Declares an operation whose `run` gets the body with the type of its reader. */
export function operation<T>(
  own: Omit<Operation, 'body' | 'run'> & { body?: Body<T>; run: (ctx: Context, input: Input<T>) => Promise<Reply> },
): Operation {
  return own as Operation
}

/** The same operation, for callers who have the permission at some place; the place of each record decides. */
export function placed(operation: Operation): Operation {
  return { ...operation, placed: true }
}

/** Collects a streamed reply within the transaction, for replies that are stored or of a dry run. */
export async function collected(answer: Reply, ctx: Context): Promise<Reply> {
  if (!answer.stream) return answer
  const parts: string[] = []
  for await (const part of answer.stream(work => work(ctx))) parts.push(part)
  return { text: parts.join(''), ...(answer.headers ? { headers: answer.headers } : {}) }
}
