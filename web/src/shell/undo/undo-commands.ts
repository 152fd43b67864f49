import type { ListedChange } from '@gantry/sdk'
import { useMemo } from 'react'
import type { Command } from '../../kernel/commands/commands.ts'
import { useOffer } from '../../kernel/commands/keys.ts'
import type { Standing } from './changes.ts'
import { say } from './messages.ts'

/** A change with how it stands now. */
export type Entry = ListedChange & { standing: Standing }

interface UndoKeys {
  entries: readonly Entry[]
  currentId: string | undefined
  openId: string | undefined
  setCurrent: (id: string | undefined) => void
  show: (id: string | undefined) => void
  undo: (entry: Entry) => Promise<void>
}

/** The keys of the undo centre. */
export function useUndoCommands({ entries, currentId, openId, setCurrent, show, undo }: UndoKeys): void {
  const commands = useMemo((): Command[] => {
    const at = entries.findIndex(({ id }) => id === currentId)
    const step = (by: number) => () =>
      setCurrent(entries[Math.min(entries.length - 1, Math.max(0, at < 0 ? 0 : at + by))]?.id)
    const onCurrent = (act: (entry: Entry) => void) => () => {
      const entry = entries[at]
      if (entry) act(entry)
    }
    const here = { where: 'undo' }
    return [
      { id: 'undo.next', title: say.next, keys: 'j', ...here, run: step(1) },
      { id: 'undo.previous', title: say.previous, keys: 'k', ...here, run: step(-1) },
      { id: 'undo.down', title: say.next, keys: 'ArrowDown', ...here, run: step(1) },
      { id: 'undo.up', title: say.previous, keys: 'ArrowUp', ...here, run: step(-1) },
      {
        id: 'undo.show',
        title: say.show,
        keys: 'Enter',
        ...here,
        run: onCurrent(({ id }) => show(id === openId ? undefined : id)),
      },
      {
        id: 'undo.turn',
        title: `${say.undo} / ${say.redo}`,
        keys: 'z',
        ...here,
        run: onCurrent(entry => void (entry.standing.may && undo(entry))),
      },
      { id: 'undo.leave', title: say.close, keys: 'Escape', ...here, run: () => show(undefined) },
    ]
  }, [entries, currentId, openId, setCurrent, show, undo])
  useOffer(commands)
}
