import { call, type InboxEntry } from '@gantry/sdk'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { attempt, reasonOf } from '../../kernel/data/attempt.ts'
import { gantry } from '../../kernel/data/client.ts'
import { onNotice } from '../../kernel/data/live/live.ts'
import { fetchAgain } from '../../kernel/data/live/queries.ts'
import { notify, remember } from '../../kernel/data/undo.ts'
import { shownError } from '../../kernel/problems/shown-error.ts'
import { say } from './messages.ts'

const queryKey = ['inbox']
const shown = 200

/** The notices of a person, newest first. New ones arrive by themselves. */
export function useInbox() {
  const client = useQueryClient()
  useEffect(() => onNotice(name => void (name === 'inbox.changed' && fetchAgain(client, { queryKey }))), [client])
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(gantry, 'GET /notification/inbox', { query: { limit: shown }, signal }),
  })
  return { ...query, error: shownError(query) }
}

type Change = (entries: readonly InboxEntry[]) => readonly InboxEntry[]

/** Shows what the inbox will be, then sends it; what is refused is shown as it was. */
async function act(
  client: QueryClient,
  change: Change,
  send: () => PromiseLike<{ changeSet?: string | undefined }>,
  text: string,
) {
  await client.cancelQueries({ queryKey })
  const before = client.getQueryData<readonly InboxEntry[]>(queryKey)
  client.setQueryData(queryKey, (now: readonly InboxEntry[] | undefined) => now && change(now))
  try {
    const { changeSet } = await send()
    if (changeSet) remember(changeSet, text)
    else if (text) notify(text)
  } catch (error) {
    client.setQueryData(queryKey, before)
    notify(reasonOf(error))
  }
}

export function archive(client: QueryClient, ids: readonly string[]): Promise<void> {
  return act(
    client,
    entries => entries.filter(({ id }) => !ids.includes(id)),
    () => call(gantry, 'POST /notification/inbox/archive', { body: { ids: [...ids] } }).withResponse(),
    say.archived(ids.length),
  )
}

export function setUnread(client: QueryClient, id: string, unread: boolean): Promise<void> {
  return act(
    client,
    entries => entries.map(entry => (entry.id === id ? { ...entry, unread } : entry)),
    () => call(gantry, 'POST /notification/inbox/read', { body: { ids: [id], unread } }).then(() => ({})),
    '',
  )
}

export function snooze(client: QueryClient, id: string, until: string, text: string): Promise<void> {
  return act(
    client,
    entries => entries.filter(entry => entry.id !== id),
    () => call(gantry, 'POST /notification/inbox/snooze', { body: { ids: [id], until } }).withResponse(),
    say.snoozed(text),
  )
}

/** An event that a person does not want to hear of any more, neither here nor by mail. */
export const stopTelling = (event: string): Promise<boolean> =>
  attempt(async () => {
    const { events } = await call(gantry, 'GET /notification/preference')
    const others = events.filter(each => each.event !== event || each.containerId)
    const body = { events: [...others, { event, inbox: false, mail: false }] }
    const { changeSet } = await call(gantry, 'PUT /notification/preference', { body }).withResponse()
    if (changeSet) remember(changeSet, say.stopped(event))
    else notify(say.stopped(event))
  })
