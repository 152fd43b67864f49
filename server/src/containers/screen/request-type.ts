import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { type Container, containers } from '../container/container.ts'
import { containerKind } from '../container-kind.ts'
import { offers } from '../container-portal.ts'
import { resolvedSchema, resolveScreen } from '../screen-resolution/screen-resolution.ts'
import { seeOwnScreen } from './screen.ts'
import { momentCodes } from './screen-moment.ts'

// What can be asked for at a service desk. Requesters do not read processes; of those of a desk they see what the portal shows.

const shown: Record<string, Schema> = {
  processId: { type: 'string', description: 'What the ticket is created with; empty at a desk without processes.' },
  name: { type: 'string' },
  description: { type: 'string' },
  image: { type: 'string' },
  isDefault: { type: 'boolean', description: 'Whether a ticket without `processId` is of this type.' },
  screen: { ...resolvedSchema, description: 'The request form: what the requester fills in.' },
}

const list = operation({
  permission: seeOwnScreen,
  placed: true,
  mode: 'read',
  summary: 'List the request types of a service desk',
  description:
    'What can be asked for at the desk: the active processes that its portal offers in their order, each with its request form (the screen for the portal) as the caller gets it. A desk without processes has one type, with its own name. Other containers have none.',
  reply: {
    status: 200,
    schema: {
      type: 'array',
      items: { type: 'object', title: 'RequestType', properties: shown, required: Object.keys(shown) },
    },
    description: 'The request types.',
  },
  refusals: [404],
  async run(ctx, { params }) {
    const desk = await containers.get(ctx, params.id ?? '')
    const types = desk.kind === containerKind.desk ? await requestTypes(ctx, desk) : []
    const body = []
    for (const each of types) body.push({ ...each, screen: await requestForm(ctx, desk.id, each.processId) })
    return { body }
  },
})

export interface RequestType {
  processId: Id | ''
  name: string
  description: string
  image: string
  isDefault: boolean
}

/** What the portal of the desk offers. */
export async function requestTypes(ctx: Context, desk: Container): Promise<RequestType[]> {
  const { name, description, processIds, portal } = desk
  if (processIds.length === 0) return [{ processId: '', name, description, image: '', isDefault: true }]
  const found = await ctx.sql<Omit<RequestType, 'isDefault'>>`
    select p.id as "processId", p.name, p.description, p.image from process p
    where p.tenant_id = ${ctx.caller.tenantId} and p.id = any(${processIds}::uuid[]) and p.active and not p.deleted
    order by p."order", p.name, p.id`
  return found
    .filter(each => offers(portal, each.processId))
    .map(each => ({ ...each, isDefault: each.processId === desk.defaultProcessId }))
}

/** The request form of a type, as the caller gets it. */
export async function requestForm(ctx: Context, containerId: Id, processId: Id | '') {
  const occasion = { containerId, processId, moment: momentCodes.portal, stepId: '' }
  const { surroundings: _inside, ...screen } = await resolveScreen(ctx, {
    ...occasion,
    groups: ctx.caller.authority.groups,
  })
  return screen
}

export const routes: Routes = { 'GET /container/:id/request-type': list }
