import { type ActionsThat, actionKind } from '../../../containers/action/action.ts'
import type { Context } from '../../../kernel/context.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { IncomingMail, MailRuleResult } from '../../../mail/mail-rules.ts'
import { ownerKind } from '../../../records/references/owner.ts'
import { ticketProperty } from '../actions/item-patch.ts'
import { actionContext, actionsOf } from '../actions/perform.ts'
import { matchRules, trace } from '../engine/evaluate.ts'
import { liveRules } from '../engine/live-rules.ts'
import type { Occurrence } from '../engine/occurrence.ts'
import { asRule, principalOf } from '../engine/principal.ts'
import { type ActionResult, type LogEntry, outcome, writeLog } from '../log/log.ts'
import type { Rule } from '../rule-shape.ts'

/** Runs the mail rules before a mail becomes a ticket: they drop it, move it, or set properties of the new ticket. */
export async function applyRulesToMail(ctx: Context, arriving: IncomingMail): Promise<MailRuleResult> {
  const { mail } = await liveRules(ctx)
  if (mail.length === 0) return {}
  const occurrence = occurrenceOf(ctx, arriving)
  const entries: LogEntry[] = []
  const notes: string[] = []
  let result: MailRuleResult = {}
  for (const rule of mail) {
    if (rule.container.length > 0 && !rule.container.includes(arriving.containerId)) continue
    const principal = await principalOf(ctx, rule, ctx.caller.userId)
    if (!principal) continue
    // The container is checked above. The scope is cleared, because there is no item yet that could be in it.
    const acting = { rule: { ...rule, container: [], owner: ownerKind.tenant }, principal }
    const [[holds] = []] = await matchRules(ctx, [acting], [occurrence])
    const conditions = await trace(ctx, acting, occurrence)
    const entry = { rule, occurrence, conditions }
    if (!holds) {
      entries.push({ ...entry, outcome: outcome.missed })
      continue
    }
    try {
      const { render } = actionContext(asRule(ctx, principal), acting, occurrence)
      const actions: ActionResult[] = []
      const mail: MailOutcome = { ticket: { ...result.ticket } }
      for (const action of actionsOf(rule)) {
        const { id, actionType, field } = action
        const kind = actionKind(actionType)
        if (!kind?.onMail) {
          actions.push({ id, actionType, note: 'this action does not apply to a mail' })
          continue
        }
        const value = await render(action.value)
        mailHandlers[kind.name](mail, { rule, field, value })
        actions.push({ id, actionType, ...(field ? { field } : {}), after: value ?? true })
      }
      result = mail.drop ? { drop: mail.drop } : { ticket: mail.ticket }
      entries.push({ ...entry, outcome: outcome.acted, actions })
      notes.push(rule.name)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      entries.push({ ...entry, outcome: outcome.failed, error: error.message })
    }
    if (result.drop || rule.stopOnMatch) break
  }
  await writeLog(ctx, entries)
  return { ...result, ...(notes.length > 0 ? { note: `rules: ${notes.join(', ')}` } : {}) }
}

/** The combined result of the actions so far. */
interface MailOutcome {
  drop?: string
  ticket: Record<string, unknown>
}

type MailHandler = (mail: MailOutcome, given: { rule: Rule; field: string; value: unknown }) => void

const dropMail: MailHandler = (mail, { rule, value }) => {
  mail.drop = String(value || `the rule ${rule.name}`)
}

const mailHandlers: Readonly<Record<ActionsThat<{ onMail: true }>, MailHandler>> = {
  setField({ ticket }, { field, value }) {
    ticket[ticketProperty(field)] = value
  },
  addToList({ ticket }, { field, value }) {
    ticket[ticketProperty(field)] = [...[ticket[ticketProperty(field)] ?? []].flat(), ...[value].flat()]
  },
  assign({ ticket }, { value }) {
    ticket.assignees = [value].flat()
  },
  move({ ticket }, { value }) {
    ticket.containerId = value
  },
  veto: dropMail,
  delete: dropMail,
}

function occurrenceOf(ctx: Context, { mail, auto, itemId }: IncomingMail): Occurrence {
  const named = Map.groupBy(mail.headers, each => each.name)
  const headers = Object.fromEntries(
    [...named].map(([name, lines]) => [name, lines.map(each => each.value).join(', ')]),
  )
  const message = {
    ...{
      from: mail.from?.address ?? '',
      to: mail.to.map(each => each.address),
      subject: mail.subject,
      text: mail.text.slice(0, 65_536),
    },
    ...{ header: headers, autoReply: auto },
  }
  return {
    ...{
      eventId: null,
      kind: 'mail.received',
      entity: 'MailMessage',
      recordId: null,
      itemId: itemId || null,
      actorId: ctx.caller.userId,
    },
    ...{ actorKind: 'mail', at: ctx.now, changes: {}, cause: null, root: ctx.changeSet, more: { mail: message } },
  }
}
