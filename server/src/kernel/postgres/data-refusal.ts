import { allKinds } from '../kinds.ts'
import { fault, idTaken, Refusal, RuleBroken } from '../refusal.ts'
import { sqlState } from './sql-state.ts'

/** The refusal of a statement that failed because of its values; undefined if it failed for another reason. */
export function dataRefusal(error: unknown): Refusal | undefined {
  const state = sqlState(error)
  if (state === '23505') return alreadyTaken(error)
  if (/^22/.test(state)) return new Refusal(400, 'out-of-range', 'a value is larger or smaller than can be stored')
  if (state === '23503')
    return new RuleBroken('unknown-reference', 'the record refers to something that does not exist')
  return undefined
}

/** The name of a unique index, `<table>_<column>_taken`, tells which property has a value that another record has. */
function alreadyTaken(error: unknown): Refusal {
  const index = error instanceof Error && 'constraint' in error ? String(error.constraint) : ''
  for (const { table, columns, entity } of allKinds()) {
    if (index === `${table}_pkey`) return idTaken()
    const column = columns.find(each => index === `${table}_${each.column}_taken`)
    if (column) {
      const message = `another ${entity} already has this ${column.property}`
      return new RuleBroken('already-taken', message, [fault([column.property], 'already-taken', message)])
    }
  }
  return new RuleBroken('already-taken', 'another record already has this value')
}
