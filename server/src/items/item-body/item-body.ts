import { Type } from 'typebox'
import { rateLimits } from '../../admin/rate/rate.ts'
import { serviceProperties, type WrittenProperty } from '../../containers/item-property/item-property.ts'
import { priorities } from '../../containers/item-property/priority.ts'
import { statusCategories } from '../../containers/status-category.ts'
import type { Id } from '../../kernel/id.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { commonNames, type Reader, type ReadOptions, reader, type Schema } from '../../kernel/schema/shape.ts'
import {
  AnyJson,
  Count,
  Instant,
  LocalDate,
  LongText,
  Name,
  Parts,
  Ref,
  Refs,
  Text,
  Texts,
} from '../../kernel/schema/values.ts'
import { OptionalMoney } from '../../language/money.ts'
import { Code } from '../../records/code-table.ts'
import { withOwnId } from '../../records/input/own-id.ts'
import { shownOfTime } from '../../time/time.ts'
import { maxMinutes, maxSeconds } from '../../time/time-entry.ts'
import { itemSeverities, itemSource, itemSources, itemVisibilities, schedulingModes } from '../item-codes.ts'

/** The properties that are stored as given. */
export const plainShape = {
  containerId: Ref('Container'),
  areaId: Ref('Area'),
  processId: Ref('Process'),
  title: Name(500),
  description: LongText(200_000),
  status: Text(120, { 'x-folded': true }),
  statusCategory: Code(statusCategories),
  priority: Code(priorities),
  severity: Code(itemSeverities),
  resolution: Text(120, { 'x-folded': true }),
  assignees: Refs('User', 50),
  requesterId: Ref('User'),
  crmId: Ref('Crm'),
  parentId: Ref('Item'),
  cycleId: Ref('Cycle'),
  startDate: LocalDate,
  dueDate: LocalDate,
  scheduling: Code(schedulingModes, {
    description:
      '0 moved by links to later days only · 1 automatic: also to earlier days, and with its children · 2 fixed.',
  }),
  startNoEarlier: LocalDate,
  estimateMinutes: Count(),
  remainingMinutes: Count(),
  points: Type.Number({ minimum: 0, maximum: 1_000_000 }),
  progress: Count(100),
  archived: Type.Boolean({
    description: 'An archived item is closed and read-only: it can be read and found, but not changed.',
  }),
  visibility: Code(itemVisibilities),
  restrictedTo: Refs('UserGroup', 100),
  source: Code(itemSources, { default: itemSource.api }),
  labels: Refs('Label', 100),
  Meta: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    description:
      'Metadata, stored as given. A second creation with the same `source` and `externalId` updates the item.',
  }),
} satisfies Record<WrittenProperty, Type.TSchema>

const fieldPart = { fieldId: Text(60), key: Text(60), name: Text(200), value: AnyJson }

const timePart = {
  externalId: Text(200),
  userId: Text(36),
  email: Text(254),
  date: LocalDate,
  start: Instant,
  end: Instant,
  seconds: Count(maxSeconds),
  minutes: Count(maxMinutes),
  hours: Type.Number({ minimum: 0, maximum: maxMinutes / 60 }),
  billable: Type.Unsafe<boolean | number>({
    type: ['boolean', 'integer'],
    description: '0 or false: no; 1 or true: yes; 2: the default of the container',
  }),
  nonBillable: Text(120),
  note: LongText(10_000),
  billRate: OptionalMoney({
    ...rateLimits,
    description: 'The price of an hour of this entry, instead of that of the rates; needs `rate.override`.',
  }),
  reversesId: Text(36, { description: 'A counter-entry of an earlier reply, which is left alone.' }),
}

const embedded = {
  Tags: Texts(100, 100),
  Field: Parts(fieldPart, ['value'], 200),
  Time: Parts(nullable(timePart), [], 500),
}

export type FieldInput = Type.Static<typeof embedded.Field>[number]
export type TimeEntryInput = Type.Static<typeof embedded.Time>[number]
export type ItemPatch = Partial<Type.Static<Type.TObject<typeof plainShape>>> & {
  Tags?: string[] | null
  Field?: FieldInput[] | null
  Time?: TimeEntryInput[] | null
}

function nullable<P extends Record<string, Type.TSchema>>(properties: P): P {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, { ...schema, nullable: true }]),
  ) as unknown as P
}

function schemas(properties: Record<string, Type.TSchema>): Record<string, Schema> {
  return properties as unknown as Record<string, Schema>
}

function bodySchema(required: string[]): Schema {
  const properties: Record<string, Schema> = { ...schemas(nullable(plainShape)), ...schemas(embedded) }
  Object.assign(properties, schemas({ title: plainShape.title }))
  for (const each of ['Tags', 'Field', 'Time']) properties[each] = { ...properties[each], nullable: true }
  return { type: 'object', properties, required }
}

export const createSchema = withOwnId(bodySchema(['title']))
export const updateSchema = bodySchema([])
const shownOnly = [...serviceProperties, 'spentMinutes', 'warnings', 'descriptionHtml']
const readCreate: Reader<ItemPatch & OwnId> = reader(createSchema, { ignored: shownOnly })
const readUpdate: Reader<ItemPatch & OwnId> = reader(updateSchema, { ignored: shownOnly })

interface OwnId {
  id?: Id | null
}

/** A parsed body with the warnings about unknown properties. */
export interface ItemInput {
  patch: ItemPatch
  /** The id of a new item, if the client has made one. */
  id?: Id | null | undefined
  warnings: string[]
  /** The names of given properties that are not the item's own: unknown ones, and those of its ticket. */
  others?: readonly string[]
  /** The properties that the caller gave, if the others are carried over from another item. */
  setByCaller?: readonly string[]
  /** Triggers rules, hooks and notifications even if the item is backdated. */
  effects?: boolean
}

export const effectsQuery = {
  effects: {
    type: 'string',
    enum: ['all'],
    description:
      'Backdated changes (`Meta.created`, `Meta.updated`) are written to the event log but trigger no rules, webhooks or notifications; with `all` they do.',
  },
} as const

const limits = { metaBytes: 64 * 1024 }

/**
 * Reads an item's body. Importers send the names that they have, so names are case-insensitive and may end with `[]`,
 * and `name` means `title`. Unknown properties are stored under `Meta` and reported as warnings, so nothing is lost; a
 * strict request is refused instead.
 */
export function readItem(body: unknown, fresh: boolean, { strict = false }: ReadOptions = {}): ItemInput {
  const warnings: string[] = []
  const kept: Record<string, unknown> = {}
  const { id, ...patch } = (fresh ? readCreate : readUpdate)(renamed(body), {
    strict,
    collect(name, value) {
      kept[name] = value
      warnings.push(`${name} is not a property of an item; it is stored as Meta.${name}`)
    },
  })
  if (warnings.length > 0) patch.Meta = { ...kept, ...patch.Meta }
  if (patch.Meta && JSON.stringify(patch.Meta).length > limits.metaBytes)
    throw new Refusal(413, 'too-large', `Meta holds more than ${limits.metaBytes} bytes`)
  return { patch, id, warnings, others: Object.keys(kept) }
}

/** Removes a `screen` that was part of an earlier reply; another value by that name is kept. */
function withoutScreen(body: object): [string, unknown][] {
  return Object.entries(body).filter(
    ([key, value]) => !(key === 'screen' && value !== null && typeof value === 'object' && 'sections' in value),
  )
}

/** `Time[]` is Time, and `name` is title if there is no title. */
function renamed(body: unknown): unknown {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return body
  const hasTitle = Object.keys(body).some(key => key.toLowerCase() === 'title')
  return Object.fromEntries(
    withoutScreen(body).map(([key, value]) => {
      const plain = /^(time|field|tags|meta)\[\]$/i.test(key) ? key.slice(0, -2) : key
      if (plain.toLowerCase() === 'time' && Array.isArray(value)) return [plain, value.map(withoutShown)]
      return [!hasTitle && plain.toLowerCase() === 'name' ? 'title' : plain, value]
    }),
  )
}

const ofBooking = ['itemId', 'state', 'jobRoleId', 'skuId', 'budgetReasonId', 'billRate', 'costCenterId']
const ignoredOfTime = new Set<string>([...commonNames, ...ofBooking, ...shownOfTime])

/** Reduces a time entry of an earlier reply to its writable properties. */
function withoutShown(entry: unknown): unknown {
  if (entry === null || typeof entry !== 'object' || Reflect.get(entry, 'entity') !== 'Time') return entry
  // A counter-entry has a negative length, which only a correction books.
  const reversesId: unknown = Reflect.get(entry, 'reversesId')
  if (typeof reversesId === 'string' && reversesId !== '') return { reversesId }
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !ignoredOfTime.has(key)))
}

/** The schema of custom values and time entries in replies. */
export const shownFieldSchema: Schema = {
  type: 'object',
  properties: { fieldId: { type: 'string' }, key: { type: 'string' }, value: {} },
  required: ['fieldId', 'key', 'value'],
}
