import type { Item } from '@gantry/sdk'
import { Play } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { CommandKeys } from '../../kernel/commands/command-keys.tsx'
import { useRecord } from '../../kernel/data/records/store.ts'
import { useSession } from '../../kernel/data/session/session.ts'
import { clockText, minutesSince } from '../../kernel/dates/durations.ts'
import { Button } from '../../kit/kit.tsx'
import { useUsers } from '../catalogue.ts'
import { clocksOf, NextClock } from '../clock-badge.tsx'
import { focus, useFocus } from '../focus.ts'
import { DueValue, PriorityValue, StatusValue } from '../item-values.tsx'
import { say } from '../messages.ts'
import type { WorkEntry } from './read-work.ts'

interface WorkRowProps {
  entry: WorkEntry
  onOpen: (item: Item) => void
  onApprove: (entry: WorkEntry) => void
}

/** One thing to do, with where it comes from and how long there is. */
export function WorkRow({ entry, onOpen, onApprove }: WorkRowProps) {
  const { id, approvalId } = entry
  const item = useRecord<Item>('Item', id)
  const isCurrent = useFocus(state => state.current === id)
  const row = useRef<HTMLDivElement>(null)
  const isNew = useRef(true)
  useEffect(() => {
    // A row that appears later than the page takes the focus from nobody who has gone on.
    const mayFocus = !isNew.current || !document.activeElement?.closest('a, button, input')
    isNew.current = false
    if (isCurrent && mayFocus && !row.current?.contains(document.activeElement)) row.current?.focus()
  }, [isCurrent])
  if (!item) return null
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of a list are commands
    <div
      ref={row}
      role="row"
      tabIndex={-1}
      className="row wrow"
      aria-current={isCurrent}
      onClick={() => {
        focus(id)
        onOpen(item)
      }}
    >
      <span role="cell" className="s">
        <StatusValue item={item} />
      </span>
      <span role="cell" className="p">
        <PriorityValue item={item} />
      </span>
      <span role="cell" className="key">
        {item.key}
      </span>
      <span role="cell" className="title">
        <bdi className="cut">{item.title}</bdi>
      </span>
      <span role="cell" className="src">
        <Source item={item} isApproval={approvalId !== undefined} />
      </span>
      {approvalId ? (
        <span role="cell" className="ok">
          <Button
            onClick={event => {
              event.stopPropagation()
              onApprove(entry)
            }}
          >
            {say.approve} <CommandKeys id="work.done" />
          </Button>
        </span>
      ) : (
        <>
          <span role="cell" className="c">
            <NextClock clocks={clocksOf(item)} />
          </span>
          <span role="cell" className="d">
            {item.dueDate && <DueValue item={item} />}
          </span>
        </>
      )}
    </div>
  )
}

/** Where it comes from: the timer that runs on it, who else does it, or the container. */
function Source({ item, isApproval }: { item: Item; isApproval: boolean }) {
  const { timer, user, containers } = useSession()
  const users = useUsers()
  if (isApproval) return say.approval
  if (timer?.startedAt && timer.itemId === item.id)
    return (
      <span className="badge badge-info">
        <Play className="ic" /> {clockText(minutesSince(timer.startedAt))}
      </span>
    )
  const other = item.assignees?.find(id => id !== user.id)
  const name = other && users.get(other)?.name
  if (name) return <bdi>{say.with(name)}</bdi>
  return <bdi>{containers.find(({ id }) => id === item.containerId)?.name}</bdi>
}
