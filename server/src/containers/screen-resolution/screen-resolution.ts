import type { Context } from '../../kernel/context.ts'
import { remembered } from '../../kernel/memory.ts'
import { raw } from '../../kernel/sql.ts'
import { type Field, fields } from '../field/field.ts'
import { isRequestable, isUsableFor } from '../item-property/item-property.ts'
import {
  momentCodes,
  type Screen,
  type ScreenPlace,
  type ScreenSection,
  screens,
  sectionsOf,
} from '../screen/screen.ts'
import type { ProcessField, WorkflowStep } from '../workflow/workflow.ts'
import { generatedSections, type ScreenField } from './generated-screen.ts'
import { withLabelOptions } from './label-options.ts'
import type { ResolvedPlace, ResolvedScreen } from './resolved-screen.ts'
import { chooseScreen, type ScreenContext } from './screen-choice.ts'

export { type ResolvedPlace, type ResolvedScreen, resolvedSchema } from './resolved-screen.ts'

/** The parts of a container and a process that decide which fields are shown. */
interface Surroundings {
  /** In order; undefined without a process, in which case every field is shown. */
  fields: readonly ProcessField[] | undefined
  steps: readonly WorkflowStep[]
}

/** The screen for an occasion, without fields that the container does not have. */
export async function resolveScreen(
  ctx: Context,
  occasion: ScreenContext,
): Promise<ResolvedScreen & { surroundings: Surroundings }> {
  const surroundings = await surroundingsOf(ctx, occasion)
  const catalogue = await allFields(ctx)
  const candidates = await allScreens(ctx)
  const step = surroundings.steps.find(each => each.id === occasion.stepId)
  const ofStep = candidates.find(each => each.id === step?.screenId?.toLowerCase() && each.active)
  const chosen = ofStep ?? chooseScreen(candidates, occasion)
  const shown = shownFields(surroundings, catalogue, occasion.stepId)
  const sections: ScreenSection[] = chosen
    ? sectionsOf(chosen)
    : generatedSections(occasion.moment, shown, isOnScreens).map(each => ({
        ...each,
        fields: each.fields.map(one => ({ ...one, visibleIf: [] })),
      }))
  const there = new Map(shown.map(each => [each.fieldId, each]))
  const { containerId, processId, moment, stepId } = occasion
  return {
    screenId: chosen?.id ?? '',
    name: chosen?.name ?? '',
    moment,
    stepId,
    containerId,
    processId,
    sections: await Promise.all(
      sections.map(async each => {
        const places = each.fields.flatMap(one => described(one, catalogue, there))
        return { ...each, fields: moment === momentCodes.portal ? await requestForm(ctx, containerId, places) : places }
      }),
    ),
    surroundings,
  }
}

const isOnScreens = (name: string) => isUsableFor('screen', name)

/** Completes a place with the requirements of the process; a field that the container lacks is left out. */
function described(
  place: ScreenPlace,
  catalogue: ReadonlyMap<string, Field>,
  there: ReadonlyMap<string, ScreenField>,
): ResolvedPlace[] {
  const field = isOnScreens(place.fieldId) ? undefined : catalogue.get(place.fieldId)
  const fieldId = field?.id ?? place.fieldId
  const required = place.required || (there.get(fieldId)?.required ?? false)
  if (isOnScreens(place.fieldId))
    return [{ ...place, required, key: fieldId, name: spelledOut(fieldId), fieldType: '', core: true }]
  if (!field || !there.has(fieldId)) return []
  const { key, name, fieldType, prompt, multiple } = field
  const described = { key, name, fieldType, prompt, multiple, options: activeOptions(field) }
  return [{ ...place, required, fieldId, ...described, core: false }]
}

/** The options that can be chosen, in their order. */
function activeOptions({ options }: Field): NonNullable<ResolvedPlace['options']> {
  return options
    .filter(({ active = true }) => active)
    .toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
    .map(({ id = '', label = '', color = '', parentId = '' }) => ({ id, label, color, parentId }))
}

/** Requesters fill in custom fields and a few properties; others are shown on the form of a desk, and read-only. */
async function requestForm(ctx: Context, containerId: string, places: readonly ResolvedPlace[]) {
  const shown = places.map(each => (each.core && !isRequestable(each.fieldId) ? { ...each, readOnly: true } : each))
  return await withLabelOptions(ctx, containerId, shown)
}

/** `dueDate` → `Due date`, `crmId` → `Crm`. */
function spelledOut(property: string): string {
  const words = property
    .replace(/Id$/, '')
    .replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The shown fields by their id, with the requirements of the process. */
function shownFields(
  { fields: named }: Surroundings,
  catalogue: ReadonlyMap<string, Field>,
  stepId: string,
): ScreenField[] {
  if (!named) {
    const forItems = [...new Set(catalogue.values())].filter(each => each.usage.length === 0 || each.usage.includes(0))
    return forItems.map(({ id, placement }) => ({ fieldId: id, required: false, placement }))
  }
  return named.flatMap(({ fieldId, required, requiredAt = [] }) => {
    const field = isOnScreens(fieldId) ? undefined : catalogue.get(fieldId)
    if (!field && !isOnScreens(fieldId)) return []
    const demanded = required || (stepId !== '' && requiredAt.includes(stepId))
    return [{ fieldId: field?.id ?? fieldId, required: demanded, placement: field?.placement ?? [] }]
  })
}

/** The process decides which fields there are; without one, all processes of the container do. */
async function surroundingsOf(ctx: Context, { containerId, processId }: ScreenContext): Promise<Surroundings> {
  const { tenantId } = ctx.caller
  const [row] = await ctx.sql<{
    own: ProcessField[] | null
    all: ProcessField[] | null
    steps: WorkflowStep[] | null
  }>`select
      (select p.fields from process p where p.tenant_id = ${tenantId} and p.id = ${processId || null}::uuid and not p.deleted) as own,
      (select p.workflow from process p where p.tenant_id = ${tenantId} and p.id = ${processId || null}::uuid and not p.deleted) as steps,
      (select case when c.process_ids = '{}' then null else c.fields end from container c where c.tenant_id = ${tenantId} and c.id = ${containerId || null}::uuid) as all`
  const ordered = (row?.own ?? row?.all)?.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
  return { fields: ordered, steps: row?.steps ?? [] }
}

/** Each field under its id and its key. */
async function allFields(ctx: Context): Promise<ReadonlyMap<string, Field>> {
  const t = raw('t')
  const found = await remembered(ctx, 'screen fields', async () => {
    const rows = await ctx.sql<{ json: string }>`select ${fields.json(t)} as json from field t
      where t.tenant_id = ${ctx.caller.tenantId} and not t.deleted order by t.id`
    const all: Field[] = rows.map(row => JSON.parse(row.json))
    return new Map([...all.map(each => [each.key, each] as const), ...all.map(each => [each.id, each] as const)])
  })
  return found ?? new Map()
}

async function allScreens(ctx: Context): Promise<readonly Screen[]> {
  const t = raw('t')
  const found = await remembered(ctx, 'screens', async () => {
    const rows = await ctx.sql<{ json: string }>`select ${screens.json(t)} as json from screen t
      where t.tenant_id = ${ctx.caller.tenantId} and not t.deleted and t.active order by t.id`
    return rows.map((row): Screen => JSON.parse(row.json))
  })
  return found ?? []
}
