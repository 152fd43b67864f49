import type { Context } from '../../kernel/context.ts'
import { check, create, get, idOf, list, remove, restore, update } from '../../kernel/crud.ts'
import { type Id, isId } from '../../kernel/id.ts'
import type { Input, Operation, Routes } from '../../kernel/operation.ts'
import type { Expect } from '../../kernel/record/record.ts'
import { fault, Invalid, NotFound } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { sql } from '../../kernel/sql.ts'
import { history } from '../../records/history/history.ts'
import { fields } from './field.ts'
import { type ChangedField, changeWithValues } from './field-change.ts'
import { keyFor } from './field-key.ts'
import { completed } from './field-option.ts'
import { type Field, type FieldType, type FieldValues, fieldTypes } from './field-record.ts'
import { refuseWhileUsed } from './field-rules.ts'

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
  input: Input,
  type?: FieldType,
): Promise<ChangedField> {
  const { key, fieldType, options, ...rest } = values
  const before = await fields.get(ctx, id)
  const wanted = {
    ...rest,
    ...(key ? { key } : {}),
    ...(fieldType === undefined ? {} : { fieldType: typeOf(fieldType, type) }),
    ...(options === undefined ? {} : { options: completed(options ?? [], before.options) }),
  }
  return await changeWithValues(ctx, id, wanted, more, input.query)
}

/**
 * The type by its case-insensitive name. A path for one type implies that type: the clients of that path may send any
 * word, so only the name of another type is refused.
 */
function typeOf(given: string | undefined | null, ofPath?: FieldType): string {
  const word = fieldTypes.find(each => each.toLowerCase() === given?.trim().toLowerCase())
  if (ofPath === undefined) return word ?? given ?? 'text'
  if (word !== undefined && word !== ofPath) {
    throw new Invalid([fault(['fieldType'], 'mismatch', `must be ${ofPath}, the type in the path`, given)])
  }
  return ofPath
}

async function removeField(ctx: Context, id: Id, more: { expect?: Expect }): Promise<Field> {
  await refuseWhileUsed(ctx, await fields.get(ctx, id))
  return await fields.remove(ctx, id, more)
}

const conversionSchema: Schema = {
  type: 'object',
  title: 'Conversion',
  description: 'The outcome of the conversion of the values, if the type of the field changed.',
  properties: {
    values: { type: 'integer' },
    converted: { type: 'integer' },
    lost: { type: 'integer' },
    samples: {
      type: 'array',
      items: { type: 'object', properties: { itemId: { type: 'string' }, key: { type: 'string' }, value: {} } },
    },
  },
  required: ['values', 'converted', 'lost', 'samples'],
}

/** Changes a field with its values; `type` is set if the path names one. */
function changing(type?: FieldType): Operation {
  const change = update(fields, (ctx, id, values, more, input) => changeField(ctx, id, values, more, input, type))
  const shown = fields.schema
  return {
    ...change,
    description: `${change.description} A new \`fieldType\` converts the values of all items if there is a safe conversion; \`?dryRun=true\` returns its outcome without storing it. An option that items hold can be removed if \`map\` names its replacement.`,
    query: {
      map: {
        type: 'string',
        description: 'The removed options and their replacements: `{"old":"new","older":null}`.',
      },
      lossy: {
        type: 'string',
        enum: ['true', 'false'],
        description: 'Discards the values that the new type cannot hold.',
      },
    },
    reply: {
      ...change.reply,
      schema: { ...shown, title: 'ChangedField', properties: { ...shown.properties, conversion: conversionSchema } },
    },
    refusals: [404, 409, 412, 422],
  }
}

const removal: Operation = { ...remove(fields, removeField), refusals: [404, 409, 412, 422] }

/** Restricts an operation to fields of this type; the id of another field is answered with 404. */
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

/** The operations on the fields of one type under their own path; the API has one for time. */
function routesOf(type: FieldType): Routes {
  return {
    [`GET /field/${type}`]: list(fields, { where: () => sql`t.field_type = ${type}` }),
    [`POST /field/${type}`]: create(fields, (ctx, values) => createField(ctx, values, type)),
    [`PUT /field/${type}`]: only(type, changing(type)),
    [`GET /field/${type}/:id`]: only(type, get(fields)),
    [`PUT /field/${type}/:id`]: only(type, changing(type)),
    [`PATCH /field/${type}/:id`]: only(type, changing(type)),
    [`DELETE /field/${type}/:id`]: only(type, removal),
  }
}

export const routes: Routes = {
  'GET /field': list(fields),
  'POST /field': create(fields, (ctx, values) => createField(ctx, values)),
  'PUT /field': changing(),
  'GET /field/:id': get(fields),
  'PUT /field/:id': changing(),
  'PATCH /field/:id': changing(),
  'DELETE /field/:id': removal,
  'POST /field/:id/restore': restore(fields),
  'GET /field/:id/history': history(fields),
  'GET /field/:id/check': check(fields),
  ...routesOf('text'),
  ...routesOf('longText'),
  ...routesOf('number'),
  ...routesOf('money'),
  ...routesOf('boolean'),
  ...routesOf('date'),
  ...routesOf('dateTime'),
  ...routesOf('time'),
  ...routesOf('select'),
  ...routesOf('multiSelect'),
  ...routesOf('user'),
  ...routesOf('userGroup'),
  ...routesOf('item'),
  ...routesOf('crm'),
  ...routesOf('sku'),
  ...routesOf('url'),
  ...routesOf('file'),
  ...routesOf('formula'),
  ...routesOf('rollup'),
  ...routesOf('cascade'),
  ...routesOf('json'),
}
