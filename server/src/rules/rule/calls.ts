import { type CallKind, callKind } from '../../containers/action/action.ts'
import type { Id } from '../../kernel/id.ts'
import { deliver } from '../../notify/hook/deliver.ts'
import { type Endpoint, headerValues } from '../../notify/hook/endpoint.ts'
import { envelope, formats } from '../../notify/hook/envelope.ts'
import { readSecret } from '../../platform/secrets.ts'
import type { Work } from './act.ts'
import type { Deed } from './log.ts'
import { signingName } from './signing.ts'
import { textMessages } from './text-message.ts'

/** Owes calls to a foreign address: sent when the transaction has committed, tried again, and logged as those of hooks. */
export async function call(work: Work, each: Endpoint): Promise<Deed[]> {
  const { id, actionType, url } = each
  const kind = callKind(actionType)
  const deed = { id, actionType: kind?.code ?? actionType }
  if (!kind || !URL.canParse(url)) return [{ ...deed, note: 'this call is not made here' }]
  const { method } = kind
  const after = { method, host: new URL(url).host }
  const webhookId = `msg_${work.key}_${id}`.slice(0, 190)
  if (kind.body !== 'text') {
    const body = await envelopeOf(work, bodyFormats[kind.body], webhookId)
    return [{ ...deed, after, deliveryId: await send(work, each, { method, body, webhookId }) }]
  }
  const messages = await textMessages(work, each)
  if (messages.length === 0) return [{ ...deed, note: 'there is no number to write to' }]
  const done: Deed[] = []
  for (const [n, message] of messages.entries()) {
    const one = { method, body: JSON.stringify(message), webhookId: `${webhookId}_${n}` }
    done.push({ ...deed, after: { ...after, to: message.to }, deliveryId: await send(work, each, one) })
  }
  return done
}

const bodyFormats = { event: formats.standard, slack: formats.slack, teams: formats.teams } as const

/** What happened, and the item as it is by now. */
async function envelopeOf(work: Work, format: number, webhookId: string): Promise<string> {
  const { ctx, rule, occurrence } = work
  const item = await work.item()
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
    changes: Object.fromEntries(Object.entries(occurrence.changes).map(([property, { to }]) => [property, to ?? null])),
  })
  return body
}

const recordOf = ({ occurrence, rule }: Work): Id => occurrence.itemId ?? occurrence.recordId ?? rule.id

async function send(
  work: Work,
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
