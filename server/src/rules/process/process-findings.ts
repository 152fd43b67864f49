import { type Field, isValueFault, readFieldValue } from '../../containers/field/field.ts'
import { fieldsNamed, unambiguous } from '../../containers/fields-named.ts'
import type { ProcessField, WorkflowStep } from '../../containers/workflow/workflow.ts'
import { workflowFindings } from '../../containers/workflow-findings.ts'
import { conditionFindings } from '../../items/condition-findings/condition-findings.ts'
import { items } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'
import type { Finding } from '../../kernel/record/record.ts'
import { Invalid } from '../../kernel/refusal.ts'

/** Returns what has no effect in a process: transitions to unknown states, guards that cannot hold, invalid defaults. */
export async function processFindings(
  ctx: Context,
  workflow: readonly WorkflowStep[],
  fields: readonly ProcessField[],
): Promise<Finding[]> {
  if (workflow.length === 0 && fields.length === 0) return []
  // Only steps and defaults refer to values of a field, so only their fields are read.
  const named = [...workflow, ...fields.filter(each => each.default !== undefined)].map(each => each.fieldId)
  const known = await fieldsNamed(
    ctx,
    [...new Set(named)].filter(each => each !== '' && !items.byProperty.has(each)),
  )
  const plain = unambiguous(workflow, fields, known)
  const found = workflowFindings(plain.workflow, plain.fields)
  for (const [i, { conditionGroup = [] }] of workflow.entries()) {
    found.push(...(await conditionFindings(ctx, conditionGroup, { at: `/workflow/${i}/conditionGroup` })))
  }
  for (const [i, each] of fields.entries()) {
    const message = each.default === undefined ? undefined : unfit(each, known.get(each.fieldId))
    if (message !== undefined) found.push({ path: `/fields/${i}/default`, code: 'unfit-default', message })
  }
  return found
}

function unfit({ fieldId, default: value }: ProcessField, field: Field | undefined): string | undefined {
  if (field) {
    const read = readFieldValue(field, value)
    return isValueFault(read) ? read.message : undefined
  }
  try {
    items.readUpdate({ [fieldId]: value })
    return undefined
  } catch (error) {
    if (error instanceof Invalid) return error.faults[0]?.Message ?? error.message
    throw error
  }
}
