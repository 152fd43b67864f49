import type { Context } from '../../kernel/database.ts'
import type { Finding } from '../../kernel/resource.ts'
import { actionType, knows, trigger, triggerEvent } from '../codes.ts'
import { eventConditionFindings } from '../condition-findings.ts'
import { intervalFault } from './interval.ts'
import type { Rule } from './rule.ts'

const firstEndpoint = 40
/** The actions that do something to a field. */
const lastOfFields = 5

/** What of a rule the engine cannot act on. */
export async function ruleFindings(rule: Rule, ctx: Context): Promise<Finding[]> {
  const conditions = await eventConditionFindings(ctx, rule.conditionGroup, rule.container)
  return [...triggerFindings(rule), ...conditions, ...actionFindings(rule)]
}

function triggerFindings(rule: Rule): Finding[] {
  const name = trigger.meanings.find(({ code }) => code === rule.trigger)?.name
  if (!name) return [unknown('/trigger', 'trigger', rule.trigger)]
  if (name === 'event' && !knows(triggerEvent, rule.triggerEvent)) {
    return [unknown('/triggerEvent', 'event', rule.triggerEvent)]
  }
  const message = intervalFault(name, rule.triggerInterval)
  return message ? [{ path: '/triggerInterval', code: 'unreadable-interval', message }] : []
}

function actionFindings({ actionValue, actionEndpoint }: Rule): Finding[] {
  const values = actionValue.flatMap(({ actionType: code = 0, field = '' }, i) => {
    const path = `/actionValue/${i}`
    if (code >= firstEndpoint || !knows(actionType, code))
      return [unknown(`${path}/actionType`, 'action on a value', code)]
    if (code <= lastOfFields && field === '')
      return [{ path: `${path}/field`, code: 'no-field', message: 'names no field' }]
    return []
  })
  const endpoints = actionEndpoint.flatMap(({ actionType: code = 0, url = '' }, i) => {
    const path = `/actionEndpoint/${i}`
    // 0 stands for the first of the calls, a signed POST.
    const known = code === 0 || (code >= firstEndpoint && knows(actionType, code))
    if (!known) return [unknown(`${path}/actionType`, 'call', code)]
    return url === '' ? [{ path: `${path}/url`, code: 'no-url', message: 'has no address to call' }] : []
  })
  return [...values, ...endpoints]
}

function unknown(path: string, what: string, code: number): Finding {
  return { path, code: 'unknown-code', message: `${code} is no ${what} known here` }
}
