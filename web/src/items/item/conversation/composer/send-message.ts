import { call, codes, type Item } from '@gantry/sdk'
import { gantry } from '../../../../kernel/data/client.ts'
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
}

/** Sends a message and returns its change set. A reply to a requester goes out as a mail, where the desk has a mailbox. */
export async function sendMessage({
  item,
  isTicket,
  kind,
  body,
  attachments,
  cc,
  mentions,
}: Outgoing & { isTicket: boolean; mentions: string[] }): Promise<string | undefined> {
  if (isTicket && kind === annotationKind.reply) {
    const path = { id: item.id }
    const sent = { body, attachments, ...(cc ? { cc } : {}) }
    const reply = await call(gantry, 'POST /ticket/{id}/reply', { path, body: sent }).withResponse()
    return reply.changeSet
  }
  const message = { itemId: item.id, kind, body, attachments, mentions }
  return (await call(gantry, 'POST /annotation', { body: message }).withResponse()).changeSet
}

/** The message as it is shown until the service has it. */
export function pendingMessage({ item, kind, body, attachments, authorId }: Outgoing & { authorId: string }): Message {
  const created = instantNow()
  return {
    entity: 'Annotation',
    tenantId: '',
    id: `pending ${created}`,
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
