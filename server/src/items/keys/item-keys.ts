import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Operation, Routes } from '../../kernel/operation.ts'
import { NotFound } from '../../kernel/refusal.ts'

const keyPattern = /^[A-Za-z][A-Za-z0-9]{0,9}-\d{1,15}$/

/** Whether a text is written as the key of an item: `OPS-42`, in any case. */
export const isItemKey = (text: string): boolean => keyPattern.test(text)

/** Reads one item itself, by its key or id, in one statement. */
const readsKeys = 'GET /item/:id'

/** The same operations, of which those on one item or ticket find it by its key, too. */
export function withItemKeys(routes: Routes): Routes {
  return Object.fromEntries(
    Object.entries(routes).map(([route, operation]) => [
      route,
      isOnOne(route) ? keyed(operation, route === readsKeys) : operation,
    ]),
  )
}

const isOnOne = (route: string) => /^\w+ \/(item|ticket)\/:id(\/|$)/.test(route)

function keyed(operation: Operation, readsItself: boolean): Operation {
  const params = { id: 'The id, or the key, such as `OPS-42`; also one that it had in another container.' }
  if (readsItself) return { ...operation, params }
  return {
    ...operation,
    params,
    async run(ctx, input) {
      const { id = '' } = input.params
      if (!isItemKey(id)) return await operation.run(ctx, input)
      return await operation.run(ctx, { ...input, params: { ...input.params, id: await idOfKey(ctx, id) } })
    },
  }
}

/** The id of the item with a key, or that had it before it moved. The operation decides whether the caller sees it. */
async function idOfKey(ctx: Context, text: string): Promise<Id> {
  const { tenantId } = ctx.caller
  const key = text.toUpperCase()
  const [found] = await ctx.sql<{ id: Id }>`select i.id from item i where i.tenant_id = ${tenantId} and i.key = ${key}
    union all select k.item_id from item_key k where k.tenant_id = ${tenantId} and k.key = ${key} limit 1`
  if (!found) throw new NotFound()
  return found.id
}
