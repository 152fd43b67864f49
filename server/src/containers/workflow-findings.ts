import type { Finding } from '../kernel/record/record.ts'
import { statusCategory } from './status-category.ts'
import { namesIn, type ProcessField, pseudoGroups, type WorkflowStep } from './workflow/workflow.ts'

const categories: readonly number[] = Object.values(statusCategory)

/** Findings for the entries of a workflow that have no effect. */
export function workflowFindings(workflow: readonly WorkflowStep[], fields: readonly ProcessField[] = []): Finding[] {
  const ids = new Set(workflow.map(each => each.id))
  const known = new Map(
    [...Map.groupBy(workflow, each => each.fieldId)].map(([fieldId, steps]) => [
      fieldId,
      new Set(steps.flatMap(({ id, value }) => [id, value])),
    ]),
  )
  const begun = new Map<string, string>()
  return [
    ...workflow.flatMap((each, i) => {
      const found: Finding[] = []
      const at = (property: string, code: string, message: string) =>
        found.push({ path: `/workflow/${i}/${property}`, code, message })
      if (each.fieldId === '') at('fieldId', 'no-field', 'has no field, so the entry has no effect')
      const targets = known.get(each.fieldId) ?? new Set()
      for (const target of namesIn(each.next, targets)) {
        if (target !== '*' && !targets.has(target))
          at('next', 'dangling-next', `no entry has the id or value ${target}`)
      }
      for (const [g, group] of each.userGroup.entries())
        if (isNobody(group)) at(`userGroup/${g}`, 'unknown-group', nobody(group))
      if (each.category !== undefined && !categories.includes(each.category))
        at('category', 'unknown-code', `${each.category} is not a known code`)
      if (each.initial) {
        const first = begun.get(each.fieldId) ?? each.value
        if (first !== each.value) at('initial', 'second-initial', 'another state of this field is already initial')
        begun.set(each.fieldId, first)
      }
      return found
    }),
    ...fields.flatMap(({ requiredAt = [], readOnlyFor = [], hiddenFor = [] }, i) => [
      ...requiredAt.flatMap((id, n) =>
        ids.has(id)
          ? []
          : [{ path: `/fields/${i}/requiredAt/${n}`, code: 'dangling-step', message: `no entry has the id ${id}` }],
      ),
      ...Object.entries({ readOnlyFor, hiddenFor }).flatMap(([property, groups]) =>
        groups.flatMap((group, n) =>
          isNobody(group)
            ? [{ path: `/fields/${i}/${property}/${n}`, code: 'unknown-group', message: nobody(group) }]
            : [],
        ),
      ),
    ]),
  ]
}

const isNobody = (group: string) => group.startsWith('@') && !pseudoGroups.some(each => each === group)
const nobody = (group: string) => `${group} is not a known pseudo-group; known are ${pseudoGroups.join(', ')}`
