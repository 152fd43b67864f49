import type { Item } from '@gantry/sdk'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { InSlices } from '../../../kernel/later.tsx'
import { Avatar } from '../../../kit/kit.tsx'
import { useUsers } from '../../catalogue.ts'
import { useCan } from '../frame/open-item.ts'
import { say as sayItem } from '../messages.ts'
import { ChangeLine, FoldedChanges } from './change-line.tsx'
import { Composer } from './composer/composer.tsx'
import { useLastSeen } from './last-seen.ts'
import { MessageView } from './message-view.tsx'
import { say } from './messages.ts'
import { usePresence } from './presence.ts'
import { useThread } from './use-conversation.ts'

/** What was said and what changed, below the text of the item, and the place to answer. */
export function Conversation({ item, children }: { item: Item; children: ReactNode }) {
  const { entries, isLoading } = useThread(item.id)
  const can = useCan(item.id)
  const [isReplying, setReplying] = useState(false)
  const others = usePresence(item.id, isReplying)
  const newFrom = useLastSeen(item.id, entries)
  const end = useRef<HTMLDivElement>(null)
  const count = useRef<number>(undefined)
  const messages = entries.filter(({ kind }) => kind === 'message').length
  useEffect(() => {
    // A new message comes into view, if the reader is near the end.
    if (count.current !== undefined && messages > count.current) end.current?.scrollIntoView({ block: 'nearest' })
    if (!isLoading) count.current = messages
  }, [messages, isLoading])
  return (
    <div className="item-main">
      <div className="scroll item-scroll">
        <div className="item-inner">
          {children}
          <section className="thread" aria-label={say.conversation}>
            <InSlices>
              {entries.map(entry => (
                <div key={entry.id}>
                  {entry.id === newFrom && <p className="new-mark">{say.isNew}</p>}
                  {entry.kind === 'message' && <MessageView item={item} message={entry.message} />}
                  {entry.kind === 'change' && <ChangeLine item={item} change={entry.change} />}
                  {entry.kind === 'folded' && <FoldedChanges item={item} changes={entry.changes} />}
                </div>
              ))}
            </InSlices>
            {!isLoading && messages === 0 && <p className="meta">{say.nothing}</p>}
            <div ref={end} />
          </section>
        </div>
      </div>
      <div className="dock">
        <Presence others={others} />
        {!item.deleted && can.comment && <Composer item={item} onReplying={setReplying} />}
      </div>
    </div>
  )
}

function Presence({ others }: { others: readonly { userId: string; name: string; state: string }[] }) {
  const users = useUsers()
  if (others.length === 0) return null
  return (
    <p className="live" role="status">
      {others.map(({ userId, name, state }) => (
        <span key={userId} className="hstack">
          <Avatar id={userId} name={users.get(userId)?.name ?? name} />
          {state === 'replying' ? sayItem.isReplying(name) : sayItem.isLooking(name)}
        </span>
      ))}
    </p>
  )
}
