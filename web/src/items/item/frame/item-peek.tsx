import type { Item } from '@gantry/sdk'
import { useNavigate } from '@tanstack/react-router'
import { ChevronDown, ChevronUp, Maximize2, X } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { run, useCommands } from '../../../kernel/commands/commands.ts'
import { useOffer } from '../../../kernel/commands/keys.ts'
import { Button } from '../../../kit/kit.tsx'
import { narrow, useMedia } from '../../../kit/media.ts'
import { useFocus } from '../../focus.ts'
import { heldItem } from '../../held-item.ts'
import { ItemView } from '../item.tsx'
import { say } from '../messages.ts'
import { useItem } from '../use-item.ts'
import { ItemBar } from './item-bar.tsx'
import { useSheet } from './use-sheet.ts'

interface PeekProps {
  itemKey: string
  /** Shows another item: the focus of the list has moved. */
  onMove: (item: Item) => void
  onClose: () => void
}

/** An item beside the list that it comes from, whose focus it follows; on a narrow screen a sheet over it. */
export function ItemPeek({ itemKey, onMove, onClose }: PeekProps) {
  const { item } = useItem(itemKey)
  const navigate = useNavigate()
  const follow = useRef(onMove)
  follow.current = onMove
  useEffect(
    () =>
      useFocus.subscribe(({ current }, before) => {
        const next = current && current !== before.current && heldItem(current)
        if (next) follow.current(next)
      }),
    [],
  )
  const close = useReturningFocus(onClose)
  const place = useRef<HTMLElement>(null)
  const isSheet = useMedia(narrow)
  useSheet(place, isSheet)
  const commands = useMemo(
    () => [
      {
        id: 'item.open',
        title: say.openPage,
        keys: 'Enter',
        where: 'item',
        run: () => navigate({ to: '/item/$key', params: { key: itemKey } }),
      },
      { id: 'item.close', title: say.close, keys: 'Escape', where: 'item', run: close },
    ],
    [navigate, itemKey, close],
  )
  useOffer(commands)
  useEscape(close)
  return (
    <aside
      ref={place}
      className="drawer item-peek"
      aria-label={itemKey}
      data-where="item"
      tabIndex={-1}
      {...(isSheet ? { role: 'dialog', 'aria-modal': true } : {})}
    >
      <div className="bar">
        {item ? <ItemBar item={item} onDeleted={close} /> : <span className="grow" />}
        <Neighbours />
        <Button look="icon" aria-label={say.openPage} onClick={() => commands[0]?.run()}>
          <Maximize2 className="ic" />
        </Button>
        <Button look="icon" aria-label={say.close} onClick={close}>
          <X className="ic" />
        </Button>
      </div>
      <ItemView itemKey={itemKey} frame="peek" />
    </aside>
  )
}

/** The list moves its own focus; these press its keys. */
function Neighbours() {
  const press = (keys: string) => {
    const command = [...useCommands.getState().commands.values()].findLast(each => each.keys === keys)
    if (command) run(command)
  }
  return (
    <>
      <Button look="icon" aria-label={say.previous} onClick={() => press('k')}>
        <ChevronUp className="ic" />
      </Button>
      <Button look="icon" aria-label={say.next} onClick={() => press('j')}>
        <ChevronDown className="ic" />
      </Button>
    </>
  )
}

/** When the peek closes, the focus is in the list again, on the item that was shown last; else where it was before. */
function useReturningFocus(onClose: () => void): () => void {
  const before = useRef<Element>(null)
  useEffect(() => {
    before.current = document.activeElement
  }, [])
  const latest = useRef(onClose)
  latest.current = onClose
  return useMemo(
    () => () => {
      latest.current()
      const row = document.getElementById(`row-${useFocus.getState().current}`)
      const place = row?.closest('[role=grid]') ?? before.current
      if (!(place instanceof HTMLElement && place.isConnected)) return
      place.closest('[inert]')?.removeAttribute('inert') // a sheet is gone only after the next paint
      place.focus({ preventScroll: true })
    },
    [],
  )
}

/** `Esc` closes the peek wherever the focus is, unless it belongs to a layer above or to a text that is being typed. */
function useEscape(close: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { target } = event
      if (event.key !== 'Escape' || event.defaultPrevented || !(target instanceof HTMLElement)) return
      if (
        target.closest(
          '[role=dialog]:not([data-where]),[role=menu],[role=listbox],input,textarea,[contenteditable=true]',
        )
      )
        return
      event.preventDefault()
      event.stopPropagation()
      close()
    }
    window.addEventListener('keydown', press, { capture: true })
    return () => window.removeEventListener('keydown', press, { capture: true })
  }, [close])
}
