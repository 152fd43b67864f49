import { assignPolicy } from '../../admin/user-group/user-group.ts'
import type { Id } from '../../kernel/id.ts'

/** A member of a group who may get the next item. */
export interface Candidate {
  userId: Id
  /** The number of open items that are assigned to them, in all containers, without the item in question. */
  openItems: number
  /** The minutes that are left of these items. */
  openMinutes: number
  /** The number of their last turn in the group; 0 if they had none. */
  turn: number
  /** On approved leave at this time of the day. */
  absent: boolean
  /** Outside of their working hours. */
  offShift: boolean
  skills: readonly string[]
}

/** What a member needs to be chosen, and how one of several is chosen. */
export interface AssignTerms {
  /** A code of `assignPolicy`; by default that of the group. */
  policy?: number | undefined
  /** The member has all of these. */
  skills?: readonly string[] | undefined
  /** The member has fewer open items than this. */
  maxOpen?: number | undefined
}

/** Why a candidate was not considered. */
type Obstacle = 'absent' | 'skills' | 'maxOpen' | 'offShift'

export interface JudgedCandidate extends Omit<Candidate, 'absent' | 'skills'> {
  /** Null if the candidate could be chosen. */
  passedOver: Obstacle | null
}

/** The chosen member, undefined if nobody is available, and all candidates in the order of preference. */
interface Choice {
  userId: Id | undefined
  policy: number
  candidates: JudgedCandidate[]
}

/**
 * Chooses by the policy, and among equals the member whose last turn is longest ago. Members who are off shift are chosen only
 * if nobody else is available, so that what arrives at night has an assignee in the morning; never if the policy is on duty.
 */
export function chooseMember(candidates: readonly Candidate[], terms: AssignTerms): Choice {
  const policy = policyOf(terms)
  const firm = candidates.map(each => ({ ...each, passedOver: obstacleOf(each, terms) }))
  const needsShift =
    policy === assignPolicy.onDuty || firm.some(each => each.passedOver === null && each.offShift === false)
  const judged = firm
    .map(({ absent: _absent, skills: _skills, ...each }): JudgedCandidate => {
      const isLate = each.passedOver === null && each.offShift && needsShift
      return isLate ? { ...each, passedOver: 'offShift' } : each
    })
    .sort(
      (one, other) =>
        Number(one.passedOver !== null) - Number(other.passedOver !== null) ||
        loadOf(one, policy) - loadOf(other, policy) ||
        one.turn - other.turn ||
        (one.userId < other.userId ? -1 : 1),
    )
  const [first] = judged
  return { userId: first?.passedOver === null ? first.userId : undefined, policy, candidates: judged }
}

/** A group without a policy, or with an unknown one, takes turns. */
function policyOf({ policy }: AssignTerms): number {
  const { leastOpen, leastRemaining, onDuty, roundRobin } = assignPolicy
  return [leastOpen, leastRemaining, onDuty].find(each => each === policy) ?? roundRobin
}

function obstacleOf(candidate: Candidate, { skills = [], maxOpen }: AssignTerms): Obstacle | null {
  if (candidate.absent) return 'absent'
  const known = new Set(candidate.skills.map(folded))
  if (!skills.every(each => known.has(folded(each)))) return 'skills'
  return maxOpen !== undefined && candidate.openItems >= maxOpen ? 'maxOpen' : null
}

const folded = (skill: string) => skill.trim().toLowerCase()

function loadOf({ openItems, openMinutes }: JudgedCandidate, policy: number): number {
  if (policy === assignPolicy.leastOpen) return openItems
  return policy === assignPolicy.leastRemaining ? openMinutes : 0
}

/** Explains a choice without naming anybody: `fewest minutes left (120 in 2 open items) of 3 available; passed over: 1 absent`. */
export function reasonOf({ userId, policy, candidates }: Choice): string {
  const available = candidates.filter(each => each.passedOver === null)
  const chosen = available.find(each => each.userId === userId)
  const obstacles = Map.groupBy(candidates, each => each.passedOver)
  const passedOver = [...obstacles].flatMap(([obstacle, all]) =>
    obstacle === null ? [] : [`${all.length} ${meanings[obstacle]}`],
  )
  const because = chosen
    ? `${why(chosen, policy)} of ${available.length} available${chosen.offShift ? ', all of them off shift' : ''}`
    : `none of ${candidates.length} members is available`
  return [because, ...(passedOver.length > 0 ? [`passed over: ${passedOver.join(', ')}`] : [])].join('; ')
}

const meanings: Readonly<Record<Obstacle, string>> = {
  absent: 'absent',
  skills: 'without the skills',
  maxOpen: 'with enough open items',
  offShift: 'off shift',
}

function why({ openItems, openMinutes }: JudgedCandidate, policy: number): string {
  if (policy === assignPolicy.leastOpen) return `fewest open items (${openItems})`
  if (policy === assignPolicy.leastRemaining) return `fewest minutes left (${openMinutes} in ${openItems} open items)`
  return policy === assignPolicy.onDuty ? 'longest without a turn on duty' : 'longest without a turn'
}
