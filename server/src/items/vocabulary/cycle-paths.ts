import { active, done } from '../../containers/cycle/cycle.ts'
import { own } from '../../kernel/own.ts'
import { type Sql, sql } from '../../kernel/sql.ts'
import type { Path } from '../../language/conditions/conditions.ts'

// What people may ask of the cycle that an item (`t`) is in.

const ofCycle = (what: Sql) => sql`(select ${what} from cycle o where o.tenant_id = t.tenant_id and o.id = t.cycle_id)`

/** What a word (in lower case) that stands for a cycle asks of an item. */
export function namedCycle(word: string): Sql | undefined {
  return own(words, word)
}

/** The cycle that is going on, and the one that ended last: of its container, or of the group whose cycle it is in. */
const words: Record<string, Sql> = {
  '@currentcycle': sql`exists (select 1 from cycle o where o.tenant_id = t.tenant_id and o.id = t.cycle_id and o.state = ${active} and not o.deleted)`,
  '@lastcycle': sql`exists (select 1 from cycle o where o.tenant_id = t.tenant_id and o.id = t.cycle_id and o.state = ${done} and not o.deleted
    and not exists (select 1 from cycle n where n.tenant_id = o.tenant_id and n.container_id is not distinct from o.container_id
      and n.user_group_id is not distinct from o.user_group_id and n.state = ${done} and not n.deleted and n.completed_at > o.completed_at))`,
}

export const cyclePaths: Record<string, Path> = {
  'cycle.name': { kind: 'text', value: ofCycle(sql`o.name`) },
  'cycle.state': { kind: 'number', value: ofCycle(sql`o.state`) },
  'cycle.number': { kind: 'number', value: ofCycle(sql`o.number`) },
}
