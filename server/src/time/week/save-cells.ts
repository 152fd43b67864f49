import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { type Fault, fault, Invalid, Refusal, RuleBroken } from '../../kernel/refusal.ts'
import { type CellInput, saveCell, totalIn } from './save-cell.ts'

/** What became of one cell. */
interface CellResult {
  index: number
  outcome: 'saved' | 'unchanged' | 'failed'
  problem?: { status: number; code: string; detail: string; Fields: readonly Fault[] } & Record<string, unknown>
}

/** Saves cells, each judged by itself: a refused one stops no other, unless all are to be saved or none. */
export async function saveCells(
  ctx: Context,
  userId: Id,
  cells: readonly CellInput[],
  atomic: boolean,
): Promise<CellResult[]> {
  const results: CellResult[] = []
  for (const index of inOrder(cells)) {
    const cell = cells[index]
    if (!cell) continue
    await ctx.sql`savepoint cell`
    try {
      const isChanged = await saveCell(ctx, userId, cell)
      results.push({ index, outcome: isChanged ? 'saved' : 'unchanged' })
      await ctx.sql`release savepoint cell`
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      await ctx.sql`rollback to savepoint cell`
      results.push({ index, outcome: 'failed', problem: problemOf(error, index) })
    }
  }
  const failed = results.filter(each => each.outcome === 'failed')
  if (atomic && failed.length > 0)
    throw new RuleBroken(
      'cells-refused',
      `${failed.length} of ${cells.length} cells are refused, so that none is saved`,
      failed.flatMap(each => each.problem?.Fields ?? []),
      { results: results.sort(byIndex) },
    )
  return results.sort(byIndex)
}

/** Cells that give time back come first, so that time can be moved from one row to another on a day that is full. */
function inOrder(cells: readonly CellInput[]): number[] {
  const faults: Fault[] = []
  const lowers = cells.map((cell, index) => {
    try {
      const total = totalIn(cell)
      return total === 0 || total < (cell.was ?? 0) ? 0 : 1
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      faults.push(...error.faults.map(each => at(each, index)))
      return 1
    }
  })
  if (faults.length > 0) throw new Invalid(faults)
  return cells.map((_, index) => index).sort((a, b) => (lowers[a] ?? 1) - (lowers[b] ?? 1) || a - b)
}

const byIndex = (a: CellResult, b: CellResult) => a.index - b.index

function at({ Field, Code, Message, Value }: Fault, index: number): Fault {
  return fault(['cells', index, ...Field.split('.')], Code, Message, Value)
}

function problemOf({ status, code, message, faults, extra }: Refusal, index: number) {
  return { ...extra, status, code, detail: message, Fields: faults.map(each => at(each, index)) }
}
