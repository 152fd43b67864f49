import type { Context } from '../../../kernel/context.ts'
import { remembered } from '../../../kernel/memory.ts'
import { raw } from '../../../kernel/sql.ts'
import { operatorNames } from '../../../language/conditions/conditions.ts'
import { codesOf, type NamedEvent } from '../../../notify/event-names.ts'
import { triggerEvents } from '../../../notify/trigger-event.ts'
import { type Rule, rules } from '../rule.ts'
import { mode, trigger } from '../rule-codes.ts'
import { propertyNamed } from './event-vocabulary.ts'

/** The active rules of a tenant in their order, by trigger. */
interface LiveRules {
  all: readonly Rule[]
  /** Whether any rule is triggered by events after the commit. */
  listens: boolean
  /** The rules that an event may trigger, after or before its commit. */
  caring(event: NamedEvent, when: keyof typeof mode): readonly Rule[]
  beforeCommit: readonly Rule[]
  mail: readonly Rule[]
}

const columns = new Set([...rules.columns.map(each => each.property), 'id', 'version', 'created', 'updated'])

/** Cached, so that a tenant without rules pays nothing for them. */
export async function liveRules(ctx: Context): Promise<LiveRules> {
  const known = await remembered(ctx, 'rules', async () => {
    const t = raw('t')
    const rows = await ctx.sql<{ json: string }>`select ${rules.json(t, columns)} as json from rule t
      where t.tenant_id = ${ctx.caller.tenantId} and t.active and not t.deleted order by t."order", t.name, t.id`
    return indexed(rows.map(row => JSON.parse(row.json)))
  })
  return known ?? indexed([])
}

/** A clock rule without an event is triggered by each of these. */
const clockThresholds = triggerEvents.meanings
  .filter(({ name }) => ['clock.amber', 'clock.red', 'clock.breached'].includes(name))
  .map(({ code }) => code)

export function indexed(all: readonly Rule[]): LiveRules {
  const byEvent = all.filter(each => each.trigger === trigger.event || each.trigger === trigger.clock)
  const lists = { afterCommit: new Map<number, Rule[]>(), beforeCommit: new Map<number, Rule[]>() }
  for (const rule of byEvent) {
    const list =
      rule.mode === mode.beforeCommit
        ? lists.beforeCommit
        : rule.mode === mode.afterCommit
          ? lists.afterCommit
          : undefined
    const codes = rule.trigger === trigger.clock && rule.triggerEvent === 0 ? clockThresholds : [rule.triggerEvent]
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

const needsChange = (operator: number) =>
  ['changed', 'changedTo', 'changedFrom'].includes(operatorNames[operator] ?? '')

/** Rules out, without a query, a rule whose conditions need a change that the event does not have. */
function mayHold({ container, conditionGroup }: Rule, { changes }: NamedEvent): boolean {
  const at = changes.containerId?.to
  if (container.length > 0 && typeof at === 'string' && !container.includes(at)) return false
  if (conditionGroup.length === 0) return true
  return conditionGroup.some(({ condition }) =>
    condition.every(({ leftSide, operator }) => {
      const property = needsChange(operator) ? propertyNamed(leftSide) : undefined
      return property === undefined || property in changes
    }),
  )
}
