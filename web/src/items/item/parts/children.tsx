import { call, type Item } from '@gantry/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link as RouterLink } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { gantry } from '../../../kernel/data/client.ts'
import { useDraft } from '../../../kernel/data/kept/drafts.ts'
import { useAskedAt } from '../../../kernel/data/live/queries.ts'
import { useNew, withNew } from '../../../kernel/data/records/new-records.ts'
import { useRecord } from '../../../kernel/data/records/store.ts'
import { Button } from '../../../kit/kit.tsx'
import { createItem } from '../../create-item.ts'
import { StatusValue, WhoValue } from '../../item-values.tsx'
import { type Child, childrenOf, readWithItem } from '../frame/open-item.ts'
import { useIsReadOnly } from '../use-item.ts'
import { say } from './messages.ts'
import { Part } from './part.tsx'

const shownAtMost = 200

/** The items that this one consists of, and how many of them are done. */
export function Children({ item, folded }: { item: Item; folded: boolean }) {
  const readOnly = useIsReadOnly(item)
  const [adding, setAdding] = useState(false)
  const queryKey = ['children', item.id]
  const { data: found = [] } = useQuery({
    ...readWithItem,
    queryKey,
    queryFn: async ({ signal }) => {
      const query = { parentId: item.id, limit: shownAtMost, sort: 'rank' }
      return childrenOf(await call(gantry, 'GET /item', { query, signal }))
    },
  })
  const added = useNew('Item', 'parentId', item.id, useAskedAt(queryKey))
  const children: readonly Child[] = withNew(
    found,
    added.map(({ id }) => ({ id, closed: false })),
  )
  const place = `child ${item.id}`
  const add = (title: string) => {
    const values = { title, parentId: item.id, ...(item.containerId ? { containerId: item.containerId } : {}) }
    void createItem({ values, draft: { place, value: title }, text: say.childAdded(title) })
  }
  const done = children.filter(({ closed }) => closed).length
  return (
    <Part
      key={adding ? 'adding' : 'shown'}
      name={say.children}
      count={children.length > 0 ? `${done}/${children.length}` : undefined}
      folded={folded && !adding}
      acts={
        !readOnly && (
          <Button look="icon" aria-label={say.addChild} onClick={() => setAdding(true)}>
            <Plus className="ic" />
          </Button>
        )
      }
    >
      {children.length > 0 && <Progress part={done / children.length} />}
      {children.map(({ id }) => (
        <ChildLine key={id} id={id} />
      ))}
      {adding && <NewChild place={place} onAdd={add} onClose={() => setAdding(false)} />}
    </Part>
  )
}

function ChildLine({ id }: { id: string }) {
  const child = useRecord<Item>('Item', id)
  if (!child) return null
  return (
    <div className="lnk">
      <StatusValue item={child} />
      <RouterLink to="/item/$key" params={{ key: child.key ?? id }} className="cut grow plain">
        <bdi>{child.title}</bdi>
      </RouterLink>
      <WhoValue item={child} />
    </div>
  )
}

export function Progress({ part }: { part: number }) {
  return (
    <div className="prog" aria-hidden="true">
      <i
        ref={element => {
          if (element) element.style.width = `${Math.min(1, part) * 100}%`
        }}
      />
    </div>
  )
}

/** One line a sub-item: `Enter` adds it and waits for the next. */
function NewChild(props: { place: string; onAdd: (title: string) => void; onClose: () => void }) {
  const { place, onAdd, onClose } = props
  const { value: title, set: setTitle, clear } = useDraft(place, '')
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: it opens because somebody asked for it
      autoFocus
      className="input"
      aria-label={say.addChild}
      placeholder={say.childTitle}
      value={title}
      onChange={event => setTitle(event.target.value)}
      onBlur={() => title.trim() === '' && onClose()}
      onKeyDown={event => {
        if (event.key === 'Escape') {
          event.stopPropagation()
          onClose()
        }
        if (event.key !== 'Enter' || title.trim() === '') return
        onAdd(title.trim())
        clear()
      }}
    />
  )
}
