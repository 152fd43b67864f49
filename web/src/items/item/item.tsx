import type { Item } from '@gantry/sdk'
import { useRef } from 'react'
import { InSlices } from '../../kernel/later.tsx'
import { ProblemScreen } from '../../kernel/problems/problem-screen.tsx'
import { Skeleton } from '../../kit/kit.tsx'
import { Conversation } from './conversation/conversation.tsx'
import { ItemState } from './frame/item-state.tsx'
import { useIsWide } from './frame/use-is-wide.ts'
import { say } from './messages.ts'
import { say as sayParts } from './parts/messages.ts'
import { Parts } from './parts/parts.tsx'
import { TimerKey } from './parts/time/time.tsx'
import { Properties } from './properties.tsx'
import { Description } from './text/description.tsx'
import { TitleField } from './text/title-field.tsx'
import { useFileDrop } from './use-file-drop.ts'
import { useIsReadOnly, useItem } from './use-item.ts'

/** One item, by its key: in a peek, a sheet or a page. It takes the shape that its own width allows. */
export function ItemView({ itemKey, frame }: { itemKey: string; frame: 'peek' | 'page' }) {
  const { item, error, isLoading, retry } = useItem(itemKey)
  if (item) return <OpenItem key={item.id} item={item} frame={frame} />
  return isLoading ? <Skeleton rows={4} /> : <ProblemScreen error={error} onRetry={retry} />
}

const wideFrom = 832 // px: the text keeps 32 rem beside the properties

function OpenItem({ item, frame }: { item: Item; frame: string }) {
  const place = useRef<HTMLDivElement>(null)
  const isWide = useIsWide(place, frame, wideFrom)
  const drop = useFileDrop(item.id, useIsReadOnly(item))
  const text = (
    <>
      <ItemState item={item} />
      <TitleField item={item} />
      <Description item={item} />
    </>
  )
  if (item.deleted)
    return (
      // The same element as that of an item that is there: its width stays known when the item is restored.
      <div ref={place} className="item">
        <div className="scroll item-scroll">
          {text}
          <Properties item={item} />
        </div>
      </div>
    )
  return (
    <div ref={place} className={`item ${isWide ? 'is-wide' : ''} ${drop.isOver ? 'is-over' : ''}`} {...drop.handlers}>
      <TimerKey itemId={item.id} />
      {drop.isOver && <p className="drop-hint">{sayParts.dropFiles}</p>}
      {isWide === true && (
        <>
          <Conversation item={item}>{text}</Conversation>
          <aside className="item-side" aria-label={say.properties}>
            <Properties item={item} />
            <InSlices>
              <Parts item={item} folded={false} />
            </InSlices>
          </aside>
        </>
      )}
      {isWide === false && (
        <Conversation item={item}>
          {text}
          <div className="item-side">
            <Properties item={item} />
            <InSlices>
              <Parts item={item} folded />
            </InSlices>
          </div>
        </Conversation>
      )}
    </div>
  )
}
