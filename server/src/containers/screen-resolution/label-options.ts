import type { Context } from '../../kernel/context.ts'
import { ownerKind } from '../../records/references/owner.ts'
import type { ResolvedPlace } from './resolved-screen.ts'

const ofLabels: readonly string[] = ['Tags', 'labels']

/** Adds the labels to a request form that asks for them, because requesters do not read the catalogue. */
export async function withLabelOptions(
  ctx: Context,
  containerId: string,
  places: readonly ResolvedPlace[],
): Promise<ResolvedPlace[]> {
  if (!places.some(each => ofLabels.includes(each.fieldId))) return [...places]
  const options = await ctx.sql<{ id: string; label: string; color: string; parentId: string }>`
    select id, name as label, color, '' as "parentId" from label
    where tenant_id = ${ctx.caller.tenantId} and not deleted and active
      and (owner = ${ownerKind.tenant} or (owner = ${ownerKind.container} and owner_id = ${containerId}))
    order by "group", name, id limit ${maxShown}`
  return places.map(each => (ofLabels.includes(each.fieldId) ? { ...each, options } : each))
}

const maxShown = 500
