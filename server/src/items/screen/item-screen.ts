import { momentCodes, momentFor, momentQuery } from '../../containers/screen/screen.ts'
import {
  type ResolvedPlace,
  type ResolvedScreen,
  resolvedSchema,
  resolveScreen,
} from '../../containers/screen-resolution/screen-resolution.ts'
import { mayPass, type ProcessField } from '../../containers/workflow/workflow.ts'
import type { Context } from '../../kernel/context.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { join, sql } from '../../kernel/sql.ts'
import { compile } from '../../language/conditions/conditions.ts'
import { type ScreenDemands, screenDemands } from '../constraints/constraint-screen.ts'
import { demandContext } from '../constraints/constraints.ts'
import { type Item, items } from '../item/item.ts'
import { relationOf } from '../transitions/caller-relation.ts'

/** The screen of an item with all conditions evaluated for the caller. */
export async function screenOf(
  ctx: Context,
  item: Item,
  occasion: { moment: number; stepId: string },
): Promise<ResolvedScreen> {
  const { surroundings, ...screen } = await resolveScreen(ctx, {
    containerId: item.containerId,
    processId: item.processId,
    ...occasion,
    groups: ctx.caller.authority.groups,
  })
  const places = screen.sections.flatMap(each => each.fields)
  const seen = await placesSeen(ctx, item, places)
  const demands = await screenDemands(ctx, item)
  const standing = relationOf(ctx.caller, item, new Set())
  const forbidden = (property: 'hiddenFor' | 'readOnlyFor', { fieldId, key }: ResolvedPlace) =>
    (surroundings.fields ?? []).some((each: ProcessField) => {
      const groups = each[property] ?? []
      return groups.length > 0 && [fieldId, key].includes(each.fieldId) && mayPass(groups, standing)
    })
  return {
    ...screen,
    sections: screen.sections.map(section => ({
      ...section,
      fields: section.fields
        .filter(each => seen.has(each) && !forbidden('hiddenFor', each) && !demands.hidden.has(each.fieldId))
        .map(each => demanded({ ...each, readOnly: each.readOnly || forbidden('readOnlyFor', each) }, demands)),
    })),
  }
}

function demanded(place: ResolvedPlace, { required, readOnly, allowed }: ScreenDemands): ResolvedPlace {
  const values = allowed.get(place.fieldId)
  return {
    ...place,
    readOnly: place.readOnly || readOnly.has(place.fieldId),
    required: place.required || required.has(place.fieldId),
    ...(values ? { allowed: values } : {}),
  }
}

/** The places whose `visibleIf` holds for the item; one statement for all conditions. */
async function placesSeen(ctx: Context, item: Item, places: readonly ResolvedPlace[]): Promise<Set<ResolvedPlace>> {
  const asking = places.filter(each => each.visibleIf.length > 0)
  const seen = new Set(places.filter(each => each.visibleIf.length === 0))
  if (asking.length === 0) return seen
  const { vocabulary, viewer } = await demandContext(ctx)
  const columns = asking.map(each => sql`(${compile(each.visibleIf, vocabulary, viewer)}) is true`)
  const [row] = await ctx.sql<{ holds: boolean[] }>`select array[${join(columns)}]::boolean[] as holds
    from item t where t.tenant_id = ${ctx.caller.tenantId} and t.id = ${item.id}`
  for (const [i, each] of asking.entries()) if (row?.holds[i]) seen.add(each)
  return seen
}

const screen = operation({
  permission: items.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'Get the screen of an item',
  description:
    'The fields of this item that are shown to the caller at a moment (by default: view; for requesters the portal only), and their layout. Conditions are evaluated, fields that the process hides from groups of the caller are left out, and the demands of constraints on the item (required, read-only, hidden, allowed values) are included.',
  query: momentQuery,
  reply: { status: 200, schema: resolvedSchema, description: 'The screen.' },
  refusals: [404],
  async run(ctx, { params, query }) {
    const item = await items.get(ctx, params.id ?? '')
    const occasion = momentFor(ctx.caller, item, query, momentCodes.view)
    return { body: await screenOf(ctx, item, occasion) }
  },
})

export const routes: Routes = {
  'GET /item/:id/screen': screen,
}
