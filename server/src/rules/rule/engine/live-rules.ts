import type { Context } from '../../../kernel/context.ts'
import { remembered } from '../../../kernel/memory.ts'
import { raw } from '../../../kernel/sql.ts'
import { codesOf, type NamedEvent } from '../../../notify/event-names.ts'
import { type Rule, rules } from '../rule.ts'
import { mode, trigger } from '../rule-codes.ts'
import { propertyNamed } from './event-vocabulary.ts'

/** The rules of a tenant that are switched on, in the order in which they act, by what wakes them. */
export interface LiveRules {
  all: readonly Rule[]
  /** Whether any is woken by events. */
  listens: boolean
  /** Those that may care about an event, after or before its commit. */
  caring(event: NamedEvent, when: keyof typeof mode): readonly Rule[]
  beforeCommit: readonly Rule[]
  mail: readonly Rule[]
}

const columns = new Set([...rules.columns.map(each => each.property), 'id', 'version', 'created', 'updated'])

/** Remembered, so that a tenant without rules pays nothing for them. */
export async function liveRules(ctx: Context): Promise<LiveRules> {
  const known = await remembered(ctx, 'rules', async () => {
    const t = raw('t')
    const rows = await ctx.sql<{ json: string }>`select ${rules.json(t, columns)} as json from rule t
      where t.tenant_id = ${ctx.caller.tenantId} and t.active and not t.deleted order by t."order", t.name, t.id`
    return indexed(rows.map(row => JSON.parse(row.json)))
  })
  return known ?? indexed([])
}

/** The lights of a clock, for rules that wait for any of them. */
const lights = [43, 44, 45]

export function indexed(all: readonly Rule[]): LiveRules {
  const awake = all.filter(each => each.trigger === trigger.event || each.trigger === trigger.clock)
  const lists = { afterCommit: new Map<number, Rule[]>(), beforeCommit: new Map<number, Rule[]>() }
  for (const rule of awake) {
    const list =
      rule.mode === mode.beforeCommit
        ? lists.beforeCommit
        : rule.mode === mode.afterCommit
          ? lists.afterCommit
          : undefined
    const codes = rule.trigger === trigger.clock && rule.triggerEvent === 0 ? lights : [rule.triggerEvent]
    for (const code of codes) list?.set(code, [...(list.get(code) ?? []), rule])
  }
  const place = new Map(all.map((each, n) => [each.id, n]))
  return {
    all,
    listens: lists.afterCommit.size > 0,
    caring(event, when) {
      const list = lists[when]
      if (list.size === 0) return []
      const found = codesOf(event).flatMap(code => list.get(code) ?? [])
      const possible = [...new Set(found)].filter(rule => mayHold(rule, event))
      return possible.sort((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0))
    },
    beforeCommit: [...new Set([...lists.beforeCommit.values()].flat())],
    mail: all.filter(each => each.trigger === trigger.mail),
  }
}

const asksForChange: readonly number[] = [18, 19, 20]

/** Whether conditions could hold as far as the event alone tells: what asks for a change that is not there cannot. */
function mayHold({ container, conditionGroup }: Rule, { changes }: NamedEvent): boolean {
  const at = changes.containerId?.to
  if (container.length > 0 && typeof at === 'string' && !container.includes(at)) return false
  if (conditionGroup.length === 0) return true
  return conditionGroup.some(({ condition }) =>
    condition.every(({ leftSide, operator }) => {
      const property = asksForChange.includes(operator) ? propertyNamed(leftSide) : undefined
      return property === undefined || property in changes
    }),
  )
}
