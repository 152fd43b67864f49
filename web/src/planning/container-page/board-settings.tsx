import { type Board, call } from '@gantry/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type FormEvent, useState } from 'react'
import { reasonOf } from '../../kernel/data/attempt.ts'
import { gantry } from '../../kernel/data/client.ts'
import { remember } from '../../kernel/data/undo.ts'
import { Button } from '../../kit/kit.tsx'
import { otherColumn } from '../board/state/board-state.ts'
import { boardNow } from '../board/state/board-store.ts'
import { say } from '../messages.ts'
import { ColumnSettings } from './column-settings.tsx'
import type { SeenContainer } from './container-head.tsx'
import { GroupingField } from './grouping-field.tsx'
import { QuickFilterSettings } from './quick-filter-settings.tsx'

interface SettingsProps {
  board: Board
  container: SeenContainer
  onClose: () => void
}

/** What a person can choose of a board. Nothing is sent before it is saved, and then only what was changed; a change can be undone. */
export function BoardSettings({ board, container, onClose }: SettingsProps) {
  const [changed, setChanged] = useState<Partial<Draft>>({})
  const draft = { ...draftOf(board), ...changed }
  const [problem, setProblem] = useState('')
  const client = useQueryClient()
  const navigate = useNavigate()
  const change = (values: Partial<Draft>) => setChanged(now => ({ ...now, ...values }))
  const act = async (operation: () => Promise<string | undefined>, text: string) => {
    try {
      remember(await operation(), text)
      await client.invalidateQueries({ queryKey: ['Board'] })
      onClose()
    } catch (error) {
      setProblem(reasonOf(error))
    }
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (Object.keys(changed).length === 0) return onClose()
    const path = { id: board.id }
    const send = () =>
      call(gantry, 'PATCH /board/{id}', { path, body: changed, ifMatch: `"v${board.version}"` }).withResponse()
    void act(async () => (await send()).changeSet, say.boardChanged(draft.name))
  }
  const remove = () =>
    act(async () => {
      const { changeSet } = await call(gantry, 'DELETE /board/{id}', { path: { id: board.id } }).withResponse()
      void navigate({ to: '/container/$key', params: { key: container.key }, search: { view: 'board' } })
      return changeSet
    }, say.boardDeleted(board.name))
  return (
    <Dialog.Root open onOpenChange={open => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content className="drawer side-sheet" aria-describedby={undefined}>
          <form className="sheet-form" onSubmit={save}>
            <div className="bar">
              <Dialog.Title className="grow">{say.settings}</Dialog.Title>
              <Dialog.Close className="btn btn-ghost btn-icon" aria-label={say.close}>
                <X className="ic" />
              </Dialog.Close>
            </div>
            <div className="scroll sheet-body">
              <label className="field">
                <span>{say.name}</span>
                <input
                  className="input"
                  required
                  value={draft.name}
                  onChange={event => change({ name: event.target.value })}
                />
              </label>
              <GroupingField
                label={say.columnsBy}
                value={draft.columnField}
                // Another property has other values: its own columns take the place of those that were chosen.
                onChange={columnField => change({ columnField, columns: [] })}
              />
              <GroupingField
                label={say.lanesBy}
                none={say.noLanes}
                value={draft.swimlaneField}
                onChange={swimlaneField => change({ swimlaneField })}
              />
              {draft.columnField === board.columnField && (
                <ColumnSettings columns={draft.columns} onChange={columns => change({ columns })} />
              )}
              <QuickFilterSettings filters={draft.quickFilters} onChange={quickFilters => change({ quickFilters })} />
              {problem && (
                <p className="why" role="alert">
                  {problem}
                </p>
              )}
            </div>
            <div className="sheet-foot">
              <Button look="danger" onClick={() => void remove()}>
                {say.deleteBoard}
              </Button>
              <span className="grow" />
              <Button look="primary" type="submit">
                {say.save}
              </Button>
            </div>
          </form>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

export type Draft = Pick<Board, 'name' | 'columnField' | 'swimlaneField' | 'columns' | 'quickFilters'>

/** The columns as they are shown: those that follow the process become the board's own when they are changed. */
function draftOf({ name, columnField, swimlaneField, columns, quickFilters }: Board): Draft {
  const shown = boardNow()?.columns.filter(({ id }) => id !== otherColumn) ?? []
  const own = shown.map(({ id, name: title, values, wip, wipMode, wipPolicy, collapsed }) => {
    return { id, name: title, values, wip, wipMode, wipPolicy, collapsed }
  })
  return { name, columnField, swimlaneField, columns: columns.length > 0 ? columns : own, quickFilters }
}
