import { type Action, actionShape } from '../../../containers/action/action.ts'
import { syntaxFault } from '../../../containers/content-template/content-template.ts'
import { knownStates } from '../../../containers/known-states.ts'
import { policyCalled } from '../../../desk/assignment/assignment.ts'
import { createSchema } from '../../../items/item-body/item-body.ts'
import { hasTypeCalled } from '../../../items/link/link.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Finding } from '../../../kernel/record/record.ts'
import { findUnknown } from '../../../kernel/record/references.ts'
import { complete } from '../../../records/input/entries.ts'
import { targetOf } from '../actions/item-patch.ts'
import { eventVocabulary } from '../engine/event-vocabulary.ts'
import type { Rule } from '../rule-shape.ts'
import { type ActionName, hasTemplate, namesIn } from './action-names.ts'

/** Findings for what the actions of a rule name and what does not exist, and for texts that are no valid templates. */
export async function nameFindings(rule: Rule, ctx: Context): Promise<Finding[]> {
  const found: Finding[] = []
  for (const [i, action] of complete(actionShape, rule.actionValue).entries()) {
    const at = `/actionValue/${i}`
    found.push(...templateFindings(action.value, `${at}/value`))
    for (const name of namesIn(action)) {
      const fault = await faultOf(ctx, name, action, rule)
      if (fault) found.push({ path: `${at}/${name.input ?? 'value'}`, ...fault })
    }
  }
  for (const [i, { to, text }] of rule.actionEndpoint.entries())
    found.push(...templateFindings({ to, text }, `/actionEndpoint/${i}`))
  return found
}

/** Findings for the texts in a value that cannot be rendered. */
function templateFindings(value: unknown, path: string): Finding[] {
  if (value !== null && typeof value === 'object')
    return Object.entries(value).flatMap(([key, each]) =>
      templateFindings(each, `${path}/${key.replaceAll('/', '~1')}`),
    )
  const fault = typeof value === 'string' && hasTemplate(value) ? syntaxFault(value) : undefined
  return fault ? [{ path, code: 'template', message: fault }] : []
}

type NameFault = Omit<Finding, 'path'>

async function faultOf(ctx: Context, name: ActionName, action: Action, rule: Rule): Promise<NameFault | undefined> {
  const { text } = name
  switch (name.what) {
    case 'record':
      return (await isRecord(ctx, name.entities, text))
        ? undefined
        : fault('unknown-reference', `there is no ${name.entities.join(' or ')} ${text} that you can see`)
    case 'field':
      return (await targetOf({ ctx }, text, action.value))
        ? undefined
        : fault('unknown-field', `items have no field ${text} that a rule can set`)
    case 'path':
      return (await eventVocabulary(ctx)).resolve(text) ? undefined : fault('unknown-path', `there is no path ${text}`)
    case 'state':
      return (await isState(ctx, rule, text)) ? undefined : fault('unknown-state', `no workflow has the state ${text}`)
    case 'linkType':
      return (await hasTypeCalled(ctx, text)) ? undefined : fault('unknown-link-type', `there is no link type ${text}`)
    case 'newItem':
      return text in newItem ? undefined : fault('unknown-field', `a new item has no property ${text}`)
    case 'policy':
      return policyCalled(text) === undefined
        ? fault('unknown-policy', `there is no policy ${text} of assignment`)
        : undefined
    case 'nobody':
      return fault('unknown-person', `${text} is no user, group, address or word such as @assignee`)
  }
}

const fault = (code: string, message: string): NameFault => ({ code, message })

/** What `createItem` takes: the properties of an item, and how it is connected with the item of the rule. */
const newItem: Readonly<Record<string, unknown>> = { ...createSchema.properties, relation: true, linkType: true }

async function isRecord(ctx: Context, entities: readonly string[], text: string): Promise<boolean> {
  const asked = entities.map(entity => ({ entity, id: text.toLowerCase(), path: [] }))
  return (await findUnknown(ctx, asked)).length < entities.length
}

async function isState(ctx: Context, { container }: Rule, text: string): Promise<boolean> {
  const { anyValue, names } = await knownStates(ctx, container)
  if (anyValue || names.has(text.toLowerCase())) return true
  return (await knownStates(ctx, container, [])).names.has(text.toLowerCase())
}
