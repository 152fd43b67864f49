import { call, codes, type Item } from '@gantry/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useOffer } from '../../kernel/commands/keys.ts'
import { attempt } from '../../kernel/data/attempt.ts'
import { gantry } from '../../kernel/data/client.ts'
import { remember } from '../../kernel/data/undo.ts'
import { isOpen, type Status, statusesOf, useProcesses } from '../catalogue.ts'
import { changeItem } from '../change-item.ts'
import { focus, move, useFocus } from '../focus.ts'
import { heldItem } from '../held-item.ts'
import { say } from '../messages.ts'
import type { WorkEntry } from './read-work.ts'

const { done } = codes.statusCategory

/** Where an item without a process goes when it is done. */
const doneWithoutProcess = () => ({ name: say.done, category: done })

/** Marks an item as done: painted at once, and the next one is ready. */
export function finish(item: Item, statuses: readonly Status[]): void {
  const target = statuses.find(({ category }) => category === done) ?? doneWithoutProcess()
  const values = { status: target.name, ...(statuses.length === 0 ? { statusCategory: done } : {}) }
  const painted = { status: target.name, statusCategory: done }
  void changeItem(item.id, values, say.set(target.name, item.key ?? ''), painted)
}

/** Says yes to what somebody asks. */
export async function approve({ id, approvalId }: WorkEntry): Promise<void> {
  if (!approvalId) return
  await attempt(async () => {
    const body = { approvalId }
    const { changeSet } = await call(gantry, 'POST /item/{id}/approve', { path: { id }, body }).withResponse()
    remember(changeSet, say.approved)
  })
}

/** The keys of my work: those of a list, and `E` for done. */
export function useWorkCommands(
  entries: readonly WorkEntry[],
  onPeek: (item: Item) => void,
  onClose: () => void,
): void {
  const processes = useProcesses()
  const navigate = useNavigate()
  const commands = useMemo(() => {
    const ids = entries.map(({ id }) => id)
    const current = () => heldItem(useFocus.getState().current ?? '')
    const onCurrent = (act: (item: Item) => void) => () => {
      const item = current()
      if (item) act(item)
    }
    const end = (item: Item) => {
      const entry = entries.find(({ id }) => id === item.id)
      const at = ids.indexOf(item.id)
      if (entry?.approvalId) void approve(entry)
      else if (isOpen(item.statusCategory)) finish(item, statusesOf(processes.find(({ id }) => id === item.processId)))
      focus(ids[at + 1] ?? ids[at - 1])
    }
    const open = (item: Item) => void navigate({ to: '/item/$key', params: { key: item.key ?? item.id } })
    const leave = () => {
      onClose()
      focus(undefined)
    }
    const here = { where: 'list' }
    return [
      { id: 'list.next', title: say.next, keys: 'j', ...here, run: () => void move(ids, 1) },
      { id: 'list.previous', title: say.previous, keys: 'k', ...here, run: () => void move(ids, -1) },
      { id: 'work.down', title: say.next, keys: 'ArrowDown', ...here, run: () => void move(ids, 1) },
      { id: 'work.up', title: say.previous, keys: 'ArrowUp', ...here, run: () => void move(ids, -1) },
      { id: 'list.peek', title: say.peek, keys: 'Space', ...here, run: onCurrent(onPeek) },
      { id: 'list.open', title: say.open, keys: 'Enter', ...here, run: onCurrent(open) },
      { id: 'work.done', title: say.done, keys: 'e', ...here, run: onCurrent(end) },
      { id: 'list.leave', title: say.close, keys: 'Escape', ...here, run: leave },
    ]
  }, [entries, processes, navigate, onPeek, onClose])
  useOffer(commands)
}
