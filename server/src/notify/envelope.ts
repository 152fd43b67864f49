import type { Id } from '../kernel/id.ts'

/** The format of the body of a call; the codes of `format`. */
export const webhookFormat = { standard: 0, thin: 1, cloudEvents: 2, slack: 3, teams: 4 } as const

/** The content of a call: the event, and its record as it is now. */
export interface WebhookMessage {
  webhookId: string
  /** `item.closed` */
  type: string
  at: Date
  seq: string
  tenantId: Id
  changeSetId: Id
  actor: { id: Id; kind: string; name: string }
  entity: string
  id: Id
  /** The URL of the record. */
  href: string
  record: Record<string, unknown>
  /** The new value of each changed property, and in `previous` the old one if the hook asks for it. */
  changes: Record<string, unknown>
  previous?: Record<string, unknown>
}

/** A larger body is left out, and the receiver reads the record by its `href`; bytes. */
const maxBody = 20_000

/** Returns the body of a call and its content type. */
export function envelope(format: number, message: WebhookMessage): { body: string; type: string } {
  if (format === webhookFormat.slack) return json({ text: slackText(line(message)) })
  if (format === webhookFormat.teams) return json(card(line(message)))
  const thin = format === webhookFormat.thin
  const make = (data: Record<string, unknown>) =>
    format === webhookFormat.cloudEvents ? cloudEvent(message, data) : plain(message, data)
  const whole = make(thin ? about(message) : { ...about(message), ...content(message) })
  return Buffer.byteLength(whole.body) <= maxBody ? whole : make({ ...about(message), truncated: true })
}

function about({ seq, changeSetId, tenantId, actor, entity, id, href }: WebhookMessage): Record<string, unknown> {
  return { seq, changeSetId, tenantId, actor: { id: actor.id, kind: actor.kind }, entity, id, recordId: id, href }
}

function content({ record, changes, previous }: WebhookMessage): Record<string, unknown> {
  return { record, changes, ...(previous ? { previous } : {}) }
}

function plain({ type, at }: WebhookMessage, data: Record<string, unknown>) {
  return json({ type, timestamp: at.toISOString(), data })
}

function cloudEvent(message: WebhookMessage, data: Record<string, unknown>) {
  const { webhookId, type, at, tenantId, entity, id } = message
  const event = {
    specversion: '1.0',
    id: webhookId,
    source: `/tenant/${tenantId}`,
    type,
    subject: `${entity}/${id}`,
    time: at.toISOString(),
    datacontenttype: 'application/json',
    data,
  }
  return { body: JSON.stringify(event), type: 'application/cloudevents+json' }
}

/** One line for people: `Ada: item.closed INB-7 Printer on fire`. */
function line({ actor, type, record, href }: WebhookMessage): string {
  const called = [record.key, record.title ?? record.name].filter(each => typeof each === 'string' && each !== '')
  return `${actor.name || actor.kind}: ${type} ${called.join(' ')} ${href}`.replace(/\s+/g, ' ').slice(0, 1000)
}

function slackText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}

function card(text: string) {
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [{ type: 'TextBlock', wrap: true, text }],
  }
  return { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }] }
}

function json(value: unknown) {
  return { body: JSON.stringify(value), type: 'application/json' }
}
