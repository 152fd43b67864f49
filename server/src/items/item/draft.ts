import { type Field, fields } from '../../containers/field/field.ts'
import { defaultOf, type FieldValue, readFieldValue } from '../../containers/field/field-value.ts'
import { demand, may, seesContainer } from '../../kernel/access.ts'
import type { Context } from '../../kernel/database.ts'
import { isDate, isInstant } from '../../kernel/formats.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { type Fault, fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { name, raw } from '../../kernel/sql.ts'
import { demandFor, othersTime } from '../../time/time.ts'
import { readTimeSpan, type TimeSpan } from '../../time/time-entry.ts'
import { backdating } from './item.ts'
import type { FieldWish, ItemWish, TimeEntryWish } from './item-body.ts'
import { remembered } from './memory.ts'

export interface ContainerPlace {
  id: Id
  key: string
  archived: boolean
  defaultProcessId: Id | null
  fieldIds: string[] | null
}

export interface ReadField {
  field: Field
  value: FieldValue
}

export interface ReadTime extends TimeSpan {
  userId: Id
  nonBillable: Id | null
  note: string
  billable: number
  externalId: string
  timezone: string
}

/** The container of a new item: the one that is named, else the tenant's inbox. */
export async function containerFor(ctx: Context, containerId: string | null | undefined): Promise<ContainerPlace> {
  const wanted = containerId?.toLowerCase() ?? ''
  const place =
    wanted !== '' && !isId(wanted)
      ? undefined
      : await remembered(ctx, `container ${wanted}`, () => loadContainer(ctx, wanted))
  if (!place || !seesContainer(ctx.caller, place.id))
    throw new RuleBroken('unknown-reference', 'the record points at something that is not there', [
      fault(['containerId'], 'unknown-reference', 'there is no such Container', containerId),
    ])
  if (place.archived)
    throw new RuleBroken('container-archived', 'an archived container takes no new items', [
      fault(['containerId'], 'container-archived', 'is archived'),
    ])
  return place
}

async function loadContainer(ctx: Context, id: string): Promise<ContainerPlace | undefined> {
  const [row] =
    await ctx.sql<ContainerPlace>`select c.id, c.key, c.archived, c.default_process_id as "defaultProcessId",
      case when c.process_ids = '{}' then null else coalesce((select array_agg(f ->> 'fieldId') from jsonb_array_elements(c.fields) f), '{}') end as "fieldIds"
    from container c where c.tenant_id = ${ctx.caller.tenantId} and not c.deleted and ${id === '' ? raw("c.key = 'INBOX'") : raw('true')} and (${id} = '' or c.id::text = ${id})`
  return row
}

/** Custom values: each finds its field by id, key or name, and is checked by it. */
export async function readFields(
  ctx: Context,
  wishes: readonly FieldWish[],
  at: ContainerPlace,
  warnings: string[],
): Promise<ReadField[]> {
  const known = await allFields(ctx)
  const faults: Fault[] = []
  const read = new Map<Id, ReadField>()
  for (const [i, wish] of wishes.entries()) {
    const named = wish.fieldId ?? wish.key ?? wish.name
    const field = named === undefined ? undefined : known.find(named)
    if (!field) {
      const which = ['fieldId', 'key', 'name'].find(each => each in wish) ?? 'fieldId'
      faults.push(
        named === undefined
          ? fault(['Field', i, which], 'required', 'is required: fieldId, key or name')
          : fault(['Field', i, which], 'unknown-reference', 'there is no such Field', named),
      )
      continue
    }
    const value = readFieldValue(field, wish.value ?? null)
    if ('code' in value) faults.push(fault(['Field', i, 'value'], value.code, value.message, wish.value))
    else read.set(field.id, { field, value })
    if (at.fieldIds && !at.fieldIds.includes(field.id) && !at.fieldIds.includes(field.key))
      warnings.push(`${field.key} is not a field of this container; its value is kept and not shown`)
  }
  if (faults.length > 0) throw new Invalid(faults)
  await refuseUnknownInFields(ctx, wishes, [...read.values()])
  return [...read.values()]
}

async function refuseUnknownInFields(
  ctx: Context,
  wishes: readonly FieldWish[],
  read: readonly ReadField[],
): Promise<void> {
  const faults: Fault[] = []
  for (const { field, value } of read) {
    for (const { entity, id } of value.references) {
      const there = await remembered(ctx, `${entity} ${id}`, async () => {
        const [row] =
          await ctx.sql`select 1 from ${name(entity === 'User' ? 'user' : entity)} where tenant_id = ${ctx.caller.tenantId} and id = ${id} and not deleted`
        return row
      })
      const i = wishes.findIndex(wish =>
        [field.id, field.key, field.name].includes(wish.fieldId ?? wish.key ?? wish.name ?? ''),
      )
      if (!there) faults.push(fault(['Field', i, 'value'], 'unknown-reference', `there is no such ${entity}`, id))
    }
  }
  if (faults.length > 0)
    throw new RuleBroken('unknown-reference', 'the record points at something that is not there', faults)
}

interface FieldCatalogue {
  find(named: string): Field | undefined
  defaults: ReadField[]
}

async function allFields(ctx: Context): Promise<FieldCatalogue> {
  const found = await remembered(ctx, 'fields', async () => {
    const t = raw('t')
    const rows = await ctx.sql<{
      json: string
    }>`select ${fields.json(t)} as json from field t where t.tenant_id = ${ctx.caller.tenantId} and not t.deleted`
    const all: Field[] = rows.map(row => JSON.parse(row.json))
    const byName = new Map([
      ...all.map(each => [each.name.toLowerCase(), each] as const),
      ...all.map(each => [each.key.toLowerCase(), each] as const),
      ...all.map(each => [each.id, each] as const),
    ])
    const defaults = all.flatMap(field => {
      const value = defaultOf(field)
      return value ? [{ field, value }] : []
    })
    return { find: (named: string) => byName.get(named.toLowerCase()), defaults }
  })
  return found ?? { find: () => undefined, defaults: [] }
}

/** What a new item's fields hold if nobody says anything: the defaults of the fields that its container has. */
export async function defaultFields(
  ctx: Context,
  at: ContainerPlace,
  given: readonly ReadField[],
): Promise<ReadField[]> {
  if (!at.fieldIds) return []
  const { defaults } = await allFields(ctx)
  return defaults.filter(
    ({ field }) =>
      (at.fieldIds?.includes(field.id) || at.fieldIds?.includes(field.key)) &&
      !given.some(each => each.field.id === field.id),
  )
}

/** Time entries inside an item: every fault is told with its place in the array. */
export async function readTimes(ctx: Context, wishes: readonly TimeEntryWish[], containerId: Id): Promise<ReadTime[]> {
  const faults: Fault[] = []
  const unknown: Fault[] = []
  const read: ReadTime[] = []
  for (const [i, wish] of wishes.entries()) {
    const user = await userFor(ctx, wish)
    const code = wish.nonBillable ? await codeFor(ctx, wish.nonBillable) : undefined
    if (!user)
      unknown.push(
        fault(
          ['Time', i, wish.userId ? 'userId' : 'email'],
          'unknown-reference',
          'there is no such User',
          wish.userId ?? wish.email,
        ),
      )
    if (wish.nonBillable && !code)
      unknown.push(
        fault(['Time', i, 'nonBillable'], 'unknown-reference', 'there is no such NonBillable', wish.nonBillable),
      )
    if (user && user.id !== ctx.caller.userId && !may(ctx.caller, othersTime, { containerId }))
      demandFor(ctx, user.id, containerId)
    const span = readTimeSpan(wish, { timezone: user?.timezone ?? 'UTC', now: ctx.now }, ['Time', i])
    if (Array.isArray(span)) faults.push(...span)
    else if (user) {
      read.push({
        ...span,
        userId: user.id,
        nonBillable: code ?? null,
        note: wish.note ?? '',
        billable: code ? 0 : billableCode(wish.billable),
        externalId: wish.externalId ?? '',
        timezone: user.timezone,
      })
    }
  }
  if (faults.length > 0) throw new Invalid([...faults, ...unknown])
  if (unknown.length > 0)
    throw new RuleBroken('unknown-reference', 'the record points at something that is not there', unknown)
  return read
}

function billableCode(given: boolean | number | null | undefined): number {
  if (typeof given === 'boolean') return given ? 1 : 0
  return given ?? 2
}

interface Somebody {
  id: Id
  timezone: string
}

async function userFor(ctx: Context, { userId, email }: TimeEntryWish): Promise<Somebody | undefined> {
  const wanted = (userId || email || ctx.caller.userId).toLowerCase()
  if (wanted === ctx.caller.userId) return { id: ctx.caller.userId, timezone: ctx.caller.timezone }
  return await remembered(ctx, `user ${wanted}`, async () => {
    const [row] =
      await ctx.sql<Somebody>`select u.id, coalesce(nullif(u.timezone, ''), nullif(t.timezone, ''), 'UTC') as timezone from "user" u join tenant t on t.tenant_id = u.tenant_id
      where u.tenant_id = ${ctx.caller.tenantId} and not u.deleted and ${isId(wanted) ? raw('u.id::text') : raw('lower(u.email)')} = ${wanted}`
    return row
  })
}

async function codeFor(ctx: Context, wanted: string): Promise<Id | undefined> {
  return await remembered(ctx, `non-billable ${wanted}`, async () => {
    const [row] = await ctx.sql<{
      id: Id
    }>`select id from non_billable where tenant_id = ${ctx.caller.tenantId} and not deleted and (id::text = ${wanted.toLowerCase()} or lower(code) = ${wanted.toLowerCase()})`
    return row?.id
  })
}

export interface Origin {
  externalSource: string | null
  externalId: string | null
  created: string | null
  createdBy: Id | null
  updated: string | null
}

/** Where the item comes from: what makes its creation repeatable, and for imports, when and by whom it was really made. */
export function readOrigin(ctx: Context, { Meta: meta }: ItemWish, at: { containerId: Id; areaId: Id | null }): Origin {
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
    createdBy: text('createdBy'),
    updated: instant('updated'),
  }
  if (faults.length > 0) throw new Invalid(faults)
  if (origin.created || origin.updated) demand(ctx.caller, backdating, at)
  return { ...origin, createdBy: null }
}
