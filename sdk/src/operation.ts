// The words of the map of operations.

/** What the map of operations says about one of them. */
export interface Operation<Path, Query, Body, Answer> {
  path: Path
  query: Query
  body: Body
  answer: Answer
}

/** A value in the address; a list is sent as `a,b`. */
export type QueryValue = string | number | boolean | Date | readonly (string | number)[] | null | undefined

/** Filters by the properties of records: `{ status: 'open', 'dueDate[lte]': '@today' }`. */
export type Filters = { [property: string]: QueryValue }

export interface ListQuery {
  /** The maximum of records in a page. */
  limit?: number | undefined
  cursor?: string | undefined
  /** `-updated,name` */
  sort?: string | undefined
  /** Only these properties, besides `id` and `entity`: `name,active`. */
  fields?: string | undefined
  deleted?: 'include' | 'only' | undefined
  count?: 'exact' | 'estimate' | undefined
  updatedAfter?: string | undefined
}

/** Bytes that are sent as they are. */
export type RawBody = string | Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
