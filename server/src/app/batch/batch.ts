import { type Static, Type } from 'typebox'
import { demandOperation, everyone, permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { queryReader } from '../../kernel/http/query.ts'
import { bodyOf, collected, type Input, type Operation, operation, type Routes } from '../../kernel/operation.ts'
import { type Fault, fault, Invalid, NotFound, Refusal } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { AnyJson, Text } from '../../kernel/schema/values.ts'
import { routeTable } from '../routes/route-table.ts'
import { addressWithResults, withResults } from './batch-references.ts'
import { reasonAgainst } from './batch-routes.ts'

const maxOperations = 100

const step = Type.Object(
  {
    method: Type.String({ enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] }),
    path: Text(2000, {
      minLength: 1,
      examples: ['/item?limit=1'],
      description: 'The address below `/api`, with its query; `{name.id}` is replaced by a part of an earlier result.',
    }),
    body: Type.Optional(
      Type.Unsafe<unknown>({
        ...AnyJson,
        description: 'The body; each `{"$result": "name.id"}` in it is replaced by a part of an earlier result.',
      }),
    ),
    as: Type.Optional(
      Type.String({
        maxLength: 60,
        pattern: '^[A-Za-z]\\w*$',
        examples: ['first'],
        description: 'A name for the result, beside its index.',
      }),
    ),
    ifVersion: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2147483647,
        description: 'The version that the record must have, as `If-Match`.',
      }),
    ),
  },
  { additionalProperties: false },
)
const body = Type.Object(
  { operations: Type.Array(step, { minItems: 1, maxItems: maxOperations }) },
  { additionalProperties: false },
)
type Step = Static<typeof step>

const replySchema: Schema = {
  type: 'object',
  title: 'BatchReply',
  properties: {
    results: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          index: { type: 'integer' },
          as: { type: 'string' },
          status: { type: 'integer', description: 'The HTTP status that the operation alone would have.' },
          body: { description: 'The body that the operation alone would have.' },
        },
        required: ['index', 'status'],
      },
    },
  },
  required: ['results'],
}

interface Result {
  index: number
  as?: string
  status: number
  body?: unknown
}

/** Adds the operation that runs several of these steps, all or none. */
export function withBatch(routes: Routes, steps: Routes): Routes {
  return { ...routes, 'POST /batch': batch(steps) }
}

function batch(routes: Routes): Operation {
  const find = routeTable(Object.keys(routes))
  return operation<Static<typeof body>>({
    permission: permission('batch.run', everyone),
    placed: true,
    mode: 'write',
    summary: 'Run several operations, all or none',
    description: `The operations run in their order, in one transaction and as one change set, each with the rights and the checks that it has alone; at most ${maxOperations}. If one is refused, nothing is kept: the problem is that of the operation, \`operation\` is its index, and \`Fields\` begin with its place. Later operations refer to earlier results by the index or the name (\`as\`). Operations that a transaction cannot take back (files, sign-in, secrets, tests of connections, calls of many rows) are refused with 422 \`not-in-batch\`.`,
    body: bodyOf(body, {
      operations: [
        { method: 'POST', path: '/container', body: { name: 'Move to Lisbon' }, as: 'move' },
        {
          method: 'POST',
          path: '/item',
          body: { title: 'Find a house', containerId: { $result: 'move.id' } },
          as: 'house',
        },
        { method: 'POST', path: '/annotation', body: { itemId: { $result: 'house.id' }, body: 'With a garden' } },
      ],
    }),
    reply: { status: 200, schema: replySchema, description: 'The result of each operation, in their order.' },
    refusals: [404, 409, 412, 422, 428],
    async run(ctx, { body: { operations }, headers }) {
      const results: Result[] = []
      const values = new Map<string, unknown>()
      for (const [index, each] of operations.entries()) {
        const result = await runStep(ctx, each, index, values, headers)
        results.push(result)
        values.set(String(index), result.body)
        if (each.as !== undefined) values.set(each.as, result.body)
      }
      return { body: { results } }
    },
  })

  async function runStep(
    ctx: Context,
    given: Step,
    index: number,
    values: ReadonlyMap<string, unknown>,
    headers: Input['headers'],
  ): Promise<Result> {
    try {
      const { chosen, input } = inputOf(given, values, headers, ctx)
      const answer = await collected(await chosen.run(ctx, input), ctx)
      if (answer.bytes || answer.takeOver) throw notInBatch('its answer is not JSON')
      const shown = answer.text === undefined ? answer.body : JSON.parse(answer.text)
      return {
        index,
        ...(given.as === undefined ? {} : { as: given.as }),
        status: answer.status ?? chosen.reply.status,
        ...(shown === undefined ? {} : { body: shown }),
      }
    } catch (error) {
      throw error instanceof Refusal ? atOperation(error, index) : error
    }
  }

  /** Finds the operation of a step, and reads its input as a request of its own would. */
  function inputOf(
    { method, path: given, body: rawBody, ifVersion }: Step,
    values: ReadonlyMap<string, unknown>,
    headers: Input['headers'],
    ctx: Context,
  ): { chosen: Operation; input: Input } {
    const [path = '', query = ''] = addressWithResults(given, values, ['path'])
      .replace(/^\/api(?=\/)/, '')
      .split(/\?(.*)/s)
    const found = find(path)
    const route = found?.served.get(method)
    const chosen = route === undefined ? undefined : routes[route]
    if (!found || route === undefined || !chosen) throw new NotFound('address')
    const reason = reasonAgainst(route, chosen)
    if (reason) throw notInBatch(reason)
    demandOperation(ctx.caller, chosen)
    if (chosen.mustMatch && ifVersion === undefined)
      throw new Refusal(428, 'if-match-required', 'ifVersion must contain the version that was read')
    const raw = withResults(rawBody, values, ['body'])
    if (chosen.body && raw === undefined) throw new Invalid([fault(['body'], 'required', 'is required')])
    const names = route.split('/').flatMap(each => (each.startsWith(':') ? [each.slice(1)] : []))
    return {
      chosen,
      input: {
        path: `/api${path}`,
        params: Object.fromEntries(names.map((name, at) => [name, found.values[at] ?? ''])),
        query: readQuery(chosen, query),
        body: chosen.body?.read(raw, { strict: ctx.strict }),
        raw,
        expect: ifVersion === undefined ? undefined : [ifVersion],
        headers: headers.prefer === undefined ? {} : { prefer: headers.prefer },
      },
    }
  }
}

function readQuery(chosen: Operation, text: string): Record<string, unknown> {
  const parameters = new URLSearchParams(text)
  if (parameters.has('dryRun'))
    throw new Invalid([fault(['path'], 'unknown', 'dryRun is a parameter of the whole batch')])
  return queryReader(chosen)(
    Object.fromEntries(
      [...new Set(parameters.keys())].map(name => {
        const all = parameters.getAll(name)
        return [name, all.length > 1 ? all : all[0]]
      }),
    ),
  )
}

function notInBatch(reason: string): Refusal {
  return new Refusal(422, 'not-in-batch', `this operation cannot take part in a batch: ${reason}`)
}

/** The same refusal, with the place of the operation. */
function atOperation({ status, code, message, faults, extra }: Refusal, index: number): Refusal {
  const place = ['operations', index]
  const placed = faults.map(({ Field, Code, Message, Value }): Fault => {
    const own = Field === '' ? [] : Field.split('.')
    const inStep = own[0] === 'path' || own[0] === 'body' ? own : ['body', ...own]
    return fault([...place, ...inStep], Code, Message, Value)
  })
  return new Refusal(status, code, `operation ${index}: ${message}`, {
    faults: placed.length > 0 ? placed : [fault(place, code, message)],
    extra: { ...extra, operation: index },
  })
}
