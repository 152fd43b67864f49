import type { Routes } from '../../kernel/operation.ts'
import * as chat from '../../portal/chat/chat-ticket-operation.ts'
import * as suggest from '../../portal/knowledge/suggest.ts'
import * as usage from '../../portal/knowledge/usage.ts'

/** What requesters do on the portal with an account; the routes without one are in portal/portal.ts. */
export const portalRoutes: Routes = {
  ...chat.routes,
  ...suggest.routes,
  ...usage.routes,
}
