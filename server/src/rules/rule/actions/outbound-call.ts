import { type CallKind, callKind } from '../../../containers/action/action.ts'
import { shownTo } from '../../../containers/redaction/redaction.ts'
import type { Id } from '../../../kernel/id.ts'
import { deliver } from '../../../notify/delivery/delivery.ts'
import { type Endpoint, headerValues } from '../../../notify/endpoint.ts'
import { envelope, webhookFormat } from '../../../notify/envelope.ts'
import { readSecret } from '../../../platform/secrets.ts'
import type { ActionResult } from '../log/log.ts'
import type { ActionContext } from './action-context.ts'
import { signingName } from './signing-secret.ts'
import { textMessages } from './text/text-message.ts'

/** Enqueues calls to a foreign address. They are sent after the commit, retried, and logged like the deliveries of hooks. */
export async function enqueueCalls(work: ActionContext, each: Endpoint): Promise<ActionResult[]> {
  const { id, actionType, url } = each
  const kind = callKind(actionType)
  const result = { id, actionType: kind?.code ?? actionType }
  if (!kind || !URL.canParse(url)) return [{ ...result, note: 'this call is not supported here' }]
  const { method } = kind
  const after = { method, host: new URL(url).host }
  const webhookId = `msg_${work.key}_${id}`.slice(0, 190)
  if (kind.body !== 'text') {
    const body = await envelopeOf(work, bodyFormats[kind.body], webhookId)
    return [{ ...result, after, deliveryId: await send(work, each, { method, body, webhookId }) }]
  }
  const messages = await textMessages(work, each)
  if (messages.length === 0) return [{ ...result, note: 'there is no phone number' }]
  const done: ActionResult[] = []
  for (const [n, message] of messages.entries()) {
    const one = { method, body: JSON.stringify(message), webhookId: `${webhookId}_${n}` }
    done.push({ ...result, after: { ...after, to: message.to }, deliveryId: await send(work, each, one) })
  }
  return done
}

const bodyFormats = { event: webhookFormat.standard, slack: webhookFormat.slack, teams: webhookFormat.teams } as const

/** The body of a call: the occurrence and the current item, as the user sees them as whom the rule acts. */
async function envelopeOf(work: ActionContext, format: number, webhookId: string): Promise<string> {
  const { ctx, rule, occurrence } = work
  const item = await shownTo(ctx, await work.item())
  const { entity, recordId } = occurrence
  const { changes } = await shownTo(ctx, { entity, recordId, changes: occurrence.changes })
  const { body } = envelope(format, {
    ...{
      webhookId,
      type: occurrence.kind,
      at: occurrence.at,
      seq: occurrence.eventId ?? '',
      tenantId: ctx.caller.tenantId,
    },
    ...{
      changeSetId: ctx.changeSet,
      actor: { id: rule.id, kind: 'rule', name: rule.name },
      entity: item ? 'Item' : occurrence.entity,
      id: recordOf(work),
    },
    href: item ? `${ctx.services.baseUrl}/api/item/${item.id}` : '',
    record: item ? { ...item } : {},
    changes: Object.fromEntries(Object.entries(changes).map(([property, { to }]) => [property, to ?? null])),
  })
  return body
}

const recordOf = ({ occurrence, rule }: ActionContext): Id => occurrence.itemId ?? occurrence.recordId ?? rule.id

async function send(
  work: ActionContext,
  each: Endpoint,
  { method, body, webhookId }: { method: CallKind['method']; body: string; webhookId: string },
): Promise<Id> {
  const { ctx, rule, occurrence } = work
  const secret = await readSecret(ctx, rule.id, signingName)
  return await deliver(ctx, {
    ...{
      ownerEntity: 'Rule',
      ownerId: rule.id,
      url: each.url,
      method,
      headers: await headerValues(ctx, rule.id, each),
      body,
      webhookId,
    },
    ...{ type: occurrence.kind, entity: (await work.item()) ? 'Item' : occurrence.entity, recordId: recordOf(work) },
    ...(secret ? { secret } : {}),
  })
}
