import { momentQuery } from '../../containers/screen/screen.ts'
import { partSchemas, readInclude } from '../../items/item-parts.ts'
import { refuseOfPresent } from '../../items/past/past.ts'
import { may, maySomewhere } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Input, Operation, Reply, Routes } from '../../kernel/operation.ts'
import { fault, Invalid, NotFound, Refusal } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { ownerKind } from '../../records/references/owner.ts'

interface Part {
  /** The operation whose answer is the part. */
  route: string
  /** Its query, with what the caller asked for. */
  query?: (id: Id, asked: Record<string, unknown>) => Record<string, unknown>
  /** The answer is the first page of a list; the cursor of the next one is in `<part>Next`. */
  paged?: true
}

const pageSize = '200'

/** The parts that have an address of their own. */
const parts: Record<string, Part> = {
  screen: { route: 'GET /item/:id/screen', query: (_id, { moment, stepId }) => defined({ moment, stepId }) },
  transitions: { route: 'GET /item/:id/transitions' },
  links: { route: 'GET /item/:id/links' },
  watch: { route: 'GET /item/:id/watch' },
  checklist: { route: 'GET /item/:id/checklist' },
  children: { route: 'GET /item', query: id => ({ parentId: id, sort: 'rank', limit: pageSize }), paged: true },
  files: {
    route: 'GET /file',
    query: id => ({ owner: String(ownerKind.item), ownerId: id, limit: pageSize }),
    paged: true,
  },
}

/** The names of everything that a read of one item can include. */
export const openedParts: readonly string[] = [...Object.keys(parts), ...Object.keys(partSchemas)]

const defined = (query: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))

/** The same operations, where that for one item also answers what a page about the item shows. */
export function withOpenItem(routes: Routes): Routes {
  const found = routeIn(routes, 'GET /item/:id')
  return { ...routes, 'GET /item/:id': opened(found, routes) }
}

function routeIn(routes: Routes, route: string): Operation {
  const found = routes[route]
  if (!found) throw new Error(`there is no ${route}`)
  return found
}

function opened(single: Operation, routes: Routes): Operation {
  return {
    ...single,
    description: `${single.description} \`include\` adds parts, each as its own address answers it: ${Object.entries(
      parts,
    )
      .map(([name, { route }]) => `\`${name}\` (${route})`)
      .join(
        ', ',
      )}; \`clock\`, the stored state of its clocks (for requesters what was promised to them), and \`can\`, what the caller may do with it. A part that the caller may not read is absent. \`children\` and \`files\` have at most ${pageSize} records; \`childrenNext\` and \`filesNext\` are cursors for the next ones. \`moment\` and \`stepId\` choose the screen. A reply with parts has no ETag.`,
    query: {
      ...single.query,
      include: {
        type: 'string',
        maxLength: 200,
        description: `Parts, separated by commas: ${openedParts.join(', ')}.`,
      },
      ...momentQuery,
    },
    reply: { ...single.reply, schema: openedSchema(single, routes) },
    async run(ctx, { query: { include, moment, stepId, ...query }, ...input }) {
      const wanted = readInclude(include, openedParts)
      const asked = defined({ moment, stepId })
      refuseUnused(asked, wanted)
      if (query.asOf !== undefined) refuseOfPresent({ include })
      const reply = await single.run(ctx, { ...input, query })
      if (wanted.size === 0 || reply.text === undefined) return reply
      const { version: _of, text, ...rest } = reply
      const id: Id = JSON.parse(text).id
      const added = await partsOf(ctx, wanted, id, { ...input, query: asked }, routes)
      return {
        ...rest,
        text: Object.keys(added).length === 0 ? text : `${text.slice(0, -1)},${JSON.stringify(added).slice(1)}`,
      }
    },
  }
}

function openedSchema({ reply: { schema } }: Operation, routes: Routes): Schema {
  const own = Object.entries(parts).flatMap(([name, { route, paged }]): [string, Schema][] => [
    [name, routeIn(routes, route).reply.schema ?? {}],
    ...(paged ? [[`${name}Next`, { type: ['string', 'null'] }] satisfies [string, Schema]] : []),
  ])
  return {
    ...schema,
    title: 'OpenedItem',
    properties: { ...schema?.properties, ...Object.fromEntries(own), ...partSchemas },
  }
}

/** A parameter of the screen says nothing without the screen. */
function refuseUnused(asked: Record<string, unknown>, wanted: ReadonlySet<string>): void {
  if (wanted.has('screen')) return
  const faults = Object.entries(asked).map(([name, value]) =>
    fault([name], 'exclusive', 'is for include=screen only', value),
  )
  if (faults.length > 0) throw new Invalid(faults, 'the query is not valid')
}

/** Every part passes the checks of its own operation. */
async function partsOf(
  ctx: Context,
  wanted: ReadonlySet<string>,
  id: Id,
  input: Input,
  routes: Routes,
): Promise<Record<string, unknown>> {
  const added: Record<string, unknown> = {}
  for (const [name, { route, query, paged }] of Object.entries(parts).filter(([each]) => wanted.has(each))) {
    const operation = routeIn(routes, route)
    const reply = await answered(ctx, operation, { ...input, params: { id }, query: query?.(id, input.query) ?? {} })
    if (!reply) continue
    added[name] = reply.body ?? JSON.parse(reply.text ?? 'null')
    if (paged) added[`${name}Next`] = reply.headers?.['x-next-cursor'] ?? null
  }
  const computed = await ctx.services.itemParts(ctx, wanted, [id])
  return { ...added, ...computed.get(id) }
}

/** The answer of an operation; undefined if the caller may not read it, or if it has none for a deleted item. */
async function answered(ctx: Context, operation: Operation, input: Input): Promise<Reply | undefined> {
  if (!(operation.placed ? maySomewhere : may)(ctx.caller, operation.permission)) return undefined
  try {
    return await operation.run(ctx, input)
  } catch (error) {
    // What the caller asked for is refused as by the operation itself; the rest of a query is ours.
    const isAsked = Object.keys(momentQuery).some(each => each in input.query)
    if (error instanceof NotFound || (error instanceof Refusal && !isAsked)) return undefined
    throw error
  }
}
