import { eventConditionFindings } from '../../items/vocabulary/condition-findings.ts'
import { itemVocabulary } from '../../items/vocabulary/vocabulary.ts'
import type { Context } from '../../kernel/context.ts'
import { isId } from '../../kernel/id.ts'
import type { Finding } from '../../kernel/resource.ts'
import { strangerFindings } from '../../mail/strangers.ts'
import { actionType, knows, trigger, triggerEvent } from '../../notify/codes.ts'
import { eventVocabulary } from './event-vocabulary.ts'
import { intervalFault, readOffset, waitFault } from './interval.ts'
import { isAddress, words } from './people.ts'
import type { Rule } from './rule.ts'

const firstEndpoint = 40
/** The actions that do something to a field. */
const lastOfFields = 5
const veto = 24
const inboundMail = 4
const sendsMail = 22
const approval = 30
const assist = 32
const textMessage = 47

/** What of a rule the engine cannot act on. */
export async function ruleFindings(rule: Rule, ctx: Context): Promise<Finding[]> {
  return [
    ...(await triggerFindings(rule, ctx)),
    ...(await conditionsOf(rule, ctx)),
    ...actionFindings(rule),
    ...(await strangerFindings(ctx, addressesIn(rule))),
    ...(await principalFindings(rule, ctx)),
    ...(rule.debounce !== '' && waitFault(rule.debounce)
      ? [
          {
            path: '/debounce',
            code: 'unreadable-interval',
            message: 'must be a duration of at most a day, such as PT5M',
          },
        ]
      : []),
  ]
}

async function triggerFindings(rule: Rule, ctx: Context): Promise<Finding[]> {
  const name = trigger.meanings.find(({ code }) => code === rule.trigger)?.name
  if (!name) return [unknown('/trigger', 'trigger', rule.trigger)]
  if (rule.mode !== 0 && rule.mode !== 1) return [unknown('/mode', 'mode', rule.mode)]
  if (name === 'event' && !knows(triggerEvent, rule.triggerEvent)) {
    return [unknown('/triggerEvent', 'event', rule.triggerEvent)]
  }
  if (rule.mode === 1 && name !== 'event')
    return [{ path: '/mode', code: 'only-events', message: 'only an event has a commit to come before' }]
  const message = intervalFault(name, rule.triggerInterval)
  if (message) return [{ path: '/triggerInterval', code: 'unreadable-interval', message }]
  if (name !== 'dateField') return []
  const kind = (await itemVocabulary(ctx)).resolve(readOffset(rule.triggerInterval)?.path ?? '')?.kind
  const isDate = kind === 'date' || kind === 'instant'
  return isDate ? [] : [{ path: '/triggerInterval', code: 'unknown-path', message: 'names no date of an item' }]
}

/** Beyond what can be asked of an item by itself, an event tells more of it. */
async function conditionsOf(rule: Rule, ctx: Context): Promise<Finding[]> {
  const found = await eventConditionFindings(ctx, rule.conditionGroup, rule.container)
  if (!found.some(({ code }) => code === 'unknown-path')) return found
  const vocabulary = await eventVocabulary(ctx)
  return found.filter(({ path, code }) => {
    const [, , g, , c] = path.split('/')
    const leftSide = rule.conditionGroup[Number(g)]?.condition[Number(c)]?.leftSide ?? ''
    return code !== 'unknown-path' || vocabulary.resolve(leftSide) === undefined
  })
}

function actionFindings(rule: Rule): Finding[] {
  const { actionValue, actionEndpoint } = rule
  const values = actionValue.flatMap(({ actionType: code = 0, field = '', value }, i) => {
    const path = `/actionValue/${i}`
    if (code >= firstEndpoint || !knows(actionType, code))
      return [unknown(`${path}/actionType`, 'action on a value', code)]
    if (code <= lastOfFields && field === '')
      return [{ path: `${path}/field`, code: 'no-field', message: 'names no field' }]
    if (code === approval && !namesGroup(value))
      return [{ path: `${path}/value`, code: 'no-group', message: 'must name a group: {"groupId": …}' }]
    return untimely(`${path}/actionType`, code, rule)
  })
  const endpoints = actionEndpoint.flatMap(({ actionType: code = 0, url = '', to = '' }, i) => {
    const path = `/actionEndpoint/${i}`
    // 0 stands for the first of the calls, a signed POST.
    const known = code === 0 || (code >= firstEndpoint && knows(actionType, code))
    if (!known) return [unknown(`${path}/actionType`, 'call', code)]
    if (url === '') return [{ path: `${path}/url`, code: 'no-url', message: 'has no address to call' }]
    if (code === textMessage && to.trim() === '')
      return [{ path: `${path}/to`, code: 'no-number', message: 'names nobody to write to' }]
    return untimely(`${path}/actionType`, code, rule)
  })
  return [...values, ...endpoints]
}

const namesGroup = (value: unknown) =>
  value !== null && typeof value === 'object' && 'groupId' in value && String(value.groupId).trim() !== ''

/** The addresses that mails of a rule name outright. */
function addressesIn({ actionValue }: Rule): { path: string; address: string }[] {
  return actionValue.flatMap(({ actionType: code, value }, i) => {
    const to = code === sendsMail && value !== null && typeof value === 'object' ? Reflect.get(value, 'to') : undefined
    return words(to)
      .filter(isAddress)
      .map(address => ({ path: `/actionValue/${i}/value/to`, address }))
  })
}

/** What is not done at all, not before the commit, or only there. */
function untimely(path: string, code: number, rule: Rule): Finding[] {
  if (code === assist)
    return [
      {
        path,
        code: 'not-done-here',
        message:
          'asking the assistant needs a model and the consent of the tenant; no model is connected, so it does nothing',
      },
    ]
  if (rule.mode === 1 && code > lastOfFields && code !== veto)
    return [{ path, code: 'not-before-commit', message: 'before the commit fields are set or the change is refused' }]
  if (rule.mode === 0 && code === veto && rule.trigger !== inboundMail)
    return [{ path, code: 'only-before-commit', message: 'what is committed can no longer be refused' }]
  return []
}

/** A rule whose owner left rests. */
async function principalFindings({ ownerUser, runAs }: Rule, ctx: Context): Promise<Finding[]> {
  if (!['', '0', '1'].includes(runAs) && !isId(runAs))
    return [
      {
        path: '/runAs',
        code: 'unknown-code',
        message: 'must be 0, 1 or the id of a user; as it is, the rule does nothing',
      },
    ]
  const ids = [ownerUser, runAs].filter(isId)
  const rows = await ctx.sql<{
    id: string
  }>`select id from "user" where tenant_id = ${ctx.caller.tenantId} and id = any(${ids}::uuid[]) and active and not deleted`
  const there = new Set(rows.map(row => row.id))
  const left = (path: string, id: string): Finding[] =>
    isId(id) && !there.has(id.toLowerCase())
      ? [{ path, code: 'owner-left', message: 'is no longer here, so the rule does nothing' }]
      : []
  return [...left('/ownerUser', ownerUser), ...left('/runAs', runAs)]
}

function unknown(path: string, what: string, code: number): Finding {
  return { path, code: 'unknown-code', message: `${code} is no ${what} known here` }
}
