import { isId } from '../../kernel/id.ts'
import type { Sortable } from '../../kernel/list/sort.ts'
import { own } from '../../kernel/own.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
import type { Path } from '../../language/conditions/conditions.ts'

// The paths of conditions to the clocks of an item (`t`). One row of each clock is marked `leads`: of its latest cycles
// the one that is due first.

const leading = (tenantId: string, clockId: string, alias: Sql) =>
  sql`${alias}.tenant_id = ${tenantId} and ${alias}.item_id = t.id and ${alias}.clock_id = ${clockId}::uuid and ${alias}.leads`

const instants: Record<string, Sql> = {
  dueat: raw('due_at'),
  amberat: raw('amber_at'),
  redat: raw('red_at'),
  startedat: raw('started_at'),
  breachedat: raw('breached_at'),
}

/** `clock.state`: the states of all clocks; `clock.dueAt`: the earliest of all; `clock.<id>.state` etc.: those of one clock. */
export function clockPath(tenantId: string, path: string): (Path & { order?: Sortable }) | undefined {
  const [, first = '', second = ''] = path.toLowerCase().split('.')
  if (!isId(first)) return second === '' ? ofAll(tenantId, first) : undefined
  const k = raw('k')
  const value = (column: Sql) => sql`(select k.${column} from item_clock k where ${leading(tenantId, first, k)})`
  if (second === 'state')
    return {
      kind: 'number',
      value: value(raw('state')),
      anyOf: states =>
        sql`exists (select 1 from item_clock k where ${leading(tenantId, first, k)} and k.state = any(${states}))`,
    }
  const column = own(instants, second)
  if (!column) return undefined
  const sorted = sql`sorted.${column}`
  return {
    kind: 'instant',
    value: value(column),
    order: {
      type: 'timestamptz',
      value: value(column),
      indexed: {
        table: raw('item_clock sorted'),
        on: sql`${leading(tenantId, first, raw('sorted'))} and ${sorted} is not null`,
        value: sorted,
        id: raw('sorted.item_id'),
      },
    },
  }
}

function ofAll(tenantId: string, asked: string): Path | undefined {
  const rows = sql`item_clock k where k.tenant_id = ${tenantId} and k.item_id = t.id and k.leads`
  if (asked === 'state')
    return {
      kind: 'set',
      of: 'number',
      elements: sql`select k.state::numeric from ${rows}`,
      anyOf: states => sql`exists (select 1 from ${rows} and k.state = any(${states}))`,
    }
  return asked === 'dueat'
    ? { kind: 'instant', value: sql`(select min(k.due_at) from ${rows} and k.ended_at is null)` }
    : undefined
}
