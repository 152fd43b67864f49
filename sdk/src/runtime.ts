import { isProblem } from './problem.ts'
import { requestOf, send } from './send.ts'
import type {
  Answer,
  Body,
  Call,
  DryRun,
  Gantry,
  Input,
  Listed,
  Operations,
  Page,
  Pages,
  QueryValue,
  Reply,
  Route,
} from './types.ts'

export { eventsOf, linesOf } from './streams.ts'

/** Calls an operation by its route: `call(gantry, 'PATCH /item/{id}', { path: { id }, body })`. */
export function call<R extends Route>(gantry: Gantry, route: R, input: Input<R> = {}): Call<Answer<R>> {
  const reply = replyOf<Answer<R>>(gantry, route, input)
  // Not a promise of its own: a failure that the caller takes from withResponse would be reported as unhandled here.
  const answer = () => reply.then(each => each.answer)
  return {
    then: (onFulfilled, onRejected) => answer().then(onFulfilled, onRejected),
    catch: onRejected => answer().catch(onRejected),
    finally: onFinally => answer().finally(onFinally),
    withResponse: () => reply,
    [Symbol.toStringTag]: 'Call',
  }
}

/** Asks what a write would answer. It is checked like the write itself, and nothing is stored. */
export async function dryRun<R extends Route>(
  gantry: Gantry,
  route: R,
  input: Input<R> = {},
): Promise<DryRun<Answer<R>>> {
  const query = { ...(input.query as Record<string, QueryValue>), dryRun: true }
  return (await replyOf<DryRun<Answer<R>>>(gantry, route, { ...input, query })).answer
}

/** Calls an operation and returns the response as it came: bytes of a file, a raw mail. */
export function responseOf<R extends Route>(gantry: Gantry, route: R, input: Input<R> = {}): Promise<Response> {
  return send(gantry, requestOf(route, input, { accept: '*/*' }))
}

async function replyOf<A>(
  gantry: Gantry,
  route: Route,
  input: { path?: unknown; query?: unknown; body?: unknown },
): Promise<Reply<A>> {
  const body = hasBlob(input.body) ? formOf(input.body) : input.body
  const response = await send(gantry, requestOf(route, input, { body }))
  const text = await response.text()
  return {
    answer: (text === '' ? undefined : JSON.parse(text)) as A,
    status: response.status,
    headers: response.headers,
    etag: response.headers.get('etag') ?? undefined,
    changeSet: response.headers.get('change-set') ?? undefined,
  }
}

/** A body with bytes is sent as a form. */
function hasBlob(body: unknown): body is Record<string, unknown> {
  return typeof body === 'object' && body !== null && Object.values(body).some(value => value instanceof Blob)
}

export function formOf(body: Record<string, unknown>): FormData {
  const form = new FormData()
  // The bytes come last, because the service reads the other parts before it stores them.
  for (const [name, value] of Object.entries(body).sort(
    ([, a], [, b]) => Number(a instanceof Blob) - Number(b instanceof Blob),
  ))
    if (value instanceof Blob) form.append(name, value)
    else if (value !== undefined && value !== null) form.append(name, String(value))
  return form
}

const pageSize = 200

/** The records of a list, in pages that are fetched as they are needed. */
export function pagesOf<R extends Route>(gantry: Gantry, route: R, input: Input<R> = {}): Pages<Listed<R>> {
  type Row = Listed<R>
  const given = input.query as Record<string, QueryValue> | undefined
  const page = async (more: Record<string, QueryValue> = {}): Promise<Page<Row>> => {
    const query = { limit: pageSize, ...given, ...more }
    const { answer, headers } = await replyOf<Row[]>(gantry, route, { ...input, query })
    const total = headers.get('x-total-count')
    return {
      records: answer,
      next: headers.get('x-next-cursor') ?? undefined,
      total: total === null ? undefined : Number(total),
    }
  }
  async function* records(): AsyncGenerator<Row> {
    for (let cursor = given?.cursor as string | undefined, first = true; first || cursor; first = false) {
      const { records: found, next } = await page(cursor ? { cursor } : {})
      yield* found
      cursor = next
    }
  }
  return {
    [Symbol.asyncIterator]: records,
    page: (query = {}) => page(query),
    all: () => collected(records()),
    count: async () => (await page({ limit: 1, count: 'exact' })).total ?? 0,
  }
}

async function collected<T>(records: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const each of records) found.push(each)
  return found
}

/** How often a change is computed again because others write at the same time. */
const maxConflicts = 10

/** Reads a record, computes its change and writes it if nobody else changed the record in between. */
export async function changeRecord<G extends Route, U extends Route>(
  gantry: Gantry,
  get: G,
  update: U,
  path: Operations[G]['path'] & Operations[U]['path'],
  compute: (current: Answer<G>) => Body<U>,
): Promise<Answer<U>> {
  for (let attempt = 0; ; attempt++) {
    const { answer, etag } = await replyOf<Answer<G>>(gantry, get, { path })
    try {
      return await call(gantry, update, { path, body: compute(answer), ifMatch: etag } as Input<U>)
    } catch (error) {
      if (!isProblem(error) || error.status !== 412 || attempt >= maxConflicts) throw error
    }
  }
}
