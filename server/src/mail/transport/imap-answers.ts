import type { FetchMessageObject, FetchQueryObject, ImapFlow, SearchObject } from 'imapflow'

// Without a connection, the client answers every command as if the server had found nothing. That must not be mistaken for
// messages that are gone, so here it is an error.

/** The UIDs of the messages that a search of the opened folder finds. */
export async function searchMessages(client: ImapFlow, query: SearchObject): Promise<number[]> {
  const uids = await client.search(query, { uid: true })
  if (!Array.isArray(uids)) throw new Error('the server did not answer a search')
  return uids
}

/** Parts of one message; undefined if it was deleted on the server. */
export async function fetchMessage(
  client: ImapFlow,
  uid: number,
  query: FetchQueryObject,
): Promise<FetchMessageObject | undefined> {
  const message = await client.fetchOne(String(uid), query, { uid: true })
  if (!message) openedFolder(client)
  return message || undefined
}

/** The folder that is opened. */
export function openedFolder({ mailbox }: ImapFlow) {
  if (!mailbox) throw new Error('the server closed the connection')
  return mailbox
}
