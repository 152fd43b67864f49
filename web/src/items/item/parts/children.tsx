import { call, type Item, isProblem } from '@gantry/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link as RouterLink } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { gantry } from '../../../kernel/data/client.ts'
import { put, useRecord } from '../../../kernel/data/store.ts'
import { notify, remember } from '../../../kernel/data/undo.ts'
import { Button } from '../../../kit/kit.tsx'
import { StatusValue, WhoValue } from '../../item-values.tsx'
import { childrenOf } from '../open-item.ts'
import { useIsReadOnly } from '../use-item.ts'
import { say } from './messages.ts'
import { Part } from './part.tsx'

const shownAtMost = 200

/** The items that this one consists of, and how many of them are done. */
export function Children({ item, folded }: { item: Item; folded: boolean }) {
  const client = useQueryClient()
  const readOnly = useIsReadOnly(item)
  const [adding, setAdding] = useState(false)
  const queryKey = ['children', item.id]
  const { data: children = [] } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const query = { parentId: item.id, limit: shownAtMost, sort: 'rank' }
      return childrenOf(await call(gantry, 'GET /item', { query, signal }))
    },
  })
  const add = async (title: string) => {
    try {
      const body = { title, parentId: item.id, ...(item.containerId ? { containerId: item.containerId } : {}) }
      const { answer, changeSet } = await call(gantry, 'POST /item', { body }).withResponse()
      put(answer)
      remember(changeSet, say.childAdded(answer.key ?? ''))
      await client.invalidateQueries({ queryKey })
    } catch (error) {
      if (!isProblem(error)) throw error
      notify(error.message)
    }
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
      {adding && <NewChild onAdd={add} onClose={() => setAdding(false)} />}
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
function NewChild({ onAdd, onClose }: { onAdd: (title: string) => void; onClose: () => void }) {
  const [title, setTitle] = useState('')
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
        setTitle('')
      }}
    />
  )
}
