import {
  type Board,
  type BoardColumn,
  columnsOf,
  containersOf,
  otherColumn,
  wipModes,
  wipPolicies,
} from '../../containers/board/board.ts'
import { done } from '../../containers/cycle/cycle.ts'
import { statusWords } from '../../items/status.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Sql } from '../../kernel/sql.ts'
import { ownTenant } from '../../kernel/sql.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { codeLabels, type Grouping, namesOf, storedValue } from './grouping.ts'

/** The containers of a board; all containers of the tenant if it names none. */
export async function boardContainers(ctx: Context, board: Board): Promise<Id[]> {
  const named = containersOf(board)
  if (named.length > 0) return named
  const rows = await ctx.sql<{
    id: Id
  }>`select id from container where tenant_id = ${ctx.caller.tenantId} and not deleted and not archived order by id`
  return rows.map(row => row.id)
}

/** The columns of a board in order; the last one is for all other values. `cards` are those that the caller sees. */
export async function columnsShown(
  ctx: Context,
  board: Board,
  grouping: Grouping | undefined,
  cards: Sql,
): Promise<BoardColumn[]> {
  const own = columnsOf(board)
  const columns = own.length > 0 || !grouping ? own : await derivedColumns(ctx, board, grouping, cards)
  const stored = columns.map(each => ({
    ...each,
    name: each.name || each.id,
    values: grouping ? each.values.map(value => storedValue(grouping, value)) : each.values,
  }))
  return [...stored, column(otherColumn, 'Other', [])]
}

function column(id: string, name: string, values: string[]): BoardColumn {
  return { id, name, values, wip: 0, wipMode: wipModes.cards, wipPolicy: wipPolicies.warn, collapsed: false }
}

/** Derives the columns from the workflow, from the options of a field, or else from the values of the cards. */
async function derivedColumns(ctx: Context, board: Board, grouping: Grouping, cards: Sql): Promise<BoardColumn[]> {
  const states = await statesOf(ctx, board, grouping)
  if (states.length > 0) return states
  const { field, kind, custom } = grouping
  if (field === 'status') return standardStatus()
  const words = codeLabels[field]
  if (words) {
    const ordered = field === 'priority' ? ['1', '2', '3', '4', '0'] : Object.keys(words)
    return ordered.map(value => column(value, words[value] ?? value, [value]))
  }
  if (kind === 'boolean') return [column('false', 'No', ['false', '']), column('true', 'Yes', ['true'])]
  if (kind === 'option' && custom) {
    const choices = custom.options.filter(each => each.active !== false)
    return [column('none', 'None', ['']), ...choices.map(({ id = '', label = '' }) => column(id, label, [id]))]
  }
  return await valuesPresent(ctx, board, grouping, cards)
}

interface WorkflowState {
  value: string
  name: string | null
}

/** The states of the processes of its containers, the default process first. */
async function statesOf(ctx: Context, board: Board, { field, custom }: Grouping): Promise<BoardColumn[]> {
  const named = custom ? [custom.id, custom.key] : [field]
  const rows = await ctx.sql<WorkflowState>`select s.step ->> 'value' as value, s.step ->> 'name' as name
    from container c join process p on p.tenant_id = ${ownTenant} and p.id = any(c.process_ids) and not p.deleted
      cross join lateral jsonb_array_elements(p.workflow) with ordinality s(step, n)
    where c.tenant_id = ${ctx.caller.tenantId} and c.id = any(${await boardContainers(ctx, board)}::uuid[]) and not c.deleted
      and s.step ->> 'fieldId' = any(${named}::text[])
    order by p.id = c.default_process_id desc nulls last, c.id, p.id, s.n limit 1000`
  const distinct = new Map<string, WorkflowState>()
  for (const row of rows) if (!distinct.has(row.value.toLowerCase())) distinct.set(row.value.toLowerCase(), row)
  return [...distinct.values()].map(({ value, name }) => column(value || 'none', name || value || 'None', [value]))
}

/** The standard statuses, for containers whose processes define no states. */
function standardStatus(): BoardColumn[] {
  return Object.entries(codeLabels.statusCategory ?? {}).map(([category, word]) => {
    const words = statusWords(Number(category)).filter(each => each !== word.toLowerCase())
    return column(word, word, [word, ...(category === '0' ? [''] : []), ...words])
  })
}

/** The records that the cards refer to, and those that belong to the board’s containers. */
async function valuesPresent(ctx: Context, board: Board, grouping: Grouping, cards: Sql): Promise<BoardColumn[]> {
  const rows = await ctx.sql<{
    value: string
  }>`select distinct ${grouping.value} as value from ${cards} limit ${maxDerived}`
  const values = new Set(rows.map(row => row.value))
  const containerIds = await boardContainers(ctx, board)
  const { tenantId } = ctx.caller
  const more =
    grouping.field === 'cycleId'
      ? await ctx.sql<{
          id: Id
        }>`select id from cycle where tenant_id = ${tenantId} and container_id = any(${containerIds}::uuid[]) and state < ${done} and not deleted limit ${maxDerived}`
      : grouping.field === 'areaId'
        ? await ctx.sql<{
            id: Id
          }>`select id from area where tenant_id = ${tenantId} and owner = ${ownerKind.container} and owner_id = any(${containerIds}::text[]) and not archived and not deleted limit ${maxDerived}`
        : []
  for (const { id } of more) values.add(id)
  values.delete('')
  const names = await namesOf(ctx, grouping, [...values])
  const named = [...values].flatMap(value => {
    const name = names.get(value)
    return name === undefined ? [] : [{ value, name }] // not visible to the caller: its cards are in the last column
  })
  named.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.value < b.value ? -1 : 1))
  return [column('none', 'None', ['']), ...named.map(({ value, name }) => column(value, name, [value]))]
}

const maxDerived = 200
