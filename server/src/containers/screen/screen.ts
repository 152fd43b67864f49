import { Type } from 'typebox'
import { visibleContainers } from '../../identity/visibility.ts'
import { type Caller, everyone, may, type Permission } from '../../kernel/access.ts'
import type { Place } from '../../kernel/access-rule.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Expect, Finding, Stored, Values } from '../../kernel/record/record.ts'
import { refuseUnknown } from '../../kernel/record/references.ts'
import { type Fault, Forbidden, fault, Invalid } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Count, Name, Parts, Ref, Refs, Text } from '../../kernel/schema/values.ts'
import { type Sql, sql } from '../../kernel/sql.ts'
import { withConditionIds } from '../../language/conditions/condition-ids.ts'
import { ConditionGroups, operatorNames } from '../../language/conditions/conditions.ts'
import { Code } from '../../records/code-table.ts'
import { lockRecords, updateRecords } from '../../records/history/rewrite.ts'
import { complete, type Entry } from '../../records/input/entries.ts'
import type { Departed } from '../container-filter/container-filter.ts'
import { fieldsNamed, plainName } from '../fields-named.ts'
import { isUsableFor } from '../item-property/item-property.ts'
import { lastMoment, momentCodes, readMoment, screenMoments } from './screen-moment.ts'

export { momentCodes, momentQuery } from './screen-moment.ts'

const place = {
  fieldId: Text(60, { minLength: 1 }),
  width: Count(12),
  readOnly: Type.Boolean(),
  required: Type.Boolean(),
  visibleIf: ConditionGroups,
}

const section = {
  title: Text(200),
  columns: Count(12),
  fields: Parts(place, ['fieldId'], 200),
}

const shape = {
  name: Name(200),
  processId: Ref('Process'),
  containerId: Ref('Container'),
  moment: Code(screenMoments),
  stepId: Text(100),
  sections: Parts(section, [], 50),
  userGroup: Refs('UserGroup', 100),
  active: Type.Boolean({ default: true }),
}

export type Screen = Stored<typeof shape>
type ScreenValues = Values<typeof shape>
export type ScreenPlace = Entry<typeof place>
export interface ScreenSection {
  title: string
  columns: number
  fields: ScreenPlace[]
}

/** How the fields of an item are laid out for a moment. */
export const screens = resource('Screen', {
  about:
    'How the fields of an item are laid out for a moment: 0 all · 1 create · 2 edit · 3 view · 4 transition (to the step `stepId`) · 5 portal · 6 quick add. A screen can be restricted to a container, a process and groups; the most specific screen is used. Fields that no screen shows can still be written, except by requesters, who fill in the screen for the portal of a service desk.',
  shape,
  place: ({ containerId }): Place => ({ containerId }),
  visible: whatIsSeen,
  check: checkScreen,
  findings: inertParts,
  remembered: true,
  example: {
    name: 'New bug',
    moment: momentCodes.create,
    sections: [{ title: 'What happened', columns: 1, fields: [{ fieldId: 'title', required: true }] }],
  },
})

/** Everybody sees the screen on which they work; requesters see the one for the portal. */
export const seeOwnScreen: Permission = { ...screens.permissions.read, roles: everyone }

/** The moment that a query asks for: for requesters that of the portal, and no other. */
export function momentFor(caller: Caller, place: Place, query: Record<string, unknown>, usual: number) {
  if (may(caller, screens.permissions.read, place)) return readMoment(query, usual)
  const occasion = readMoment(query, momentCodes.portal)
  if (occasion.moment !== momentCodes.portal) throw new Forbidden('requesters see the screen for the portal (moment 5)')
  return occasion
}

/**
 * Screens of a container are visible to callers who see it; those of the tenant to callers with a role in the tenant.
 */
function whatIsSeen(caller: Caller, s: Sql): Sql {
  const inTenant = caller.authority.superAdmin || caller.authority.insider
  const ofContainer = visibleContainers(caller, sql`${s}.container_id`)
  return inTenant ? sql`(${s}.container_id is null or ${ofContainer})` : ofContainer
}

/** The sections with all defaults filled in. */
export function sectionsOf({ sections }: Pick<ScreenValues, 'sections'>): ScreenSection[] {
  return complete(section, sections).map(each => ({ ...each, fields: complete(place, each.fields) }))
}

const maxConditions = 50

async function checkScreen(ctx: Context, screen: ScreenValues, before: Screen | undefined): Promise<void> {
  const faults: Fault[] = []
  const sections = sectionsOf(screen)
  const places = sections.flatMap(({ fields }, s) =>
    fields.map((each, f) => ({ ...each, path: ['sections', s, 'fields', f, 'fieldId'] })),
  )
  const known = await fieldsNamed(
    ctx,
    places.map(each => each.fieldId),
  )
  const seen = new Set<string>()
  for (const { fieldId, path, visibleIf } of places) {
    const field = known.get(fieldId)?.id ?? fieldId
    if (seen.has(field)) faults.push(fault(path, 'duplicate', 'must not occur twice', fieldId))
    seen.add(field)
    if (visibleIf.reduce((sum, group) => sum + group.condition.length, 0) > maxConditions)
      faults.push(
        fault([...path.slice(0, -1), 'visibleIf'], 'maxItems', `must have at most ${maxConditions} conditions`),
      )
  }
  if (faults.length > 0) throw new Invalid(faults)
  // References that the stored record already has were checked when it was stored.
  const old = new Set(before ? sectionsOf(before).flatMap(each => each.fields.map(one => one.fieldId)) : [])
  await refuseUnknown(
    ctx,
    places
      .filter(({ fieldId }) => !isUsableFor('screen', fieldId) && !old.has(fieldId))
      .map(({ fieldId, path }) => ({ entity: 'Field', id: known.get(fieldId)?.id ?? fieldId, path })),
  )
}

/**
 * Findings for unknown codes and operators. The paths of conditions are checked in `items`, when the screen of an item
 * is read.
 */
function inertParts(screen: Screen): Finding[] {
  const found: Finding[] = []
  if (screen.moment < 0 || screen.moment > lastMoment)
    found.push({ path: '/moment', code: 'unknown-code', message: `${screen.moment} is not a known code` })
  for (const [s, { fields }] of sectionsOf(screen).entries())
    for (const [f, { visibleIf }] of fields.entries())
      for (const [g, { condition }] of visibleIf.entries())
        for (const [c, { operator }] of condition.entries())
          if (!operatorNames[operator]) {
            const path = `/sections/${s}/fields/${f}/visibleIf/${g}/condition/${c}/operator`
            found.push({ path, code: 'unknown-operator', message: 'is not a known operator' })
          }
  return found
}

export async function createScreen(ctx: Context, values: Partial<ScreenValues>): Promise<Screen> {
  return await screens.create(ctx, tidied(values))
}

export async function changeScreen(
  ctx: Context,
  id: Id,
  values: Partial<ScreenValues>,
  more: { expect?: Expect },
): Promise<Screen> {
  return await screens.update(ctx, id, tidied(values), more)
}

function tidied(values: Partial<ScreenValues>): Partial<ScreenValues> {
  if (!values.sections) return values
  const sections = sectionsOf({ sections: values.sections }).map(each => ({
    ...each,
    fields: each.fields.map(one => ({
      ...one,
      fieldId: plainName(one.fieldId),
      visibleIf: withConditionIds(one.visibleIf),
    })),
  }))
  return { ...values, sections }
}

/**
 * Removes fields that a container no longer shows from its own screens. Screens that also apply to other containers
 * keep them: where a container lacks a field, the screen is shown without it.
 */
export async function forgetFields(ctx: Context, departed: Departed): Promise<number> {
  const all = await lockRecords(ctx, screens, sql`t.container_id = any(${[...departed.keys()]}::uuid[])`)
  return await updateRecords(
    ctx,
    screens,
    all.map(screen => {
      const gone = new Set(departed.get(screen.containerId))
      const sections = sectionsOf(screen).map(each => ({
        ...each,
        fields: each.fields.filter(({ fieldId }) => !gone.has(fieldId)),
      }))
      return [screen, { sections }]
    }),
  )
}
