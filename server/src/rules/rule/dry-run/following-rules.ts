import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import { indexed, liveRules } from '../engine/live-rules.ts'
import { eventsOfChangeSet, itemsOf, occurrenceOf } from '../engine/occurrence.ts'
import { pass } from '../engine/pass.ts'
import { type ActionResult, type LogEntry, outcome } from '../log/log.ts'
import type { Rule } from '../rule-shape.ts'

/** What a saved rule would do after another one. */
export interface FollowingRule {
  rule: Rule
  /** 1 for a rule that follows from the changes of the rule that is tried. */
  depth: number
  itemId: Id | null
  outcome: number
  actions: readonly ActionResult[]
  error: string
  /** The names of the rules that would go round in a circle, from the first to the same one again. */
  loop: string[]
}

/** The most rules that are shown after one occurrence; chains end by the limits of rules before that, or there. */
const maxFollowing = 50

/**
 * What the saved rules would do in turn to the changes of a rule, which are not rolled back yet, and so on. The rule that is
 * tried takes part, so that a circle through it is found. The limits of chains apply as they do to events.
 */
export async function followingRules(ctx: Context, rule: Rule, entry: LogEntry): Promise<FollowingRule[]> {
  const live = await liveRules(ctx)
  if (!live.listens || entry.changeSetId === undefined) return []
  const all = [...live.all.filter(each => each.id !== rule.id), rule].sort(inOrder)
  const index = indexed(all)
  const found: FollowingRule[] = []

  async function follow(changeSetId: Id, chain: readonly Rule[]): Promise<void> {
    const events = await eventsOfChangeSet(ctx, changeSetId)
    const about = await itemsOf(ctx, events)
    for (const event of events) {
      const caring = index.caring(event, 'afterCommit')
      if (caring.length === 0 || found.length >= maxFollowing) continue
      const occurrence = occurrenceOf(event, about.get(event.id) ?? null, event.cause)
      for (const each of await pass(ctx, caring, occurrence, { dryRun: true, waited: true })) {
        const own = all.find(one => one.id === each.rule.id)
        if (!own || found.length >= maxFollowing) continue
        found.push(shown(own, each, chain))
        if (each.changeSetId !== undefined) await follow(each.changeSetId, [...chain, own])
      }
    }
  }

  await follow(entry.changeSetId, [rule])
  return found
}

/** The order in which rules run. */
const inOrder = (a: Rule, b: Rule) =>
  a.order - b.order || (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1)

function shown(rule: Rule, entry: LogEntry, chain: readonly Rule[]): FollowingRule {
  const { occurrence, actions = [], error = '' } = entry
  // A rule acts once on a record in a chain; where it is held back for that, the chain has come round.
  const before = entry.outcome === outcome.skipped ? chain.findIndex(each => each.id === rule.id) : -1
  const loop = before < 0 ? [] : [...chain.slice(before), rule].map(each => each.name)
  return { rule, depth: chain.length, itemId: occurrence.itemId, outcome: entry.outcome, actions, error, loop }
}
