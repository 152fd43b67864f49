import { demandOperation } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { type Input, type Operation, operation, type Reply } from '../../kernel/operation.ts'
import { fault, Invalid, NotFound, Refusal } from '../../kernel/refusal.ts'
import { type ReadOptions, reader, type Schema } from '../../kernel/schema/shape.ts'
import { Refs } from '../../kernel/schema/values.ts'
import { attemptEach, problemOf, refuseAll } from '../../records/input/attempt-each.ts'
import { readPatchBody } from '../../records/input/patch-body.ts'
import { type Area, ofMembers, outcomeSchema, versionOf } from './bulk-area.ts'

/** Each record is written by itself, which takes some statements. */
const maxChanged = 500
/** Ids are in the address, whose length is limited. */
const maxDeleted = 200

const alone = 'One that is refused stops no other; with `atomic` it refuses all (422 `entries-refused`).'
const oneChangeSet = 'All changes form one change set.'

interface ChangeMany {
  ids: Id[]
  atomic?: boolean
  patch: unknown
}

/** Changes many records in the same way, each as the operation on one does it. */
export function changeMany({ path, entity, many }: Area, update: Operation): Operation {
  const schema: Schema = {
    type: 'object',
    properties: {
      ids: { ...Refs(entity, maxChanged), minItems: 1 },
      atomic: { type: 'boolean', description: 'Changes all records, or none if one is refused.' },
      patch: update.body?.schema ?? {},
    },
    required: ['ids', 'patch'],
    additionalProperties: false,
  }
  const readEnvelope = reader<ChangeMany>({
    ...schema,
    properties: { ...schema.properties, patch: { type: 'object' } },
  })
  const readPatch = (patch: object, options: ReadOptions = {}) => update.body?.read(patch, options)
  return operation<ChangeMany>({
    permission: ofMembers(update.permission),
    ...(update.placed ? { placed: true } : {}),
    mode: 'write',
    summary: `Change many ${many}`,
    description: `Applies \`patch\` to the ${many} in \`ids\`, at most ${maxChanged}, as \`PATCH /api${path}/{id}\` does it, with the same rights and checks. ${alone} ${oneChangeSet}`,
    body: {
      schema,
      // The patch is read here for its faults, and by each change again, because a change may alter what it is given.
      read: (body, options) =>
        readPatchBody(
          body,
          each => readEnvelope(each, options),
          each => readPatch(each, options) && each,
        ),
      example: { ids: ['01890000-0000-7000-8000-000000000000'], patch: withoutIds(update.body?.example) },
    },
    reply: {
      status: 200,
      schema: { type: 'array', items: outcomeSchema(`Bulk${entity}Change`, ['updated', 'unchanged']) },
      description: 'The outcome of each record, in the order of the ids.',
    },
    refusals: [413, 422],
    async run(ctx, input) {
      const { ids, patch, atomic = false } = input.body
      const change = async (id: Id) => {
        const before = await versionOf(ctx, entity, id)
        if (before === undefined) throw new NotFound()
        const body = readPatch(patch as object, { strict: ctx.strict })
        const { version } = await runOne(ctx, update, { input, path, id, body, raw: patch })
        return { outcome: version === before ? 'unchanged' : 'updated', status: 200, version }
      }
      return { body: await eachOf(ctx, distinct(ids), change, atomic) }
    },
  })
}

/** Deletes many records, each as the operation on one does it. */
export function removeMany({ path, entity, many }: Area, removal: Operation): Operation {
  return operation({
    permission: ofMembers(removal.permission),
    ...(removal.placed ? { placed: true } : {}),
    mode: 'write',
    summary: `Delete many ${many}`,
    description: `Deletes the ${many} in \`ids\`, separated by commas, at most ${maxDeleted}, as \`DELETE /api${path}/{id}\` does it, with the same rights and checks. ${alone} ${oneChangeSet} An undo of it restores all.`,
    query: {
      ids: { type: 'string', 'x-required': true, description: 'The ids of the records, separated by commas.' },
      atomic: { type: 'boolean', description: 'Deletes all records, or none if one is refused.' },
    },
    reply: {
      status: 200,
      schema: { type: 'array', items: outcomeSchema(`Bulk${entity}Deletion`, ['deleted']) },
      description: 'The outcome of each record, in the order of the ids.',
    },
    refusals: [413, 422],
    async run(ctx, input) {
      const ids = distinct(String(input.query.ids ?? '').split(','))
      if (ids.length === 0) throw new Invalid([fault(['ids'], 'required', 'is required')])
      if (ids.length > maxDeleted) throw new Refusal(413, 'too-large', `a call may name at most ${maxDeleted} records`)
      const remove = async (id: Id) => {
        if ((await versionOf(ctx, entity, id)) === undefined) throw new NotFound()
        await runOne(ctx, removal, { input, path, id, body: undefined, raw: undefined })
        return { outcome: 'deleted', status: 200 }
      }
      return { body: await eachOf(ctx, ids, remove, input.query.atomic === 'true') }
    },
  })
}

interface One {
  input: Input
  path: string
  id: Id
  body: unknown
  raw: unknown
}

async function runOne(ctx: Context, one: Operation, { input, path, id, body, raw }: One): Promise<Reply> {
  demandOperation(ctx.caller, one)
  const { headers } = input
  return await one.run(ctx, {
    path: `/api${path}/${id}`,
    params: { id },
    query: {},
    body,
    raw,
    expect: undefined,
    headers,
  })
}

/** Writes records in the order of their ids, so that two requests wait for each other instead of failing. */
async function eachOf(
  ctx: Context,
  ids: readonly string[],
  write: (id: Id) => Promise<object>,
  atomic: boolean,
): Promise<object[]> {
  const sorted = ids.toSorted()
  const attempts = await attemptEach(ctx, sorted, async id => {
    if (!isId(id)) throw new NotFound()
    return await write(id)
  })
  const byId = new Map(sorted.map((id, i) => [id, attempts[i]]))
  const ordered = ids.flatMap(id => byId.get(id) ?? [])
  const results = ordered.map((each, i) => ({ id: ids[i], ...(each.refusal ? problemOf(each.refusal) : each.value) }))
  if (atomic) refuseAll(ordered, index => ['ids', index], results)
  return results
}

const distinct = (ids: readonly string[]) =>
  [...new Set(ids.map(each => each.trim().toLowerCase()))].filter(each => each !== '')

/** A patch of many names none of them. */
function withoutIds(example: unknown): object {
  const { id: _id, ...rest }: { id?: unknown } = example !== null && typeof example === 'object' ? example : {}
  return rest
}
