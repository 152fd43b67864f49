import type { Id } from '../kernel/id.ts'

/** How a call looks; the code of `format`. */
export const formats = { standard: 0, thin: 1, cloudEvents: 2, slack: 3, teams: 4 } as const

/** What is told: the event, and the record as it is now. */
export interface Told {
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
  /** Where it can be read. */
  href: string
  record: Record<string, unknown>
  /** What each changed property has become; and what it was, if that was asked for. */
  changes: Record<string, unknown>
  previous?: Record<string, unknown>
}

/** Receivers take small bodies well; of what is larger they are told where to read it. */
const largest = 20_000

/** The body of a call, and what it is. */
export function envelope(format: number, told: Told): { body: string; type: string } {
  if (format === formats.slack) return json({ text: slackText(line(told)) })
  if (format === formats.teams) return json(card(line(told)))
  const thin = format === formats.thin
  const make = (data: Record<string, unknown>) =>
    format === formats.cloudEvents ? cloudEvent(told, data) : plain(told, data)
  const whole = make(thin ? about(told) : { ...about(told), ...content(told) })
  return Buffer.byteLength(whole.body) <= largest ? whole : make({ ...about(told), truncated: true })
}

function about({ seq, changeSetId, tenantId, actor, entity, id, href }: Told): Record<string, unknown> {
  return { seq, changeSetId, tenantId, actor: { id: actor.id, kind: actor.kind }, entity, id, href }
}

function content({ record, changes, previous }: Told): Record<string, unknown> {
  return { record, changes, ...(previous ? { previous } : {}) }
}

function plain({ type, at }: Told, data: Record<string, unknown>) {
  return json({ type, timestamp: at.toISOString(), data })
}

function cloudEvent(told: Told, data: Record<string, unknown>) {
  const { webhookId, type, at, tenantId, entity, id } = told
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
function line({ actor, type, record, href }: Told): string {
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
