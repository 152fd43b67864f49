import { active, done } from '../../containers/cycle/cycle.ts'
import { own } from '../../kernel/own.ts'
import { ownTenant, type Sql, sql } from '../../kernel/sql.ts'
import type { Path } from '../../language/conditions/conditions.ts'

// The paths of conditions to the cycle of an item (`t`).

const ofCycle = (what: Sql) => sql`(select ${what} from cycle o where o.tenant_id = ${ownTenant} and o.id = t.cycle_id)`

/** The condition on an item for a word (in lower case) that denotes a cycle. */
export function namedCycle(word: string): Sql | undefined {
  return own(words, word)
}

/** The active cycle, and the one that was finished last, of the same owner. */
const words: Record<string, Sql> = {
  '@currentcycle': sql`exists (select 1 from cycle o where o.tenant_id = ${ownTenant} and o.id = t.cycle_id and o.state = ${active} and not o.deleted)`,
  '@lastcycle': sql`exists (select 1 from cycle o where o.tenant_id = ${ownTenant} and o.id = t.cycle_id and o.state = ${done} and not o.deleted
    and not exists (select 1 from cycle n where n.tenant_id = ${ownTenant} and n.container_id is not distinct from o.container_id
      and n.user_group_id is not distinct from o.user_group_id and n.state = ${done} and not n.deleted and n.completed_at > o.completed_at))`,
}

export const cyclePaths: Record<string, Path> = {
  'cycle.name': { kind: 'text', value: ofCycle(sql`o.name`) },
  'cycle.state': { kind: 'number', value: ofCycle(sql`o.state`) },
  'cycle.number': { kind: 'number', value: ofCycle(sql`o.number`) },
}
