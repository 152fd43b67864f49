import { codes, type Item } from '@gantry/sdk'
import type { Sent } from '../../../../kernel/data/outbox/outbox.ts'
import { newId } from '../../../../kernel/data/records/ids.ts'
import { createRecord } from '../../../../kernel/data/updates.ts'
import { instantNow } from '../../../../kernel/dates/days.ts'
import type { Message } from '../thread.ts'

const { annotationKind } = codes

interface Outgoing {
  item: Item
  kind: number
  body: string
  attachments: string[]
  /** Who gets a reply in copy; undefined leaves that to the ticket. */
  cc?: string[] | undefined
  authorId: string
}

interface Sending extends Outgoing {
  isTicket: boolean
  mentions: string[]
  /** The place of the composer's draft, and what it had. */
  draft: { place: string; value: unknown }
  text: string
}

/** Sends a message. A reply to a requester goes out as a mail, where the desk has a mailbox. */
export function sendMessage({ isTicket, mentions, draft, text, ...message }: Sending): Promise<Sent> {
  const { item, kind, body, attachments, cc } = message
  const record = pendingMessage(message)
  const shared = { record, draft, text }
  if (isTicket && kind === annotationKind.reply) {
    const path = { id: item.id }
    const reply = { body, attachments, ...(cc ? { cc } : {}) }
    return createRecord({ ...shared, route: 'POST /ticket/{id}/reply', path, body: reply })
  }
  const values = { itemId: item.id, kind, body, attachments, mentions }
  return createRecord({ ...shared, route: 'POST /annotation', body: values })
}

/** The message as it is shown until the service has it. */
function pendingMessage({ item, kind, body, attachments, authorId }: Outgoing): Message {
  const created = instantNow()
  return {
    entity: 'Annotation',
    tenantId: '',
    id: newId(),
    created,
    createdBy: authorId,
    updated: created,
    updatedBy: authorId,
    deleted: false,
    version: 0,
    itemId: item.id,
    owner: 0,
    ownerId: item.id,
    kind,
    body,
    bodyFormat: 'markdown',
    authorId,
    via: Number.NaN,
    replyToId: '',
    restrictedTo: [],
    attachments,
    mentions: [],
    pinned: false,
    resolvedAt: null,
    notifiedAt: null,
    mail: {},
    timeId: '',
    anchor: {},
    mergedFrom: '',
    reachesNobody: false,
    reactions: {},
    edited: [],
  }
}
