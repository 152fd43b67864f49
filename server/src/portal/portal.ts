import type { FastifyInstance } from 'fastify'
import type { Brand } from '../identity/oauth/pages/page-style.ts'
import type { Context } from '../kernel/context.ts'
import type { Database } from '../kernel/database.ts'
import type { OpenRoutes } from '../platform/openapi/openapi.ts'
import { chatRoutes, mountChats } from './chat/mount-chats.ts'
import { frontRoutes, mountPortalFront } from './front/portal-front.ts'
import { articleRoutes, mountArticles } from './knowledge/mount-articles.ts'
import { mountTickets, ticketRoutes } from './ticket/mount-tickets.ts'
import { openVisitorDoor } from './visitor/visitor.ts'

interface PortalOptions {
  database: Database
  baseUrl: string
  /** How often in a minute one network may read. */
  perMinute: number
  brandOf: (ctx: Context) => Promise<Brand>
}

/** Mounts what people without an account do on the portal of a tenant. Its routes are no operations, because nobody has a permission. */
export function mountPortal(app: FastifyInstance, { brandOf, baseUrl, ...options }: PortalOptions): void {
  const enter = openVisitorDoor(options)
  mountPortalFront(app, enter, brandOf)
  mountArticles(app, enter, { baseUrl, brandOf })
  mountChats(app, enter, options.database)
  mountTickets(app, enter)
}

/** The same routes for the OpenAPI document. */
export const portalOpenRoutes: OpenRoutes = { ...frontRoutes, ...articleRoutes, ...chatRoutes, ...ticketRoutes }
