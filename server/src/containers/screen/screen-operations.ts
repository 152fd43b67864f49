import type { Context } from '../../kernel/context.ts'
import { check, create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { refuseUnknown } from '../../kernel/record/references.ts'
import { history } from '../../records/history/history.ts'
import { resolvedSchema, resolveScreen } from '../screen-resolution/screen-resolution.ts'
import { changeScreen, createScreen, momentFor, screens, seeOwnScreen } from './screen.ts'
import { momentCodes, momentQuery } from './screen-moment.ts'

const resolve = operation({
  permission: seeOwnScreen,
  placed: true,
  mode: 'read',
  summary: 'Resolve the screen for an occasion',
  description:
    'The layout that the caller gets for a container, a process and a moment: the most specific stored screen, or else one that is generated from the fields of the container and their `placement`. Requesters get the screen for the portal (moment 5): the request form. Conditions are returned for the client to evaluate; `GET /api/item/{id}/screen` evaluates them for an item.',
  query: {
    containerId: { type: 'string', 'x-ref': 'Container' },
    processId: { type: 'string', 'x-ref': 'Process' },
    ...momentQuery,
  },
  reply: { status: 200, schema: resolvedSchema, description: 'The screen.' },
  refusals: [422],
  async run(ctx, { query }) {
    const containerId = String(query.containerId ?? '').toLowerCase()
    const asked = String(query.processId ?? '').toLowerCase()
    await refuseUnknown(ctx, [
      ...(containerId ? [{ entity: 'Container', id: containerId, path: ['containerId'] }] : []),
      ...(asked ? [{ entity: 'Process', id: asked, path: ['processId'] }] : []),
    ])
    const { surroundings: _inside, ...screen } = await resolveScreen(ctx, {
      containerId,
      processId: asked || (await usualProcess(ctx, containerId)),
      ...momentFor(ctx.caller, { containerId }, query, momentCodes.all),
      groups: ctx.caller.authority.groups,
    })
    return { body: screen }
  },
})

async function usualProcess(ctx: Context, containerId: Id): Promise<Id | ''> {
  if (!isId(containerId)) return ''
  const [row] = await ctx.sql<{ id: Id | null }>`select default_process_id as id from container
    where tenant_id = ${ctx.caller.tenantId} and id = ${containerId}`
  return row?.id ?? ''
}

export const routes: Routes = {
  'GET /screen': list(screens),
  'POST /screen': create(screens, createScreen),
  'PUT /screen': update(screens, changeScreen),
  'GET /screen/resolve': resolve,
  'GET /screen/:id': get(screens),
  'PUT /screen/:id': update(screens, changeScreen),
  'PATCH /screen/:id': update(screens, changeScreen),
  'DELETE /screen/:id': remove(screens),
  'POST /screen/:id/restore': restore(screens),
  'GET /screen/:id/history': history(screens),
  'GET /screen/:id/check': check(screens),
}
