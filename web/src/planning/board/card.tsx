import type { Item } from '@gantry/sdk'
import { memo, useEffect, useLayoutEffect, useRef } from 'react'
import { useUsers } from '../../items/catalogue.ts'
import { clocksOf, NextClock } from '../../items/clock-badge.tsx'
import { focus, toggle, useFocus } from '../../items/focus.ts'
import { priorityName } from '../../items/item-values.tsx'
import { say as sayItem } from '../../items/messages.ts'
import { SubItems } from '../../items/sub-items.tsx'
import { useRecord } from '../../kernel/data/records/store.ts'
import { useSession } from '../../kernel/data/session/session.ts'
import { dayText, today } from '../../kernel/dates/days.ts'
import { durationText } from '../../kernel/dates/durations.ts'
import { Avatar } from '../../kit/kit.tsx'
import { say } from '../messages.ts'
import { leaveDomFocus, takeDomFocus } from './card-focus.ts'
import { useCardDrag } from './drag-cards.ts'
import { openMoveMenu } from './move-menu.tsx'
import { useBoard } from './state/board-store.ts'
import { groupValue, isFinished } from './state/card-values.ts'
import { heldTogether } from './state/hold-cards.ts'
import { settle } from './state/settle.ts'
import { useWaits } from './state/waiting-moves.ts'

interface CardProps {
  id: string
  column: string
  lane?: string | undefined
  onOpen: (item: Item) => void
}

/** A card has few elements, since a board has many cards: menus exist once for the board, icons are drawn by the stylesheet. */
export const Card = memo(function Card({ id, column, lane, onOpen }: CardProps) {
  const item = useRecord<Item>('Item', id)
  const isCurrent = useFocus(state => state.current === id)
  const isSelected = useFocus(state => state.selected.has(id))
  const isHeld = useBoard(state => state.held?.ids.includes(id) ?? false)
  const edge = useBoard(({ spot }) => (spot?.id === id ? spot.edge : undefined))
  const waits = useWaits(id)
  const refusal = useBoard(state => state.refused.get(id))
  const element = useRef<HTMLElement>(null)
  useCardDrag(element, { id, column, lane })
  useSettling(item)
  useEffect(() => {
    if (isCurrent) takeDomFocus(id, element.current)
  }, [id, isCurrent])
  useLayoutEffect(() => {
    const here = element.current
    return () => leaveDomFocus(id, here)
  }, [id])
  if (!item) return null
  const state = [isHeld && 'is-held', isSelected && 'is-selected', edge && `drop-${edge}`].filter(Boolean).join(' ')
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of a board are commands
    <article
      ref={element}
      className={`card ${state}`}
      tabIndex={isCurrent ? 0 : -1}
      data-card={id}
      aria-current={isCurrent}
      aria-label={[`${item.key}: ${item.title}`, isSelected ? say.selected : ''].filter(Boolean).join(', ')}
      onClick={event => {
        focus(id)
        if (event.shiftKey || event.ctrlKey || event.metaKey) toggle(id)
        else onOpen(item)
      }}
      onContextMenu={event => {
        event.preventDefault()
        focus(id)
        openMoveMenu(heldTogether(id))
      }}
    >
      <div className="ln">
        <span className="key">{item.key}</span>
        <span className={`bars bars-${item.priority ?? 0}`} role="img" aria-label={priorityName(item.priority)} />
        <NextClock clocks={clocksOf(item)} />
        {waits && <span className="badge badge-warn">{say.notSentYet}</span>}
        {isTouch() && <MoveButton id={id} />}
      </div>
      <bdi className="t">{item.title}</bdi>
      <CardFoot item={item} />
      {refusal && (
        <p className="why" role="alert">
          {refusal}
        </p>
      )}
    </article>
  )
})

/** Fingers have neither a key for the menu nor a second button, and what they drag scrolls the board. */
const isTouch = () => matchMedia('(pointer: coarse)').matches

function MoveButton({ id }: { id: string }) {
  return (
    <button
      type="button"
      className="card-move"
      aria-label={say.moveTo}
      aria-haspopup="menu"
      onClick={event => {
        event.stopPropagation()
        focus(id)
        openMoveMenu(heldTogether(id))
      }}
    />
  )
}

function CardFoot({ item }: { item: Item }) {
  const users = useUsers()
  const { user, timer } = useSession()
  const now = today(user.timezone)
  const [who] = item.assignees ?? []
  const late = item.dueDate && item.dueDate <= now && !isFinished(item)
  return (
    <div className="ln foot">
      {item.Tags && item.Tags.length > 0 && <bdi className="tag cut">{item.Tags.map(tag => `#${tag}`).join(' ')}</bdi>}
      {item.dueDate && (
        <time className={`tag num ${late ? 'is-warn' : ''}`} dateTime={item.dueDate}>
          {item.dueDate === now ? sayItem.today : dayText(item.dueDate, now)}
        </time>
      )}
      {item.estimateMinutes ? <span className="tag num">{durationText(item.estimateMinutes)}</span> : null}
      <SubItems item={item} />
      {timer?.itemId === item.id && <span className="badge badge-info running" role="img" aria-label={say.running} />}
      {who ? <Avatar id={who} name={users.get(who)?.name ?? ''} /> : <span className="av av-none" />}
    </div>
  )
}

/** A card whose value is changed elsewhere, in the peek or by somebody else, goes to its place. */
function useSettling(item: Item | undefined): void {
  const field = useBoard(state => state.board?.columnField ?? '')
  const value = item && groupValue(item, field)
  const rank = item?.rank
  const id = item?.id
  useEffect(() => {
    if (id !== undefined && value !== undefined && rank !== undefined) settle(id)
  }, [id, value, rank])
}
