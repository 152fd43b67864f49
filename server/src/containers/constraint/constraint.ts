import { Type } from 'typebox'
import { ownerVisible } from '../../documents/visibility.ts'
import { seesEverything } from '../../identity/visibility.ts'
import type { Caller } from '../../kernel/access.ts'
import type { Place } from '../../kernel/access-rule.ts'
import type { Context } from '../../kernel/context.ts'
import { check, create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Id } from '../../kernel/id.ts'
import { remembered } from '../../kernel/memory.ts'
import type { Routes } from '../../kernel/operation.ts'
import type { Expect, Finding, Stored, Values } from '../../kernel/record/record.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { AnyJson, LongText, Name, Parts, Text } from '../../kernel/schema/values.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
import { withConditionIds } from '../../language/conditions/condition-ids.ts'
import { ConditionGroups, operator } from '../../language/conditions/conditions.ts'
import { Code, Codes, codeTableOfCodes, codeTableOfList } from '../../records/code-table.ts'
import { history } from '../../records/history/history.ts'
import { complete, type Entry } from '../../records/input/entries.ts'
import { recordOf } from '../../records/references/keys-of.ts'
import { ownerKind, owners, refuseUnknownOwner } from '../../records/references/owner.ts'
import { daysIn, minutesIn, severities } from '../../time/time-limits.ts'
import { type Field, fields } from '../field/field.ts'
import { ownProperties } from '../item-property/item-property.ts'

/** The kinds of demands; the index in this list is the code. Append only. */
export const demandKinds = [
  'required',
  'readOnly',
  'hidden',
  'allowed',
  'pattern',
  'unique',
  'limit',
  'noOverlap',
  'maximum',
  'order',
  'immutable',
  'notAfter',
] as const
export const demandKindTable = codeTableOfList('constraint.then.kind', demandKinds)

const demand = { kind: Code(demandKindTable), field: Text(200), value: AnyJson }

/** The codes of `enforceOn`: the ways in which items are written. */
export const writeChannel = { ui: 0, api: 1, import: 2, rule: 3 } as const

const shape = {
  name: Name(200),
  description: LongText(10_000),
  owner: Code(owners),
  ownerId: Text(100),
  active: Type.Boolean({ default: true }),
  when: ConditionGroups,
  then: Parts(demand, [], 50),
  message: Text(1000),
  severity: Code(codeTableOfCodes('constraint.severity', severities)),
  enforceOn: Codes(codeTableOfCodes('constraint.enforceOn', writeChannel), 20),
}

export type Constraint = Stored<typeof shape>
export type ConstraintValues = Values<typeof shape>
export type Demand = Entry<typeof demand>

export type DemandKind = (typeof demandKinds)[number]

/** The code of each kind of demand: `demandCode.unique`. */
export const demandCode = recordOf(demandKinds, (_name, code) => code)

/** A constraint on items: where its conditions hold, its demands must hold, whoever writes the item. */
export const constraints = resource('Constraint', {
  about:
    'A constraint on items, whoever writes them and however: if `when` holds for an item, each entry of `then` must hold, too. `kind`: 0 required · 1 read-only · 2 hidden · 3 allowed values · 4 pattern or range · 5 unique · 6 limit · 7 no overlap · 8 maximum per period · 9 order of dates · 10 immutable after a state · 11 no time entries later than `value` days after the user’s today. `severity` 0 refuses, 1 warns.',
  shape,
  place: placeOf,
  visible: whatIsSeen,
  check: checkConstraint,
  findings: inertParts,
  remembered: true,
  example: {
    name: 'Urgent work has a date',
    when: [{ condition: [{ leftSide: 'priority', operator: operator.equals, rightSide: '1' }] }],
    then: [{ kind: demandCode.required, field: 'dueDate' }],
    message: 'Urgent work needs a due date',
  },
})

function placeOf({ owner, ownerId }: ConstraintValues): Place {
  return {
    containerId: owner === ownerKind.container ? ownerId : null,
    areaId: owner === ownerKind.area ? ownerId : null,
  }
}

/** A constraint is visible to callers who see its owner; one of the tenant is visible to its staff. */
function whatIsSeen(caller: Caller, c: Sql): Sql {
  if (seesEverything(caller.authority)) return raw('true')
  return ownerVisible(caller, { owner: sql`${c}.owner`, ownerId: sql`${c}.owner_id` }, { deleted: true })
}

const maxConditions = 50

async function checkConstraint(
  ctx: Context,
  constraint: ConstraintValues,
  before: Constraint | undefined,
): Promise<void> {
  if (constraint.when.reduce((sum, group) => sum + group.condition.length, 0) > maxConditions)
    throw new Invalid([fault(['when'], 'maxItems', `must have at most ${maxConditions} conditions in total`)])
  await refuseUnknownOwner(ctx, constraint, before)
}

/** The scope of a constraint by its owner code. */
export const scopes: Readonly<Record<number, 'tenant' | 'container' | 'area' | 'item' | 'crm' | 'process'>> = {
  [ownerKind.tenant]: 'tenant',
  [ownerKind.container]: 'container',
  [ownerKind.area]: 'area',
  [ownerKind.item]: 'item',
  [ownerKind.crm]: 'crm',
  [ownerKind.process]: 'process',
}

/** Findings for parts without effect. What depends on the items, a trial reports. */
async function inertParts(constraint: ConstraintValues, ctx: Context): Promise<Finding[]> {
  const found: Finding[] = []
  const inert = (path: string, code: string, message: string) => found.push({ path, code, message })
  if (!scopes[constraint.owner])
    inert('/owner', 'unknown-code', 'is not the code of a record to which a constraint can belong')
  if (!Object.values<number>(severities).includes(constraint.severity))
    inert('/severity', 'unknown-code', 'must be 0 (refuses) or 1 (warns)')
  for (const [i, code] of constraint.enforceOn.entries())
    if (!Object.values<number>(writeChannel).includes(code))
      inert(`/enforceOn/${i}`, 'unknown-code', `${code} is not a known code`)
  const containerIds = constraint.owner === ownerKind.container ? [constraint.ownerId] : []
  found.push(...(await ctx.services.conditionFindings(ctx, constraint.when, { containerIds, at: '/when' })))
  const named = await fieldNames(ctx)
  for (const [i, { kind: code, field, value }] of demandsOf(constraint).entries()) {
    const asked = demandKinds[code]
    if (!asked) inert(`/then/${i}/kind`, 'unknown-code', `${code} is not a known code`)
    else if (asked === 'limit') {
      if (limitOf(value) === undefined)
        inert(`/then/${i}/value`, 'unreadable-value', 'must be a number, or {"limit": …}')
    } else if (asked === 'noOverlap' || asked === 'maximum' || asked === 'notAfter') {
      if (constraint.when.length > 0)
        inert(`/then/${i}`, 'inert', 'has no effect: conditions apply to items, and this limits time entries')
      if (constraint.owner > ownerKind.container)
        inert(
          `/then/${i}`,
          'inert',
          'has no effect: a limit of time entries must belong to the tenant or to a container',
        )
      if (asked === 'maximum' && minutesIn(value) === undefined)
        inert(`/then/${i}/value`, 'unreadable-value', 'must be a number of minutes, or {"minutes": …, "per": "day"}')
      if (asked === 'notAfter' && daysIn(value) === undefined)
        inert(`/then/${i}/value`, 'unreadable-value', 'must be a number of days, or {"days": …}')
    } else if (!named(field) && !(asked === 'immutable' && isEverything(field)))
      inert(`/then/${i}/field`, 'unknown-path', 'items have no such field')
  }
  return found
}

export function demandsOf({ then }: Pick<ConstraintValues, 'then'>): Demand[] {
  return complete(demand, then)
}

/** Reads a limit: `5`, `"5"` and `{"limit": 5}` are equivalent. */
export function limitOf(value: unknown): number | undefined {
  const given = value !== null && typeof value === 'object' ? Reflect.get(value, 'limit') : value
  const limit = typeof given === 'string' && /^\d{1,9}$/.test(given.trim()) ? Number(given) : given
  return typeof limit === 'number' && Number.isFinite(limit) && limit >= 0 ? limit : undefined
}

/** Whether a name denotes a field: by its id or key, with or without `field.`, or an item property by its name. */
export function plainName(field: string): string {
  return field.trim().replace(/^field\./i, '')
}

/** Whether the demand makes the whole item immutable and not only a field. */
export function isEverything(field: string): boolean {
  return ['', '*'].includes(field.trim())
}

// A list computes findings for every record, so the vocabulary is loaded once per context.
const known = new WeakMap<Context, Promise<(field: string) => boolean>>()

function fieldNames(ctx: Context): Promise<(field: string) => boolean> {
  const names = known.get(ctx) ?? loadNames(ctx)
  known.set(ctx, names)
  return names
}

async function loadNames(ctx: Context): Promise<(field: string) => boolean> {
  const rows = await ctx.sql<Pick<Field, 'id' | 'key'>>`select id, key from ${raw(fields.table)}
    where tenant_id = ${ctx.caller.tenantId} and not deleted`
  const all = new Set([...ownProperties, ...rows.flatMap(({ id, key }) => [id, key])].map(each => each.toLowerCase()))
  return field => all.has(plainName(field).toLowerCase())
}

/**
 * The active constraints of the tenant, ordered by id, so that concurrent writers take their locks in the same order.
 */
export async function activeConstraints(ctx: Context): Promise<readonly Constraint[]> {
  const c = raw('c')
  const found = await remembered(ctx, 'constraints', async () => {
    const rows = await ctx.sql<{ json: string }>`select ${constraints.json(c)} as json from "constraint" c
      where c.tenant_id = ${ctx.caller.tenantId} and not c.deleted and c.active and c.severity in (0, 1) order by c.id`
    return rows.map((row): Constraint => JSON.parse(row.json))
  })
  return found ?? []
}

async function createConstraint(ctx: Context, values: Partial<ConstraintValues>): Promise<Constraint> {
  return await constraints.create(ctx, tidied(values))
}

async function changeConstraint(
  ctx: Context,
  id: Id,
  values: Partial<ConstraintValues>,
  more: { expect?: Expect },
): Promise<Constraint> {
  return await constraints.update(ctx, id, tidied(values), more)
}

/** Fills in defaults, writes ids in lower case and gives every condition an id. */
export function tidied(values: Partial<ConstraintValues>): Partial<ConstraintValues> {
  return {
    ...values,
    ...(values.ownerId ? { ownerId: values.ownerId.toLowerCase() } : {}),
    ...(values.when ? { when: withConditionIds(values.when) } : {}),
    ...(values.then ? { then: complete(demand, values.then) } : {}),
  }
}

export const routes: Routes = {
  'GET /constraint': list(constraints),
  'POST /constraint': create(constraints, createConstraint),
  'PUT /constraint': update(constraints, changeConstraint),
  'GET /constraint/:id': get(constraints),
  'PUT /constraint/:id': update(constraints, changeConstraint),
  'PATCH /constraint/:id': update(constraints, changeConstraint),
  'DELETE /constraint/:id': remove(constraints),
  'POST /constraint/:id/restore': restore(constraints),
  'GET /constraint/:id/history': history(constraints),
  'GET /constraint/:id/check': check(constraints),
}
