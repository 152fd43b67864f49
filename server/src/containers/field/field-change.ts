import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Input } from '../../kernel/operation.ts'
import { type Expect, expectVersion } from '../../kernel/record/record.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { fields } from './field.ts'
import { type Conversion, differentValues, holdersOf, sharedValues, turnValues } from './field-items.ts'
import { completed, type Option, wayTo } from './field-option.ts'
import type { Field, FieldValues } from './field-record.ts'
import { refuseBrokenFormulas, refuseCore } from './field-rules.ts'
import { lenient, optionsFor, turnOf } from './value/conversion.ts'
import { isSeveral, isValueFault, readFieldValue } from './value/value.ts'

/** A field after a change, and the outcome of the conversion of its values if its type changed. */
export type ChangedField = Field & { conversion?: Conversion }

/**
 * Changes a field together with its values: they are converted to the new type if that is safe, and a removed option is
 * replaced in the items that hold it. All of it is one change set.
 */
export async function changeWithValues(
  ctx: Context,
  id: Id,
  values: Partial<FieldValues>,
  { expect }: { expect?: Expect },
  query: Input['query'],
): Promise<ChangedField> {
  // The field is locked, so that no value of it is stored meanwhile: the foreign key of a value row waits for this
  // lock.
  const before = await fields.get(ctx, id, { lock: true })
  expectVersion(before, expect)
  const wanted: Field = { ...before, ...fields.completed({ ...before, ...values }) }
  const retyped = before.fieldType !== wanted.fieldType || isSeveral(before) !== isSeveral(wanted)
  if (retyped && before.isCore) refuseCore()
  const filled = retyped && (await hasValues(ctx, before))
  const turn = filled ? (turnOf(before, wanted) ?? refuseUnsafe(before, wanted)) : undefined
  if (turn) wanted.options = await optionsFrom(ctx, before, wanted)
  const moves = retyped ? undefined : await movesOf(ctx, before, wanted, query.map)
  const after = await fields.update(ctx, id, {
    ...values,
    ...(values.options || turn ? { options: wanted.options } : {}),
  })
  let conversion: Conversion | undefined
  if (turn) {
    const rules = lenient(after)
    conversion = await turnValues(ctx, id, value => read(rules, turn(value, before)))
    if (conversion.lost > 0 && query.lossy !== 'true' && query.dryRun !== 'true') refuseLoss(conversion)
  }
  if (moves) {
    const rules = lenient(after)
    await turnValues(ctx, id, value => read(rules, moved(value, moves, wanted.options)), { only: [...moves.keys()] })
  }
  if (retyped) await refuseBrokenFormulas(ctx, after)
  if (after.unique && (!before.unique || turn || moves)) await refuseSharedValues(ctx, after)
  return conversion ? { ...after, conversion } : after
}

function read(rules: Field, given: unknown) {
  const value = given === undefined ? undefined : readFieldValue(rules, given)
  return value && !isValueFault(value) ? value : undefined
}

async function hasValues(ctx: Context, { id, fieldType }: Field): Promise<boolean> {
  const { tenantId } = ctx.caller
  const [row] =
    fieldType === 'json' // values of this type have no rows in item_value
      ? await ctx.sql`select 1 from item where tenant_id = ${tenantId} and fields ? ${id}::text limit 1`
      : await ctx.sql`select 1 from item_value where tenant_id = ${tenantId} and field_id = ${id} limit 1`
  return row !== undefined
}

function refuseUnsafe(before: Field, { fieldType, multiple }: Field): never {
  const what = before.fieldType === fieldType ? `to multiple ${multiple}` : `from ${before.fieldType} to ${fieldType}`
  const message = `values cannot be converted safely ${what}; create a new field and copy the values that can be kept`
  throw new RuleBroken('type-change-unsafe', message, [fault(['fieldType'], 'type-change-unsafe', message, fieldType)])
}

function refuseLoss(conversion: Conversion): never {
  const message = `${conversion.lost} of ${conversion.values} values cannot be converted; lossy=true discards them`
  throw new RuleBroken('values-would-be-lost', message, [fault(['fieldType'], 'values-would-be-lost', message)], {
    conversion,
  })
}

const maxOptions = 500

/** A field that becomes a choice gets its previous values as options. */
async function optionsFrom(ctx: Context, before: Field, wanted: Field): Promise<Option[]> {
  const choice = wanted.fieldType === 'select' || wanted.fieldType === 'multiSelect'
  if (!choice || !(before.fieldType === 'text' || before.fieldType === 'boolean')) return wanted.options
  const values = await differentValues(ctx, before.id, 4 * maxOptions)
  const options = completed(optionsFor(before, wanted.options, values))
  if (options.length > maxOptions) {
    const message = `there are more than ${maxOptions} different values; create a new field and copy the values that can be kept`
    throw new RuleBroken('type-change-unsafe', message, [fault(['fieldType'], 'type-change-unsafe', message)])
  }
  return options
}

/** The replacement of each removed option that items hold: another option, or nothing. */
async function movesOf(
  ctx: Context,
  before: Field,
  { options }: Field,
  map: unknown,
): Promise<Map<string, string | null> | undefined> {
  const kept = new Set(options.map(option => option.id))
  const gone = before.options.filter(option => !kept.has(option.id))
  if (gone.length === 0) return undefined
  const held = await holdersOf(
    ctx,
    before.id,
    gone.flatMap(option => option.id ?? []),
  )
  if (held.size === 0) return undefined
  const moves = readMap(map, kept)
  const stranded = gone.filter(({ id = '' }) => held.has(id) && !moves.has(id))
  if (stranded.length > 0) {
    const counts = stranded.map(({ id = '', label = '' }) => ({ id, label, items: held.get(id) ?? 0 }))
    const names = counts.map(({ label, items }) => `${label} (${items})`).join(', ')
    const message = `items still hold ${names}; name the replacing option in map, or set active to false so that it is no longer offered`
    throw new RuleBroken('options-in-use', message, [fault(['options'], 'options-in-use', message)], {
      options: counts,
    })
  }
  return new Map([...moves].filter(([id]) => held.has(id)))
}

/** `?map={"old":"new","older":null}` */
function readMap(text: unknown, kept: ReadonlySet<string | undefined>): Map<string, string | null> {
  if (text === undefined || text === '') return new Map()
  const wrong = (message: string) => new Invalid([fault(['map'], 'map', message, text)], 'the query is not valid')
  let map: unknown
  try {
    map = JSON.parse(String(text))
  } catch {
    throw wrong('must be JSON such as {"old":"new"}')
  }
  if (map === null || typeof map !== 'object' || Array.isArray(map))
    throw wrong('must be an object such as {"old":"new"}')
  return new Map(
    Object.entries(map).map(([from, to]: [string, unknown]) => {
      if (to !== null && !(typeof to === 'string' && kept.has(to)))
        throw wrong(`${to} is not one of the remaining options`)
      return [from, to]
    }),
  )
}

/** A value with its options replaced; the path of a cascade ends at the replacing option. */
function moved(value: unknown, moves: ReadonlyMap<string, string | null>, options: readonly Option[]): unknown {
  if (!Array.isArray(value)) return typeof value === 'string' && moves.has(value) ? moves.get(value) : value
  const at = value.findIndex(each => moves.has(each))
  const target = options.find(each => each.id === moves.get(value[at]))
  if (options.some(each => each.parentId))
    return target ? wayTo(options, target).map(each => each.id) : value.slice(0, Math.max(at, 0))
  return [...new Set(value.map(each => (moves.has(each) ? moves.get(each) : each)).filter(each => each !== null))]
}

async function refuseSharedValues(ctx: Context, { id }: Field): Promise<void> {
  const shared = await sharedValues(ctx, id)
  if (shared.length === 0) return
  const message = `several items have the same value, such as ${shared[0]?.value}`
  throw new RuleBroken('values-not-unique', message, [fault(['unique'], 'values-not-unique', message, true)], {
    shared,
  })
}
