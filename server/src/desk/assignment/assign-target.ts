import { assignPolicies, assignPolicy } from '../../admin/user-group/user-group.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import { isKnownCode } from '../../records/code-table.ts'
import type { AssignTerms } from './choose-member.ts'

/** Whom an action assigns an item to: a user, or the next member of a group by these terms. */
export type AssignTarget = { userId: Id } | { groupId: Id; terms: AssignTerms }

/**
 * Reads the value of an action that assigns: the id of a user or a group, `leastLoaded <group>`, or
 * `{"groupId": …, "policy": …, "skills": […], "maxOpen": …}`. Undefined if there is no such user or group.
 */
export async function readAssignTarget(ctx: Context, value: unknown): Promise<AssignTarget | undefined> {
  const terms = termsIn(value)
  const of = (name: string): unknown => Reflect.get(terms, name)
  const id = String(of('groupId') || of('userId') || '').toLowerCase()
  const kind = isId(id) ? await kindOf(ctx, id) : undefined
  if (kind === 'user') return { userId: id }
  if (kind !== 'group') return undefined
  return {
    groupId: id,
    terms: { policy: readPolicy(of('policy')), skills: readSkills(of('skills')), maxOpen: readMaxOpen(of('maxOpen')) },
  }
}

/** The policy that a value names, as it is written; empty if it names none. */
export const policyIn = (value: unknown): string => String(Reflect.get(termsIn(value), 'policy') ?? '')

const termsIn = (value: unknown): object =>
  typeof value === 'object' && value !== null ? { ...value } : splitText(String(value ?? ''))

/** `leastLoaded <id>`, or an id alone. */
function splitText(text: string): { policy: string; groupId: string } {
  const words = text.trim().split(/[\s:]+/)
  return { policy: words.length > 1 ? (words[0] ?? '') : '', groupId: words.at(-1) ?? '' }
}

async function kindOf({ caller, sql }: Context, id: Id): Promise<'user' | 'group' | undefined> {
  const [found] = await sql<{ kind: 'user' | 'group' }>`
    select 'user' as kind from "user" where tenant_id = ${caller.tenantId} and id = ${id} and not deleted
    union all select 'group' from user_group where tenant_id = ${caller.tenantId} and id = ${id} and not deleted`
  return found?.kind
}

/** A code of `assignPolicy` or its name; `leastLoaded` counts the minutes that are left. Undefined is the policy of the group. */
function readPolicy(value: unknown): number | undefined {
  const text = String(value ?? '')
  if (text === '') return undefined
  const code = policyCalled(text)
  if (code !== undefined) return code
  throw new RuleBroken('no-such-policy', `there is no policy ${text} of assignment`)
}

/** The code of a policy by its code or name; undefined if there is none. */
export function policyCalled(text: string): number | undefined {
  if (/^leastLoaded$/i.test(text)) return assignPolicy.leastRemaining
  const named = assignPolicies.meanings.find(each => each.name.toLowerCase() === text.toLowerCase())
  const code = named?.code ?? Number(text)
  return isKnownCode(assignPolicies, code) ? code : undefined
}

/** A list, or a text with commas. */
function readSkills(value: unknown): string[] {
  const all = Array.isArray(value) ? value.map(String) : String(value ?? '').split(',')
  return all.map(each => each.trim()).filter(Boolean)
}

function readMaxOpen(value: unknown): number | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const max = Number(value)
  if (Number.isInteger(max) && max > 0) return max
  throw new RuleBroken('max-open', `maxOpen must be a whole number above 0, and not ${String(value)}`)
}
