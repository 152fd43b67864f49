import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import type { Rule } from '../rule-shape.ts'
import type { ActingRule } from './evaluate.ts'
import { principalOf, runAs } from './principal.ts'

/** The rules of several occurrences, each once for each caller as which it acts. */
interface ActingRules {
  actingRules: ActingRule[]
  /** For each occurrence the places of its rules. A rule that nobody can act as is left out. */
  wanted: number[][]
}

export async function actingRulesOf(
  ctx: Context,
  candidates: readonly { rules: readonly Rule[]; actorId: Id }[],
): Promise<ActingRules> {
  const actingRules: ActingRule[] = []
  const places = new Map<string, number>()
  const wanted: number[][] = []
  for (const { rules, actorId } of candidates) {
    const mine: number[] = []
    for (const rule of rules) {
      const key = `${rule.id} ${rule.runAs === runAs.actor ? actorId : ''}`
      if (!places.has(key)) {
        const principal = await principalOf(ctx, rule, actorId)
        places.set(key, principal ? actingRules.push({ rule, principal }) - 1 : -1)
      }
      const place = places.get(key) ?? -1
      if (place >= 0) mine.push(place)
    }
    wanted.push(mine)
  }
  return { actingRules, wanted }
}
