// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, eventsOf } from '../runtime.ts'
import type { Answer, Call, Gantry, Options, ServerEvent, StreamOptions } from '../types.ts'

/** Read the event log */
export function list(gantry: Gantry, options: Options<'GET /event'> = {}): Call<Answer<'GET /event'>> {
  return call(gantry, 'GET /event', { ...options })
}

/** Follow events */
export function follow(gantry: Gantry, options: StreamOptions<'GET /event/stream'> = {}): AsyncGenerator<ServerEvent> {
  return eventsOf(gantry, 'GET /event/stream', { ...options })
}
