import { Type } from 'typebox'
import { everyone } from '../../kernel/access.ts'
import type { Context } from '../../kernel/database.ts'
import { type Id, isId } from '../../kernel/id.ts'
import type { Operation, Routes } from '../../kernel/operation.ts'
import { fault, Invalid, NotFound } from '../../kernel/refusal.ts'
import { type Expect, resource, type Stored, type Values } from '../../kernel/resource.ts'
import { sql } from '../../kernel/sql.ts'
import { check, create, get, history, idOf, list, remove, restore, update } from '../../kernel/stock.ts'
import { Code, Codes, LongText, Name, Parts, Text } from '../../kernel/values.ts'
import { keyFor } from './field-key.ts'
import { completed } from './field-option.ts'
import { checkField, inertParts, refuseWhileUsed } from './field-rules.ts'
import { type FieldType, fieldTypes } from './field-value.ts'

export { defaultOf, type FieldType, type FieldValue, fieldTypes, isValueFault, readFieldValue } from './field-value.ts'

/** A bound of values; `null` is none. */
const Bound = Type.Unsafe<number | null>({ type: 'number', minimum: -1e15, maximum: 1e15, default: null })

const shape = {
  key: Text(60, { examples: ['effort'] }),
  fieldType: Text(20, { default: 'text', examples: ['text'], description: `One of ${fieldTypes.join(', ')}.` }),
  allowDay: Type.Boolean(),
  allowHour: Type.Boolean(),
  allowMinute: Type.Boolean(),
  defaultValue: Text(4000),
  name: Name(200),
  prompt: Text(500),
  description: LongText(10_000),
  isCore: Type.Boolean(),
  isFeature: Type.Boolean(),
  featureName: Text(200),
  placement: Codes(),
  usage: Codes(),
  listEditable: Type.Boolean(),
  options: Parts(
    { id: Text(60), label: Name(200), color: Text(30), order: Code(), active: Type.Boolean() },
    ['label'],
    500,
  ),
  min: Bound,
  max: Bound,
  pattern: Text(512),
}

export type Field = Stored<typeof shape>
export type FieldValues = Values<typeof shape>

/** A property that a tenant gives its records, beyond those that every record of the kind has. */
export const fields = resource('Field', {
  about:
    'A property that a tenant adds to its records. Its `key` names it in conditions and imports, and never changes.',
  shape,
  // Which fields are part of the service itself is nobody's to say.
  serverSet: ['isCore'],
  may: { read: everyone },
  check: checkField,
  findings: inertParts,
  example: { name: 'Effort', prompt: 'How much work is it?', listEditable: true },
  // Whoever remembers fields forgets them as grants are forgotten.
  remembered: true,
})

async function createField(ctx: Context, values: Partial<FieldValues>, type?: FieldType): Promise<Field> {
  const fieldType = typeOf(values.fieldType, type)
  const key = values.key || (await keyFor(ctx, values.name ?? ''))
  return await fields.create(ctx, { ...values, fieldType, key, options: completed(values.options ?? []) })
}

async function changeField(
  ctx: Context,
  id: Id,
  values: Partial<FieldValues>,
  more: { expect?: Expect },
  type?: FieldType,
): Promise<Field> {
  const { key, fieldType, options, ...rest } = values
  const before = await fields.get(ctx, id)
  return await fields.update(
    ctx,
    id,
    {
      ...rest,
      ...(key ? { key } : {}),
      ...(fieldType === undefined ? {} : { fieldType: typeOf(fieldType, type) }),
      ...(options === undefined ? {} : { options: completed(options ?? [], before.options) }),
    },
    more,
  )
}

/**
 * The type by its word, in any case. On the path of one type that type it is: the seed does not show which word its
 * clients hold, so only the word of another type is at odds with the path.
 */
function typeOf(given: string | undefined | null, ofPath?: FieldType): string {
  const word = fieldTypes.find(each => each.toLowerCase() === given?.trim().toLowerCase())
  if (ofPath === undefined) return word ?? given ?? 'text'
  if (word !== undefined && word !== ofPath) {
    throw new Invalid([fault(['fieldType'], 'mismatch', `is not the type in the path, ${ofPath}`, given)])
  }
  return ofPath
}

async function removeField(ctx: Context, id: Id, more: { expect?: Expect }): Promise<Field> {
  await refuseWhileUsed(ctx, await fields.get(ctx, id))
  return await fields.remove(ctx, id, more)
}

const removal: Operation = { ...remove(fields, removeField), refusals: [404, 409, 412, 422] }

/** Lets an operation meet fields of this type only: an id of another type is not there. */
function only(type: FieldType, operation: Operation): Operation {
  return {
    ...operation,
    async run(ctx, input) {
      const id = idOf(input)
      const [row] = isId(id)
        ? await ctx.sql`select 1 from field where tenant_id = ${ctx.caller.tenantId} and id = ${id} and field_type = ${type}`
        : []
      if (!row) throw new NotFound()
      return await operation.run(ctx, input)
    },
  }
}

/** The fields of one type under a path of their own, as the seed has it for time. */
function routesOf(type: FieldType): Routes {
  const change = update(fields, (ctx, id, values, more) => changeField(ctx, id, values, more, type))
  return {
    [`GET /field/${type}`]: list(fields, { where: () => sql`t.field_type = ${type}` }),
    [`POST /field/${type}`]: create(fields, (ctx, values) => createField(ctx, values, type)),
    [`PUT /field/${type}`]: only(type, change),
    [`GET /field/${type}/:id`]: only(type, get(fields)),
    [`PUT /field/${type}/:id`]: only(type, change),
    [`PATCH /field/${type}/:id`]: only(type, change),
    [`DELETE /field/${type}/:id`]: only(type, removal),
  }
}

export const routes: Routes = {
  'GET /field': list(fields),
  'POST /field': create(fields, (ctx, values) => createField(ctx, values)),
  'PUT /field': update(fields, (ctx, id, values, more) => changeField(ctx, id, values, more)),
  'GET /field/:id': get(fields),
  'PUT /field/:id': update(fields, (ctx, id, values, more) => changeField(ctx, id, values, more)),
  'PATCH /field/:id': update(fields, (ctx, id, values, more) => changeField(ctx, id, values, more)),
  'DELETE /field/:id': removal,
  'POST /field/:id/restore': restore(fields),
  'GET /field/:id/history': history(fields),
  'GET /field/:id/check': check(fields),
  ...routesOf('text'),
  ...routesOf('longText'),
  ...routesOf('number'),
  ...routesOf('boolean'),
  ...routesOf('date'),
  ...routesOf('dateTime'),
  ...routesOf('time'),
  ...routesOf('select'),
  ...routesOf('multiSelect'),
  ...routesOf('user'),
  ...routesOf('url'),
}
