import { isDeepStrictEqual } from 'node:util'
import { containerKind } from '../../containers/container-kind.ts'
import { refuseClosedPortal } from '../../containers/container-portal.ts'
import { momentCodes } from '../../containers/screen/screen.ts'
import { type ResolvedPlace, resolveScreen } from '../../containers/screen-resolution/screen-resolution.ts'
import { customerOfPerson } from '../../finance/crm/crm.ts'
import { type Caller, may, members, narrowedTo } from '../../kernel/access.ts'
import type { Place } from '../../kernel/access-rule.ts'
import type { Context } from '../../kernel/context.ts'
import { type Fault, fault, Refusal, RuleBroken } from '../../kernel/refusal.ts'
import type { ContainerPlace } from '../container-place.ts'
import { items } from '../item/item.ts'
import type { FieldInput, ItemInput, ItemPatch } from '../item-body/item-body.ts'
import { itemSource } from '../item-codes.ts'

// Requesters create items on service desks only, in their own name, and set what the request form of the desk has: its
// screen for the portal. Everything else is the desk's own business.

/** Whether the caller creates items at this place as a requester, and not as a member of staff. */
export function isRequesterAt(caller: Caller, place: Place): boolean {
  return !may(caller, narrowedTo(members, items.permissions.create), place)
}

/** The code of the refusal of properties that the request form does not have. */
const notOnForm = 'not-on-request-form'

/** Returns the request of a requester, or refuses all that the form of the desk does not have. */
export async function readRequest(
  ctx: Context,
  place: ContainerPlace,
  { patch, others = [] }: ItemInput,
): Promise<ItemPatch> {
  if (place.kind !== containerKind.desk)
    throw new RuleBroken('not-a-desk', 'requesters create items on service desks', [
      fault(['containerId'], 'not-a-desk', 'is not a service desk (kind 1)', patch.containerId ?? ''),
    ])
  const set: ItemPatch = { ...(await requesterOf(ctx)), source: itemSource.portal }
  refuseClosedPortal(place, patch.processId || place.defaultProcessId || '')
  const processes = [...place.processIds, place.defaultProcessId ?? '', '']
  const form = await formOf(ctx, place, patch.processId || place.defaultProcessId || '')
  const allows: Readonly<Record<string, (value: unknown) => boolean>> = {
    title: () => true,
    containerId: () => true,
    processId: value => processes.includes(String(value ?? '')),
    requesterId: value => value === set.requesterId,
    source: value => value === set.source,
    Field: () => true, // each value is checked by itself
  }
  const beyond = Object.entries(patch)
    .filter(([property]) => !(property === 'Meta' && isCollected(patch, others)))
    .filter(([property, value]) => !(allows[property]?.(value) ?? (isOn(form, property) || isDefault(property, value))))
  const faults = [
    ...[...beyond.map(([property]) => property), ...others].map(property => refused([property])),
    ...(patch.Field ?? []).flatMap((given, i) => (isOn(form, nameOf(given)) ? [] : [refused(['Field', i])])),
  ]
  if (faults.length > 0)
    throw new Refusal(403, notOnForm, 'requesters set what the request form of the desk has', { faults })
  return { ...patch, ...set }
}

/** Whose request it is: that of the caller and their customer. A visitor is nobody whom an item could name. */
async function requesterOf(ctx: Context): Promise<ItemPatch> {
  if (ctx.caller.kind === 'guest') return {}
  const crmId = await customerOfPerson(ctx, { userId: ctx.caller.userId })
  return { requesterId: ctx.caller.userId, ...(crmId ? { crmId } : {}) }
}

/** Whether a form sends the property empty. */
function isDefault(property: string, value: unknown): boolean {
  if (value === null || (Array.isArray(value) && value.length === 0)) return true
  return isDeepStrictEqual(value, Reflect.get(items.completed({}), property))
}

function refused(path: readonly (string | number)[]): Fault {
  return fault(path, notOnForm, 'is not on the request form of the desk')
}

/** The fields that a requester fills in. */
async function formOf(ctx: Context, place: ContainerPlace, processId: string): Promise<ResolvedPlace[]> {
  const { sections } = await resolveScreen(ctx, {
    containerId: place.id,
    processId,
    moment: momentCodes.portal,
    stepId: '',
    groups: ctx.caller.authority.groups,
  })
  return sections.flatMap(({ fields }) => fields).filter(({ readOnly }) => !readOnly)
}

function isOn(form: readonly ResolvedPlace[], called: string): boolean {
  const name = called.toLowerCase()
  return form.some(({ fieldId, key, name: label, core }) =>
    core ? fieldId === called : [fieldId, key.toLowerCase(), label.toLowerCase()].includes(name),
  )
}

const nameOf = ({ fieldId, key, name }: FieldInput) => fieldId ?? key ?? name ?? ''

/** Whether `Meta` holds nothing but the unknown properties, which are refused by their own names. */
function isCollected({ Meta: meta }: ItemPatch, others: readonly string[]): boolean {
  return Object.keys(meta ?? {}).every(each => others.includes(each)) && others.length > 0
}
