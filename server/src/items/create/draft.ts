import { type Caller, demand } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { refuseUnknownReferences } from '../../kernel/record/references.ts'
import { type Fault, fault, Invalid, idTaken } from '../../kernel/refusal.ts'
import { isDate, isInstant } from '../../kernel/schema/formats.ts'
import { isUsed } from '../../records/input/own-id.ts'
import { refuseTooDeep } from '../../records/tree.ts'
import { refuseOpenArchived } from '../archive/archive.ts'
import { type ContainerPlace, containerFor } from '../container-place.ts'
import { refuseUnwritable } from '../fields/field-rights.ts'
import { defaultFields, type ReadField, readFields } from '../fields/fields.ts'
import { areaOfNew } from '../item/area-place.ts'
import { refuseBackwards } from '../item/date-order.ts'
import { backdating, items } from '../item/item.ts'
import type { ItemInput, ItemPatch } from '../item-body/item-body.ts'
import { readLabels } from '../item-body/item-labels.ts'
import { type ReadTime, readTimes } from '../item-body/time-input.ts'
import {
  cannotBeAsked,
  refuseInvalidStart,
  withDefaultFields,
  withProcessDefaults,
} from '../item-process/initial-values.ts'
import { categoryIn, fieldSetOf, processOf } from '../item-process/item-process.ts'
import { withFieldSpelling, withStateSpelling } from '../item-process/state-spelling.ts'
import { statusChange } from '../status.ts'
import { isRequesterAt, readRequest } from './request-form.ts'

/** A new item whose content is checked and ready to be stored. */
export interface Draft {
  id: Id
  place: ContainerPlace
  values: Record<string, unknown>
  /** The names of its labels. */
  tags: string[]
  fields: ReadField[]
  times: ReadTime[]
  origin: Origin
  /** The actor kind of its events. */
  actorKind: Caller['kind']
  warnings: string[]
}

/** Checks a body against the tenant: its container, references, custom values, time. Stores nothing. */
export async function draftItem(ctx: Context, input: ItemInput): Promise<Draft> {
  const { patch: given, warnings, effects = false } = input
  const place = await containerFor(ctx, given.containerId)
  const areaId = given.areaId || null
  const at = { containerId: place.id, areaId }
  demand(ctx.caller, items.permissions.create, at)
  const patch = isRequesterAt(ctx.caller, at) ? await readRequest(ctx, place, input) : given
  const processId = patch.processId || place.defaultProcessId || ''
  const process = await processOf(ctx, processId)
  const wanted = withStateSpelling(process, withProcessDefaults(process, patch))
  const { Field = [], Time = [], ...plain } = wanted
  const nobody = plain.assignees === undefined || plain.assignees === null || plain.assignees.length === 0
  const inArea = areaId ? await areaOfNew(ctx, areaId, place.id) : undefined
  const values = items.completed({
    ...plain,
    ...(nobody ? inArea : undefined),
    containerId: place.id,
    processId,
    ...statusChange(ctx.now, wanted, undefined, status => categoryIn(process, status)),
  })
  const references = { ...values, containerId: '', processId: patch.processId ?? '' } // these two are known already
  await refuseUnknownReferences(ctx, items.columns, references, undefined)
  if (plain.parentId) await refuseTooDeep(ctx, items, plain.parentId.toLowerCase())
  refuseBackwards(values)
  refuseOpenArchived(values)
  // Nobody can be asked about the values of a copy, a mail or an import: they are kept.
  const isKept = input.setByCaller?.includes('Field') === false || cannotBeAsked.includes(values.source)
  const setOf = async (afresh = false) => {
    const set = fieldSetOf(place, await processOf(ctx, processId, afresh))
    return isKept ? { ...set, isClosed: false } : set
  }
  const said = withFieldSpelling(process, await readFields(ctx, Field ?? [], { setOf }, warnings))
  const custom = withDefaultFields(process, said)
  const fields = [...custom, ...(place.fieldIds ? await defaultFields(ctx, fieldSetOf(place, process), custom) : [])]
  // Defaults are the words of the process, so they are written for those who may not write them.
  const written = input.setByCaller ?? [...Object.keys(given), ...said.map(({ field }) => `Field.${field.id}`)]
  await refuseUnwritable(ctx, { place: at, values }, written)
  const start = wanted.Tags?.length ? { ...values, labels: wanted.Tags } : values
  await refuseInvalidStart(ctx, start, fields, warnings)
  const times = await readTimes(ctx, Time ?? [], place.id)
  const origin = readOrigin(ctx, patch, at)
  const id = await idOfDraft(ctx, input.id, origin)
  // Last, because this creates labels for new names, and a refused item must not leave one behind.
  const labels = (await readLabels(ctx, wanted, { containerId: place.id }, warnings)) ?? []
  return {
    id,
    place,
    values: { ...values, labels: labels.map(each => each.id) },
    tags: labels.map(each => each.name),
    fields,
    times,
    origin,
    actorKind: isBackdated(origin) && !effects ? 'import' : ctx.caller.kind,
    warnings,
  }
}

/** The id that the client has made. An item of the same origin is updated instead, whatever id it has. */
async function idOfDraft(
  ctx: Context,
  own: Id | null | undefined,
  { externalSource, externalId }: Origin,
): Promise<Id> {
  if (!own) return newId()
  const id = own.toLowerCase()
  if (!(await isUsed(ctx, id))) return id
  const [known] =
    externalId === null
      ? []
      : await ctx.sql`select 1 from item where tenant_id = ${ctx.caller.tenantId} and external_source = ${externalSource} and external_id = ${externalId}`
  if (!known) throw idTaken(id)
  return newId()
}

interface Origin {
  externalSource: string | null
  externalId: string | null
  created: string | null
  updated: string | null
}

/**
 * Reads the origin of an item: the external id that makes its creation idempotent and, for imports, its original
 * timestamps.
 */
function readOrigin(ctx: Context, { Meta: meta }: ItemPatch, at: { containerId: Id; areaId: Id | null }): Origin {
  const faults: Fault[] = []
  const text = (key: string) => {
    const value = meta?.[key]
    if (value === undefined || value === null || value === '') return null
    if (typeof value === 'string' && value.length <= 200) return value
    if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
    faults.push(fault(['Meta', key], 'type', 'must be a string of at most 200 characters', value))
    return null
  }
  const instant = (key: string) => {
    const value = text(key)
    if (value === null) return null
    if (isDate(value)) return `${value}T00:00:00.000Z`
    if (isInstant(value)) return new Date(value).toISOString()
    faults.push(fault(['Meta', key], 'date-time', 'must be an ISO 8601 date-time', value))
    return null
  }
  const externalId = text('externalId')
  const origin = {
    externalId,
    externalSource: externalId === null ? null : (text('source') ?? ''),
    created: instant('created'),
    updated: instant('updated'),
  }
  if (faults.length > 0) throw new Invalid(faults)
  if (isBackdated(origin)) demand(ctx.caller, backdating, at)
  return origin
}

const isBackdated = ({ created, updated }: Origin) => created !== null || updated !== null
