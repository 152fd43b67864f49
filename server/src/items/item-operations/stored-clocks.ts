import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { instantText } from '../../kernel/record/columns.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { raw } from '../../kernel/sql.ts'

const instant: Schema = { type: 'string', format: 'date-time', nullable: true }

export const storedClocksSchema: Schema = {
  type: 'array',
  description:
    'With `include=clock`: how each promise stood when something last happened to it; `GET /item/:id/clock` counts to this moment.',
  items: {
    type: 'object',
    properties: {
      clockId: { type: 'string' },
      targetId: { type: 'string' },
      kind: { type: 'integer' },
      cycle: { type: 'integer' },
      state: { type: 'integer' },
      startedAt: instant,
      amberAt: instant,
      redAt: instant,
      dueAt: instant,
      pausedSince: instant,
      metAt: instant,
      breachedAt: instant,
    },
    required: ['clockId', 'targetId', 'kind', 'cycle', 'state', 'dueAt'],
  },
}

/** The stored state of an item's clocks, for lists and screens that need no computation. */
export async function storedClocks(ctx: Context, itemId: Id): Promise<unknown> {
  const at = (column: string) => instantText(raw(`c.${column}`))
  const [row] = await ctx.sql<{
    clocks: unknown
  }>`select coalesce(json_agg(json_build_object('clockId', c.clock_id, 'targetId', c.target_id, 'kind', c.kind, 'cycle', c.cycle, 'state', c.state,
      'startedAt', ${at('started_at')}, 'amberAt', ${at('amber_at')}, 'redAt', ${at('red_at')}, 'dueAt', ${at('due_at')}, 'pausedSince', ${at('paused_since')},
      'metAt', ${at('met_at')}, 'breachedAt', ${at('breached_at')}) order by c.kind, c.lane, c.cycle), '[]') as clocks
    from item_clock c where c.tenant_id = ${ctx.caller.tenantId} and c.item_id = ${itemId}`
  return row?.clocks ?? []
}
