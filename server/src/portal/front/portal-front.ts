import type { FastifyInstance } from 'fastify'
import { containers } from '../../containers/container/container.ts'
import type { ContainerPortal } from '../../containers/container-portal.ts'
import { requestForm } from '../../containers/screen/request-type.ts'
import { resolvedSchema } from '../../containers/screen-resolution/screen-resolution.ts'
import type { Brand } from '../../identity/oauth/pages/page-style.ts'
import { openToVisitors } from '../../identity/visitor.ts'
import type { Context } from '../../kernel/context.ts'
import { queryReader } from '../../kernel/http/query.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { NotFound } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { ownTenant, raw } from '../../kernel/sql.ts'
import type { OpenRoutes } from '../../platform/openapi/openapi.ts'
import { fresh, portalPath, shownTo, type VisitorDoor, type VisitorRequest } from '../visitor/visitor.ts'

// What a portal shows first: how the tenant wants to be seen, and what can be asked for.

const maxTypes = 200

const text: Schema = { type: 'string' }
const properties: Record<string, Schema> = {
  containerId: text,
  desk: { type: 'string', description: 'The name of the service desk.' },
  processId: { type: 'string', description: 'Empty at a desk without processes.' },
  name: text,
  description: text,
  image: text,
  isDefault: { type: 'boolean', description: 'Whether a ticket without `processId` is of this type.' },
}
const portalSchema: Schema = {
  type: 'object',
  title: 'PortalFront',
  properties: {
    branding: {
      type: 'object',
      properties: { name: text, logoUrl: text, color: text },
      required: ['name', 'logoUrl', 'color'],
    },
    locale: text,
    types: {
      type: 'array',
      description: `At most ${maxTypes}.`,
      items: { type: 'object', title: 'PortalType', properties, required: Object.keys(properties) },
    },
  },
  required: ['branding', 'locale', 'types'],
}

const formQuery: Record<string, Schema> = {
  containerId: { type: 'string', description: 'The service desk.' },
  processId: { type: 'string', description: 'The type; empty at a desk without processes.' },
}

interface OfferedType {
  containerId: Id
  desk: string
  processId: Id | ''
  name: string
  description: string
  image: string
  isDefault: boolean
}

/** What visitors can ask for: the types of the desks that are open to them, in the order of the desks. */
async function offeredTypes(ctx: Context, containerId?: Id): Promise<OfferedType[]> {
  const { tenantId } = ctx.caller
  const c = raw('c')
  return await ctx.sql<OfferedType & { portal: ContainerPortal }>`
    select c.id as "containerId", c.name as desk, coalesce(p.id::text, '') as "processId", coalesce(p.name, c.name) as name,
      coalesce(p.description, c.description) as description, coalesce(p.image, '') as image,
      p.id is null or p.id is not distinct from c.default_process_id as "isDefault"
    from container c left join process p on p.tenant_id = ${ownTenant} and p.id = any(c.process_ids) and p.active and not p.deleted
      and (c.portal -> 'types' = '[]' or c.portal -> 'types' ? p.id::text)
    where c.tenant_id = ${tenantId} and ${openToVisitors(c)} and ${containers.visible(ctx.caller, c)} and (p.id is not null or c.process_ids = '{}')
      and (${containerId ?? null}::uuid is null or c.id = ${containerId ?? null}::uuid)
    order by lower(c.name), c.id, p."order", p.name, p.id limit ${maxTypes}`
}

const readFormQuery = queryReader({ mode: 'read', query: formQuery })

/** Finds what the visitor asks for; what is not offered to visitors does not exist for them. */
export async function offeredType(
  ctx: Context,
  { containerId, processId }: Record<string, unknown>,
): Promise<OfferedType> {
  const place = String(containerId ?? '').toLowerCase()
  const types = isId(place) ? await offeredTypes(ctx, place) : []
  const wanted = String(processId ?? '').toLowerCase()
  const found =
    types.find(each => each.processId === wanted) ?? (wanted === '' ? types.find(each => each.isDefault) : undefined)
  if (!found) throw new NotFound('request type')
  return found
}

async function readFront(ctx: Context, branding: Brand) {
  const [tenant] = await ctx.sql<{ locale: string }>`select locale from tenant where tenant_id = ${ctx.caller.tenantId}`
  return { branding, locale: tenant?.locale ?? '', types: await offeredTypes(ctx) }
}

export function mountPortalFront(
  app: FastifyInstance,
  enter: VisitorDoor,
  brandOf: (ctx: Context) => Promise<Brand>,
): void {
  app.get(portalPath, async (request: VisitorRequest, reply) =>
    fresh(reply).send(await enter(request, 'read', async ctx => readFront(ctx, await brandOf(ctx)))),
  )
  app.get(`${portalPath}/form`, async (request: VisitorRequest, reply) => {
    const wanted = readFormQuery(request.query)
    const form = await enter(request, 'read', async ctx => {
      const { containerId, processId } = await offeredType(ctx, wanted)
      return await shownTo(ctx, await requestForm(ctx, containerId, processId))
    })
    return fresh(reply).send(form)
  })
}

export const frontRoutes: OpenRoutes = {
  'GET /portal/:slug': {
    summary: 'Get the portal of a tenant',
    description:
      'The branding of the tenant, and what people without an account can ask for: the request types of the service desks with `portal.visitors`. A tenant without such a desk has no portal: it is answered like an unknown one. No credential is needed. Requests are limited by network (429).',
    reply: { status: 200, description: 'The portal.', schema: portalSchema },
    refusals: [404, 429],
  },
  'GET /portal/:slug/form': {
    summary: 'Get a request form of a portal',
    description: 'What somebody without an account fills in for a request of this type. No credential is needed.',
    query: formQuery,
    reply: { status: 200, description: 'The form.', schema: resolvedSchema },
    refusals: [400, 404, 429],
  },
}
