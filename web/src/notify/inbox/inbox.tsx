import type { InboxEntry } from '@gantry/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Bell } from 'lucide-react'
import { useMemo, useState } from 'react'
import { ItemPeek } from '../../items/item/frame/later-peek.ts'
import { useOffer } from '../../kernel/commands/keys.ts'
import { ProblemScreen } from '../../kernel/problems/problem-screen.tsx'
import { Button, Screen, Skeleton } from '../../kit/kit.tsx'
import { InboxRow } from './inbox-row.tsx'
import { say } from './messages.ts'
import { archive, setUnread, useInbox } from './read-inbox.ts'

const route = getRouteApi('/inbox')
const none: readonly InboxEntry[] = []

/** What happened that concerns somebody, bundled by item. */
export function Inbox() {
  const { peek } = route.useSearch()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const { data = none, error, isPending, refetch } = useInbox()
  const [currentId, setCurrent] = useState<string>()
  const [snoozing, setSnoozing] = useState<string>()
  const open = (entry: InboxEntry) => {
    setCurrent(entry.id)
    if (entry.unread) void setUnread(client, entry.id, false)
    if (entry.key) void navigate({ search: { peek: entry.key }, replace: true })
  }
  const close = () => void navigate({ search: {}, replace: true })
  useInboxCommands({ entries: data, currentId, setCurrent, open, close, onSnooze: setSnoozing })
  if (error) return <ProblemScreen error={error} onRetry={() => void refetch()} />
  return (
    <>
      <header className={data.length > 0 ? 'bar' : 'bar wide'}>
        <h1 className="grow wide">{say.inbox}</h1>
        {data.length > 0 && (
          <Button
            look="ghost"
            onClick={() =>
              void archive(
                client,
                data.map(({ id }) => id),
              )
            }
          >
            {say.archiveAll}
          </Button>
        )}
      </header>
      <div className="split">
        {isPending && <Skeleton />}
        {!isPending && data.length === 0 && <Screen icon={<Bell />} title={say.empty} text={say.emptyText} />}
        {data.length > 0 && (
          <div className="scroll" role="table" aria-label={say.list} aria-rowcount={data.length}>
            {data.map(entry => (
              <InboxRow
                key={entry.id}
                entry={entry}
                isCurrent={entry.id === currentId}
                isSnoozing={entry.id === snoozing}
                onSnoozing={isOpen => setSnoozing(isOpen ? entry.id : undefined)}
                onOpen={() => open(entry)}
              />
            ))}
          </div>
        )}
        {peek && <ItemPeek itemKey={peek} onMove={() => undefined} onClose={close} />}
      </div>
    </>
  )
}

interface InboxKeys {
  entries: readonly InboxEntry[]
  currentId: string | undefined
  setCurrent: (id: string | undefined) => void
  open: (entry: InboxEntry) => void
  close: () => void
  onSnooze: (id: string) => void
}

function useInboxCommands({ entries, currentId, setCurrent, open, close, onSnooze }: InboxKeys): void {
  const client = useQueryClient()
  const navigate = useNavigate()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the functions act on what is shown, which these two say
  const commands = useMemo(() => {
    const at = entries.findIndex(({ id }) => id === currentId)
    const step = (by: number) =>
      setCurrent(entries[Math.min(entries.length - 1, Math.max(0, at < 0 ? 0 : at + by))]?.id)
    const onCurrent = (act: (entry: InboxEntry) => void) => () => {
      const entry = entries[at]
      if (entry) act(entry)
    }
    const put = (entry: InboxEntry) => {
      setCurrent((entries[at + 1] ?? entries[at - 1])?.id)
      void archive(client, [entry.id])
    }
    const go = ({ key }: InboxEntry) => key && void navigate({ to: '/item/$key', params: { key } })
    const here = { where: 'inbox' }
    return [
      { id: 'inbox.next', title: say.next, keys: 'j', ...here, run: () => step(1) },
      { id: 'inbox.previous', title: say.previous, keys: 'k', ...here, run: () => step(-1) },
      { id: 'inbox.peek', title: say.peek, keys: 'Space', ...here, run: onCurrent(open) },
      { id: 'inbox.open', title: say.open, keys: 'Enter', ...here, run: onCurrent(go) },
      { id: 'inbox.archive', title: say.archive, keys: 'e', ...here, run: onCurrent(put) },
      {
        id: 'inbox.unread',
        title: say.unread,
        keys: 'u',
        ...here,
        run: onCurrent(({ id, unread }) => void setUnread(client, id, !unread)),
      },
      { id: 'inbox.snooze', title: say.snooze, keys: 'z', ...here, run: onCurrent(({ id }) => onSnooze(id)) },
      { id: 'inbox.leave', title: say.close, keys: 'Escape', ...here, run: close },
    ]
  }, [entries, currentId])
  useOffer(commands)
}
