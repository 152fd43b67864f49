import type { Kind } from '../kernel/kinds.ts'
import { name, type Sql } from '../kernel/sql.ts'

/**
 * Where the rows of a kind are read from: what follows `from`. Readings of the plan and of budgets take one, and so know nothing
 * of scenarios.
 */
export type RowSource = (kind: Pick<Kind, 'entity' | 'table'>) => Sql

/** The rows as they are. */
export const storedRows: RowSource = ({ table }) => name(table)
