import type { FastifyInstance } from 'fastify'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Database } from '../../kernel/database.ts'
import { offeredMetas } from './entra-meta.ts'
import { readTenantQuery, tenantBySlug } from './tenant-by-slug.ts'

/** The identity providers of a workspace, for clients before sign-in. */
export function mountPublicMeta(app: FastifyInstance, database: Database): void {
  app.get<{ Querystring: Record<string, unknown> }>('/api/entra/meta', async request => {
    const tenantId = await tenantBySlug(database, readTenantQuery(request.query).tenant)
    if (!tenantId) return []
    const metas = await database.single(tenantCaller(tenantId), offeredMetas)
    return metas.map(({ id, name, provider, entraTenantId, issuer, clientId }) => ({
      id,
      name,
      provider,
      entraTenantId,
      authority: issuer,
      clientId,
    }))
  })
}
