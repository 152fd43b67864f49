import { actionKind } from '../../../containers/action/action.ts'
import { eventConditionFindings } from '../../../items/condition-findings/condition-findings.ts'
import { itemVocabulary } from '../../../items/vocabulary/vocabulary.ts'
import type { Context } from '../../../kernel/context.ts'
import { isId } from '../../../kernel/id.ts'
import type { Finding } from '../../../kernel/record/record.ts'
import { strangerFindings } from '../../../mail/strangers.ts'
import { triggerEvents } from '../../../notify/trigger-event.ts'
import { isKnownCode } from '../../../records/code-table.ts'
import { goneReferences } from '../../../records/references/gone-references.ts'
import { isAddress, wordsIn } from '../actions/people.ts'
import { eventVocabulary } from '../engine/event-vocabulary.ts'
import { runAs as runAsCode } from '../engine/principal.ts'
import { mode, triggers } from '../rule-codes.ts'
import type { Rule } from '../rule-shape.ts'
import { intervalFault, readOffset, waitFault } from '../triggers/interval.ts'
import { actionFindings, unknownCode } from './action-findings.ts'
import { nameFindings } from './name-findings.ts'

/** Returns the parts of a rule that have no effect. */
export async function ruleFindings(rule: Rule, ctx: Context): Promise<Finding[]> {
  return [
    ...(await triggerFindings(rule, ctx)),
    ...(await conditionsOf(rule, ctx)),
    ...actionFindings(rule),
    ...(await nameFindings(rule, ctx)),
    ...(await strangerFindings(ctx, addressesIn(rule))),
    ...(await principalFindings(rule, ctx)),
    ...(await goneReferences(ctx, rule)),
    ...(rule.debounce !== '' && waitFault(rule.debounce)
      ? [
          {
            path: '/debounce',
            code: 'unreadable-interval',
            message: 'must be a duration of at most a day, such as PT5M',
          },
        ]
      : []),
    ...(rule.active ? [] : [{ path: '/active', code: 'inactive', message: 'the rule is off, so it does nothing' }]),
  ]
}

async function triggerFindings(rule: Rule, ctx: Context): Promise<Finding[]> {
  const name = triggers.meanings.find(({ code }) => code === rule.trigger)?.name
  if (!name) return [unknownCode('/trigger', 'trigger', rule.trigger)]
  if (rule.mode !== mode.afterCommit && rule.mode !== mode.beforeCommit)
    return [unknownCode('/mode', 'mode', rule.mode)]
  if (name === 'event' && !isKnownCode(triggerEvents, rule.triggerEvent)) {
    return [unknownCode('/triggerEvent', 'event', rule.triggerEvent)]
  }
  if (rule.mode === mode.beforeCommit && name !== 'event')
    return [
      {
        path: '/mode',
        code: 'only-events',
        message: 'only rules that are triggered by events can act before the commit',
      },
    ]
  const message = intervalFault(name, rule.triggerInterval)
  if (message) return [{ path: '/triggerInterval', code: 'unreadable-interval', message }]
  if (name !== 'dateField') return []
  const kind = (await itemVocabulary(ctx)).resolve(readOffset(rule.triggerInterval)?.path ?? '')?.kind
  const isDate = kind === 'date' || kind === 'instant'
  return isDate ? [] : [{ path: '/triggerInterval', code: 'unknown-path', message: 'is not a date of an item' }]
}

/** Drops findings for paths that an item does not have but an event does. */
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

/** Returns the literal mail addresses in the actions of a rule. */
function addressesIn({ actionValue }: Rule): { path: string; address: string }[] {
  return actionValue.flatMap(({ actionType: code = 0, value }, i) => {
    const kind = actionKind(code)
    const to = kind && 'mailsTo' in kind ? kind.mailsTo(value) : undefined
    return wordsIn(to)
      .filter(isAddress)
      .map(address => ({ path: `/actionValue/${i}/value/to`, address }))
  })
}

/** A rule does nothing if its owner or the user as whom it runs is no longer active. */
async function principalFindings({ ownerUser, runAs }: Rule, ctx: Context): Promise<Finding[]> {
  if (!['', ...Object.values(runAsCode)].includes(runAs) && !isId(runAs))
    return [
      {
        path: '/runAs',
        code: 'unknown-code',
        message: 'must be 0, 1 or the id of a user; with this value the rule does nothing',
      },
    ]
  const ids = [ownerUser, runAs].filter(isId)
  const rows = await ctx.sql<{
    id: string
  }>`select id from "user" where tenant_id = ${ctx.caller.tenantId} and id = any(${ids}::uuid[]) and active and not deleted`
  const there = new Set(rows.map(row => row.id))
  const left = (path: string, id: string): Finding[] =>
    isId(id) && !there.has(id.toLowerCase())
      ? [{ path, code: 'owner-left', message: 'is no longer an active user, so the rule does nothing' }]
      : []
  return [...left('/ownerUser', ownerUser), ...left('/runAs', runAs)]
}
