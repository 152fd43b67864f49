import type { Operations } from './generated/operations.ts'

export type { Operations } from './generated/operations.ts'
export type { Filters, ListQuery, QueryValue, RawBody } from './operation.ts'

/** `'PATCH /item/{id}'` */
export type Route = keyof Operations
export type Body<R extends Route> = Operations[R]['body']
export type Query<R extends Route> = Operations[R]['query']
export type Answer<R extends Route> = Operations[R]['answer']
/** A record of a list. */
export type Listed<R extends Route> = Answer<R> extends (infer Record)[] ? Record : never

/** What can be said about one call, beside its path and its body. */
export interface CallOptions {
  signal?: AbortSignal | undefined
  /** The version that the record must have: the `etag` of an answer. */
  ifMatch?: string | undefined
  /** Makes a repeated `POST` have one effect. By default every call has a key of its own. */
  idempotencyKey?: string | undefined
  headers?: Record<string, string> | undefined
}

export interface Options<R extends Route> extends CallOptions {
  query?: Query<R> | undefined
}

export interface StreamOptions<R extends Route> {
  query?: Query<R> | undefined
  signal?: AbortSignal | undefined
  /** The position after which the stream begins; without it, it begins now. */
  after?: string | undefined
}

/** An event of a stream. `data` is undefined for an event without content. */
export interface ServerEvent<Data = unknown> {
  id: string | undefined
  type: string
  data: Data | undefined
}

/** The input of a call: the parameters in its path, its query and its body. */
export interface Input<R extends Route> extends Options<R> {
  path?: Operations[R]['path'] | undefined
  body?: Body<R> | undefined
}

/** An answer with its headers. */
export interface Reply<A> {
  answer: A
  status: number
  headers: Headers
  /** The version of the record, for `ifMatch`. */
  etag: string | undefined
  /** The change set that the call made, by which it can be undone. */
  changeSet: string | undefined
}

/** A call that is under way: its answer, or the answer with its headers. */
export interface Call<A> extends Promise<A> {
  withResponse(): Promise<Reply<A>>
}

/** What a dry run answers: the answer that the call would have had, and nothing is stored. */
export interface DryRun<A> {
  would: A
  warnings: unknown[]
  touches?: Record<string, unknown>
}

/** One page of a list. */
export interface Page<T> {
  records: T[]
  /** The cursor of the next page; undefined on the last one. */
  next: string | undefined
  /** The number of all records, if `count` was asked for. */
  total: number | undefined
}

/** The records of a list, fetched page by page as they are used. */
export interface Pages<T> extends AsyncIterable<T> {
  page(query?: { limit?: number | undefined; cursor?: string | undefined }): Promise<Page<T>>
  all(): Promise<T[]>
  count(): Promise<number>
}

/** Gives every request its credential. */
export interface Auth {
  /** The headers of a request. `refused` is set if the service has refused the last ones. */
  headers(refused: boolean, signal: AbortSignal | undefined): Promise<Record<string, string>> | Record<string, string>
  /** Whether it can get a new credential for one that was refused. */
  renews?: boolean
  /** The browser sends its cookies. */
  cookies?: boolean
}

/** A service to which calls are sent. */
export interface Gantry {
  /** The address of the service, without `/api`. */
  readonly url: string
  readonly auth: Auth
  readonly fetch: typeof fetch
  /** How often a request is repeated that failed for a reason that may pass. */
  readonly retries: number
}
