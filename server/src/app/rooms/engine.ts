import * as event from '../../engine/live/event-log-operations.ts'
import * as eventStream from '../../engine/live/event-stream-operations.ts'
import { changeRoutes } from '../../engine/undo/undo.ts'
import type { Routes } from '../../kernel/operation.ts'
import { undoers } from '../undoers.ts'

/** The event log, the live stream and undo. */
export const engineRoutes: Routes = {
  ...changeRoutes(undoers),
  ...event.routes,
  ...eventStream.routes,
}
