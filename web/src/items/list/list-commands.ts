import type { Item } from '@gantry/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Command } from '../../kernel/commands/commands.ts'
import { useOffer } from '../../kernel/commands/keys.ts'
import { extend, focus, move, selectNone, toggle, useFocus } from '../focus.ts'
import { heldItem } from '../held-item.ts'
import { say } from '../messages.ts'
import { rankItem } from './rank/rank-item.ts'
import { useRename } from './rename.ts'

interface ListCommands {
  ids: () => readonly string[]
  scrollTo: (id: string) => void
  toEnd: () => void
  selectAll: () => Promise<void>
  onOpen: (item: Item) => void
  sort: string
}

const pageOfRows = 20

/** The keys that move in a list, select and rank. Those that change items are offered with the fields. */
export function useListCommands({ ids, scrollTo, toEnd, selectAll, onOpen, sort }: ListCommands): void {
  const navigate = useNavigate()
  const rename = useRename()
  const commands = useMemo((): Command[] => {
    const to = (id: string | undefined) => id && scrollTo(id)
    const step = (by: number) => () => void to(move(ids(), by))
    const toFirst = () => {
      const [id] = ids()
      focus(id)
      to(id)
    }
    const hasCurrent = () => useFocus.getState().current !== undefined
    const onCurrent = (act: (item: Item) => void) => () => {
      const item = heldItem(useFocus.getState().current ?? '')
      if (item) act(item)
    }
    const list = (id: string, title: string, keys: string, run: () => void, may?: () => boolean): Command => ({
      id: `list.${id}`,
      title,
      keys,
      where: 'list',
      run,
      ...(may ? { may } : {}),
    })
    const open = onCurrent(item => navigate({ to: '/item/$key', params: { key: item.key ?? item.id } }))
    const rank = (by: 1 | -1) => onCurrent(item => rankItem(item, ids(), by))
    const canRank = () => sort === 'rank' && hasCurrent()
    return [
      list('next', say.next, 'j', step(1)),
      list('previous', say.previous, 'k', step(-1)),
      list('down', say.next, 'ArrowDown', step(1)),
      list('up', say.previous, 'ArrowUp', step(-1)),
      list('page-down', say.pageDown, 'PageDown', step(pageOfRows)),
      list('page-up', say.pageUp, 'PageUp', step(-pageOfRows)),
      list('first', say.first, 'Home', toFirst),
      list('last', say.last, 'End', toEnd),
      list(
        'select',
        say.select,
        'x',
        onCurrent(({ id }) => toggle(id)),
        hasCurrent,
      ),
      list('extend-down', say.extendDown, 'Shift+j', () => void to(extend(ids(), 1))),
      list('extend-up', say.extendUp, 'Shift+k', () => void to(extend(ids(), -1))),
      list('select-all', say.selectAll, '$mod+a', () => void selectAll()),
      list('peek', say.peek, 'Space', onCurrent(onOpen), hasCurrent),
      list('open', say.open, 'Enter', open, hasCurrent),
      list('rename', say.rename, 'F2', onCurrent(rename), hasCurrent),
      list('rank-up', say.rankUp, 'Alt+ArrowUp', rank(-1), canRank),
      list('rank-down', say.rankDown, 'Alt+ArrowDown', rank(1), canRank),
      list('leave', say.leave, 'Escape', () =>
        useFocus.getState().selected.size > 0 ? selectNone() : focus(undefined),
      ),
    ]
  }, [ids, scrollTo, toEnd, selectAll, onOpen, navigate, rename, sort])
  useOffer(commands)
}
