import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Caller, Permission } from './access.ts'
import type { Context, Services } from './context.ts'
import type { Expect } from './record/record.ts'
import { type Reader, type ReaderOptions, reader, type Schema } from './schema/shape.ts'

/** What a caller sent, checked. */
export interface Input<T = unknown> {
  /** The path that was asked for, without its query. */
  path: string
  params: Record<string, string>
  query: Record<string, unknown>
  body: T
  /** The body before it was read: for what reading ignores, such as the id in it. */
  raw: unknown
  expect: Expect
  headers: Record<string, string | string[] | undefined>
}

/** Opens a context for one more step of a reply that outlives its first: statement by statement, or all or nothing. */
export type Reopen = <T>(work: (ctx: Context) => Promise<T>, as?: 'transaction') => Promise<T>

export interface Connection {
  request: FastifyRequest
  reply: FastifyReply
  caller: Caller
  operation: Operation
}

export interface Reply {
  status?: number
  /** A value to be written as JSON, or JSON text that is passed on as it is. */
  body?: unknown
  text?: string
  stream?: (reopen: Reopen) => AsyncIterable<string>
  /** Bytes as they are; `headers` say what they are and how many. Not asked for where only the headers go out. */
  bytes?: () => Readable
  /** Answers by itself for as long as the connection stands. */
  takeOver?: (connection: Connection) => FastifyReply
  headers?: Record<string, string>
  /** The version of the one record that goes out: its ETag. */
  version?: number
  /** What only a dryRun is told, beside what would be answered. */
  dryRun?: Record<string, unknown>
}

/** One part of a form: a field with its text, or a file with its bytes. */
export type FormPart = { name: string; text: string } | { name: string; fileName: string; bytes: AsyncIterable<Buffer> }

/** What came with a form: the body for `run`, what makes it the same as another, and how to let go of it afterwards. */
export interface Received<T = unknown> {
  body: T
  identity: unknown
  release(): Promise<void>
}

/** A body of any length, read as it comes: before the transaction begins, which must not wait for a slow line. */
export interface Form {
  schema: Schema
  /** Not a form but one long body of this type, taken as a form with one file in it. */
  media?: string
  receive: (parts: AsyncIterable<FormPart>, services: Services) => Promise<Received>
}

export interface Body<T> {
  schema: Schema
  read: Reader<T>
  example: unknown
  /** One JSON value a line (`application/x-ndjson`) is taken as an array of them. */
  lines?: boolean
  /** Bytes, where it is more than the installation's usual limit. */
  limit?: number
}

/** The body of a request, typed by its schema. */
export function bodyOf<S extends TSchema>(type: S, example: unknown, options?: ReaderOptions): Body<Static<S>> {
  return { schema: type, read: reader<Static<S>>(type, options), example }
}

/** One thing a caller may ask. One without a permission does not compile. */
export interface Operation {
  permission: Permission
  /** The permission may be held at one place only: `run` checks it where the record is. */
  placed?: boolean
  /** Reads, and writes that are one statement, need no transaction around them. */
  mode: 'read' | 'write' | 'single'
  summary: string
  description: string
  query?: Record<string, Schema>
  body?: Body<unknown>
  /** Instead of `body`: a form with files in it. */
  form?: Form
  /** Refuses before the form is taken in, where it may be long and is not everybody's to send. */
  admit?: (ctx: Context) => Promise<void>
  reply: { status: number; schema?: Schema; description: string }
  /** Other successes: what their status means. */
  also?: Readonly<Record<number, string>>
  /** Refusals beyond those that every operation has. */
  refusals?: readonly number[]
  /** Nobody overwrites unseen: `If-Match` must say which version was read. */
  mustMatch?: boolean
  /** The answer holds something that must never be stored or cached. */
  unrepeatable?: boolean
  run: (ctx: Context, input: Input) => Promise<Reply>
}

/** Thrown by an operation in `single` mode when one statement was not enough: it runs once more, in a transaction. */
export class NeedsTransaction extends Error {}

/** The routes of a room: `'PUT /clock/:id': update(clocks)`. */
export type Routes = Record<string, Operation>

/** An operation of a room's own, with its body typed by its reader. */
export function operation<T>(
  own: Omit<Operation, 'body' | 'run'> & { body?: Body<T>; run: (ctx: Context, input: Input<T>) => Promise<Reply> },
): Operation {
  return own as Operation
}

/** The same for those who hold the right at some place only: where each record lies decides. */
export function placed(stock: Operation): Operation {
  return { ...stock, placed: true }
}

/** A streamed answer, gathered in the transaction that is about to be kept with it, or undone. */
export async function collected(answer: Reply, ctx: Context): Promise<Reply> {
  if (!answer.stream) return answer
  const parts: string[] = []
  for await (const part of answer.stream(work => work(ctx))) parts.push(part)
  return { text: parts.join(''), ...(answer.headers ? { headers: answer.headers } : {}) }
}
