import type { Entry } from '../kernel/entries.ts'
import type { Finding } from '../kernel/resource.ts'
import { Mentions, Text } from '../kernel/values.ts'

/** A state (`fieldId` = `value`), where one may go from it (`next`), and who may (`userGroup`). */
export const step = {
  id: Text(100),
  fieldId: Text(60),
  value: Text(500),
  next: Text(4000),
  userGroup: Mentions('UserGroup', 100, 60),
}

export type Step = Entry<typeof step>

/** Who somebody is to the item at hand, or to the tenant; not a group with members. */
const pseudoGroups = [
  '@author',
  '@assignee',
  '@requester',
  '@watcher',
  '@everyone',
  '@staff',
  '@requesters',
  '@superAdmins',
]

/** What of a workflow leads nowhere. */
export function workflowFindings(workflow: readonly Step[]): Finding[] {
  const targets = new Set(workflow.flatMap(({ id, value }) => [id, value]))
  return workflow.flatMap(({ fieldId, next, userGroup }, i) => {
    const found: Finding[] = []
    const at = (property: string, code: string, message: string) =>
      found.push({ path: `/workflow/${i}/${property}`, code, message })
    if (fieldId === '') at('fieldId', 'no-field', 'names no field, so it is no state of anything')
    for (const target of nextOf(next, targets)) {
      if (target !== '*' && !targets.has(target)) at('next', 'dangling-next', `no entry has the id or value ${target}`)
    }
    for (const [g, group] of userGroup.entries()) {
      if (group.startsWith('@') && !pseudoGroups.includes(group)) {
        at(`userGroup/${g}`, 'unknown-group', `${group} is nobody; known are ${pseudoGroups.join(', ')}`)
      }
    }
    return found
  })
}

/** The states that `next` names; a value may itself hold a comma. */
function nextOf(next: string, targets: ReadonlySet<string>): string[] {
  if (next === '' || targets.has(next)) return []
  return next
    .split(',')
    .map(each => each.trim())
    .filter(Boolean)
}
