import type { Id } from '../../kernel/id.ts'
import { deliver } from '../../notify/hook/deliver.ts'
import { type Endpoint, headerValues } from '../../notify/hook/endpoint.ts'
import { envelope, formats } from '../../notify/hook/envelope.ts'
import { readSecret } from '../../platform/secrets.ts'
import type { Work } from './act.ts'
import type { Deed } from './log.ts'
import { signingName } from './signing.ts'
import { textMessages } from './text-message.ts'

const methods = {
  0: 'POST',
  40: 'POST',
  41: 'PUT',
  42: 'PATCH',
  43: 'DELETE',
  44: 'GET',
  45: 'POST',
  46: 'POST',
  47: 'POST',
} as const
const isKnown = (code: number): code is keyof typeof methods => Object.hasOwn(methods, code)

const textMessage = 47

/** Owes calls to a foreign address: sent when the transaction has committed, tried again, and logged as those of hooks. */
export async function call(work: Work, each: Endpoint): Promise<Deed[]> {
  const { id, actionType, url } = each
  const deed = { id, actionType: actionType || 40 }
  if (!isKnown(actionType) || !URL.canParse(url)) return [{ ...deed, note: 'this call is not made here' }]
  const method = methods[actionType]
  const after = { method, host: new URL(url).host }
  const webhookId = `msg_${work.key}_${id}`.slice(0, 190)
  if (actionType !== textMessage) {
    const body = await envelopeOf(work, actionType, webhookId)
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

/** What happened, and the item as it is by now. */
async function envelopeOf(work: Work, actionType: number, webhookId: string): Promise<string> {
  const { ctx, rule, occurrence } = work
  const item = await work.item()
  const format = actionType === 45 ? formats.slack : actionType === 46 ? formats.teams : formats.standard
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
  { method, body, webhookId }: { method: (typeof methods)[keyof typeof methods]; body: string; webhookId: string },
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
