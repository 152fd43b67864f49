import type { InboxEntry } from '@gantry/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { Archive, CircleHelp, Clock } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useEffect, useRef } from 'react'
import { useUsers } from '../../items/catalogue.ts'
import { useSession } from '../../kernel/data/session/session.ts'
import { momentText } from '../../kernel/dates/days.ts'
import { Avatar, Button } from '../../kit/kit.tsx'
import { say } from './messages.ts'
import { archive, snooze, stopTelling } from './read-inbox.ts'
import { useSnoozeTimes } from './snooze-times.ts'

interface RowProps {
  entry: InboxEntry
  isCurrent: boolean
  isSnoozing: boolean
  onSnoozing: (open: boolean) => void
  onOpen: () => void
}

/** What happened to one record since it was last looked at, and why this person is told. */
export function InboxRow({ entry, isCurrent, isSnoozing, onSnoozing, onOpen }: RowProps) {
  const { id, key, title, text, unread, reason, count, updated, actorIds } = entry
  const { timezone } = useSession().user
  const users = useUsers()
  const client = useQueryClient()
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isCurrent && !row.current?.contains(document.activeElement)) row.current?.focus()
  }, [isCurrent])
  const actor = actorIds[0]
  const name = (actor && users.get(actor)?.name) ?? ''
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the inbox are commands
    <div
      ref={row}
      role="row"
      tabIndex={-1}
      className={`row irow ${unread ? 'is-unread' : ''}`}
      aria-current={isCurrent}
      onClick={onOpen}
    >
      <span role="cell" className="dot">
        {unread && <span className="sr">{say.isUnread}</span>}
      </span>
      <span role="cell">{actor && name && <Avatar id={actor} name={name} />}</span>
      <span role="cell" className="key">
        {key}
      </span>
      <span role="cell" className="title">
        <bdi className="cut">{title || text}</bdi>
      </span>
      <span role="cell" className="meta cut wide">
        <bdi>{text}</bdi> {count > 1 && say.count(count)}
      </span>
      <span role="cell" className="tag wide">
        {say.reason(reason)}
      </span>
      <time role="cell" className="r" dateTime={updated}>
        {momentText(updated, timezone)}
      </time>
      <span role="cell" className="acts">
        <Why entry={entry} />
        <Snooze
          isOpen={isSnoozing}
          onOpen={onSnoozing}
          onPick={(until, label) => void snooze(client, id, until, label)}
        />
        <Button
          look="icon"
          aria-label={say.archive}
          onClick={event => {
            event.stopPropagation()
            void archive(client, [id])
          }}
        >
          <Archive className="ic" />
        </Button>
      </span>
    </div>
  )
}

/** The reason, and the way to hear no more of such events. */
function Why({ entry }: { entry: InboxEntry }) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>
        <Button look="icon" aria-label={say.why} title={say.why} onClick={event => event.stopPropagation()}>
          <CircleHelp className="ic" />
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" onClick={event => event.stopPropagation()}>
          <DropdownMenu.Label className="hd">
            {say.why} {say.reason(entry.reason)}
          </DropdownMenu.Label>
          {entry.events.map(event => (
            <DropdownMenu.Item key={event} className="it" onSelect={() => void stopTelling(event)}>
              {say.stop(event)}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

interface SnoozeProps {
  isOpen: boolean
  onOpen: (open: boolean) => void
  onPick: (until: string, label: string) => void
}

function Snooze({ isOpen, onOpen, onPick }: SnoozeProps) {
  const times = useSnoozeTimes()
  return (
    <DropdownMenu.Root open={isOpen} onOpenChange={onOpen}>
      <DropdownMenu.Trigger asChild>
        <Button look="icon" aria-label={say.snooze} title={say.snooze} onClick={event => event.stopPropagation()}>
          <Clock className="ic" />
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" onClick={event => event.stopPropagation()}>
          {times.map(({ label, until }) => (
            <DropdownMenu.Item key={label} className="it" onSelect={() => onPick(until(), label)}>
              {label}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
