import { readSecret } from '../../kernel/secrets.ts'
import { deliver } from '../hook/deliver.ts'
import { envelope, formats } from '../hook/envelope.ts'
import type { Work } from './act.ts'
import { type Endpoint, headerValues } from './endpoint.ts'
import type { Deed } from './log.ts'
import { signingName } from './signing.ts'

const methods = {
  0: 'POST',
  40: 'POST',
  41: 'PUT',
  42: 'PATCH',
  43: 'DELETE',
  44: 'GET',
  45: 'POST',
  46: 'POST',
} as const
const isKnown = (code: number): code is keyof typeof methods => Object.hasOwn(methods, code)

/** Owes a call to a foreign address: sent when the transaction has committed, tried again, and logged as those of hooks. */
export async function call(work: Work, each: Endpoint): Promise<Deed> {
  const { ctx, rule, occurrence } = work
  const { id, actionType, url } = each
  const deed = { id, actionType: actionType || 40 }
  if (!isKnown(actionType) || !URL.canParse(url)) return { ...deed, note: 'this call is not made here' }
  const item = await work.item()
  const recordId = occurrence.itemId ?? occurrence.recordId ?? rule.id
  const webhookId = `msg_${work.key}_${id}`.slice(0, 200)
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
      id: recordId,
    },
    href: item ? `${ctx.baseUrl}/api/item/${item.id}` : '',
    record: item ? { ...item } : {},
    changes: Object.fromEntries(Object.entries(occurrence.changes).map(([property, { to }]) => [property, to ?? null])),
  })
  const secret = await readSecret(ctx, ctx.secrets, rule.id, signingName)
  const deliveryId = await deliver(ctx, {
    ...{
      ownerEntity: 'Rule',
      ownerId: rule.id,
      url,
      method: methods[actionType],
      headers: await headerValues(ctx, rule.id, each),
      body,
      webhookId,
    },
    ...{ type: occurrence.kind, entity: item ? 'Item' : occurrence.entity, recordId },
    ...(secret ? { secret } : {}),
  })
  return { ...deed, after: { method: methods[actionType], host: new URL(url).host }, deliveryId }
}
