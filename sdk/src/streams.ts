import { isProblem } from './problem.ts'
import { delayBefore, mayPass, pause } from './retry.ts'
import { requestOf, send } from './send.ts'
import type { Gantry, Input, Route, ServerEvent, StreamOptions } from './types.ts'

/** The lines of an answer in NDJSON, as they arrive. */
export async function* linesOf<R extends Route>(
  gantry: Gantry,
  route: R,
  input: Input<R> = {},
): AsyncGenerator<unknown> {
  const response = await send(gantry, requestOf(route, input, { accept: 'application/x-ndjson' }))
  for await (const line of textLines(response)) if (line !== '') yield JSON.parse(line)
}

/**
 * Follows a stream of the service. When the connection is lost it is opened again after the last event, so that no event
 * is missed and none comes twice. It ends when the signal is aborted.
 */
export async function* eventsOf<R extends Route>(
  gantry: Gantry,
  route: R,
  { path, query, signal, after }: StreamOptions<R> & Pick<Input<R>, 'path'> = {},
): AsyncGenerator<ServerEvent> {
  let last = after
  for (let failures = 0; !signal?.aborted; failures++) {
    try {
      const response = await send(
        gantry,
        requestOf(
          route,
          { path, query, signal },
          { accept: 'text/event-stream', headers: last === undefined ? {} : { 'last-event-id': last } },
        ),
      )
      const arrive = (place: string) => {
        failures = 0
        last = place
      }
      yield* serverEvents(response, arrive)
    } catch (error) {
      if (signal?.aborted) return
      if (isProblem(error) && !mayPass(error.status, error.code)) throw error
    }
    await pause(delayBefore(failures, null), signal).catch(() => undefined) // the loop sees that it was aborted
  }
}

/**
 * The events of one connection (the format of server-sent events). The service also says how far a quiet stream has come: a position
 * without an event, before the first one and from time to time.
 */
async function* serverEvents(response: Response, arrive: (place: string) => void): AsyncGenerator<ServerEvent> {
  let id: string | undefined
  let type = 'message'
  let data: string[] = []
  for await (const line of textLines(response)) {
    if (line === '') {
      if (id !== undefined) arrive(id)
      if (data.length > 0 || type !== 'message') yield { id, type, data: contentOf(data.join('\n')) }
      type = 'message'
      data = []
      continue
    }
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
    if (field === 'id') id = value
    else if (field === 'event') type = value
    else if (field === 'data') data.push(value)
  }
}

const contentOf = (data: string): unknown => (data === '' ? undefined : JSON.parse(data))

async function* textLines({ body }: Response): AsyncGenerator<string> {
  if (!body) return
  let rest = ''
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const lines = (rest + part.value).split(/\r?\n/)
      rest = lines.pop() ?? ''
      yield* lines
    }
    if (rest !== '') yield rest
  } finally {
    await reader.cancel().catch(() => undefined) // the reader stops early
  }
}
