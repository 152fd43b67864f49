import { type ChecklistEntry, call, type Item } from '@gantry/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ListChecks, ListTree, Plus, X } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { attempt } from '../../../kernel/data/attempt.ts'
import { gantry } from '../../../kernel/data/client.ts'
import { useDraft } from '../../../kernel/data/kept/drafts.ts'
import { remember } from '../../../kernel/data/undo.ts'
import { Button } from '../../../kit/kit.tsx'
import { readWithItem } from '../frame/open-item.ts'
import { useIsReadOnly } from '../use-item.ts'
import { Progress } from './children.tsx'
import { say } from './messages.ts'
import { Part } from './part.tsx'

const taskLine = /^\s*(?:[-*+]|\d+[.)])\s+\[[ xX]\]\s+\S/m

/** The steps of an item: checked, added, moved by `Alt` and the arrows, and made to sub-items. */
export function Checklist({ item, folded }: { item: Item; folded: boolean }) {
  const readOnly = useIsReadOnly(item)
  const [adding, setAdding] = useState<boolean>() // once it was asked for, the part stays open
  const { entries, write } = useChecklist(item.id)
  const path = { id: item.id }
  const add = (text: string) => write(call(gantry, 'POST /checklist-entry', { body: { itemId: item.id, text } }))
  const order = (ids: string[]) => write(call(gantry, 'POST /item/{id}/checklist/order', { path, body: { ids } }))
  const done = entries.filter(({ checked }) => checked).length
  const takesLines = entries.length === 0 && taskLine.test(item.description ?? '')
  return (
    <Part
      key={adding === undefined ? 'shown' : 'asked for'}
      name={say.checklist}
      count={entries.length > 0 ? `${done}/${entries.length}` : undefined}
      folded={folded && adding === undefined}
      acts={
        !readOnly && (
          <>
            {takesLines && (
              <Button
                look="icon"
                aria-label={say.takeLines}
                onClick={() =>
                  write(
                    call(gantry, 'POST /item/{id}/checklist/markdown', { path, body: { removeLines: true } }),
                    say.linesTaken,
                  )
                }
              >
                <ListChecks className="ic" />
              </Button>
            )}
            {done < entries.length && (
              <Button
                look="icon"
                aria-label={say.convertEntries}
                onClick={() =>
                  write(call(gantry, 'POST /item/{id}/checklist/convert', { path, body: {} }), say.entriesConverted)
                }
              >
                <ListTree className="ic" />
              </Button>
            )}
            <Button look="icon" aria-label={say.addEntry} onClick={() => setAdding(true)}>
              <Plus className="ic" />
            </Button>
          </>
        )
      }
    >
      {entries.length > 0 && <Progress part={done / entries.length} />}
      <div>
        {entries.map((entry, place) => (
          <EntryLine
            key={entry.id}
            entry={entry}
            readOnly={readOnly}
            write={write}
            onMove={by => order(moved(entries, place, by))}
          />
        ))}
      </div>
      {adding && <NewEntry place={`checklist ${item.id}`} onAdd={add} onClose={() => setAdding(false)} />}
    </Part>
  )
}

/** Sends a change, remembers it for undo, and shows what became of it. */
type Write = (sent: SentChange, text?: string) => void
interface SentChange {
  withResponse(): Promise<{ changeSet: string | undefined }>
}

function useChecklist(id: string): { entries: ChecklistEntry[]; write: Write } {
  const client = useQueryClient()
  const queryKey = ['checklist', id]
  const { data: entries = [] } = useQuery({
    ...readWithItem,
    queryKey,
    queryFn: ({ signal }) => call(gantry, 'GET /item/{id}/checklist', { path: { id }, signal }),
  })
  const write = async (sent: SentChange, text?: string) => {
    await attempt(async () => {
      const { changeSet } = await sent.withResponse()
      if (text) remember(changeSet, text)
    })
    await client.invalidateQueries({ queryKey })
  }
  return { entries, write: (sent, text) => void write(sent, text) }
}

/** The ids in the order after one entry has moved. */
function moved(entries: readonly ChecklistEntry[], place: number, by: number): string[] {
  const ids = entries.map(({ id }) => id)
  const [id = ''] = ids.splice(place, 1)
  ids.splice(Math.max(0, place + by), 0, id)
  return ids
}

interface EntryLineProps {
  entry: ChecklistEntry
  readOnly: boolean
  write: Write
  onMove: (by: number) => void
}

function EntryLine({ entry: { id, text = '', checked = false }, readOnly, write, onMove }: EntryLineProps) {
  const [shown, setShown] = useState<boolean>() // until the service has answered
  const path = { id }
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined
    if (by === undefined) return
    event.preventDefault()
    onMove(by)
  }
  return (
    <div className="lnk">
      <label className="lnk grow">
        <input
          type="checkbox"
          checked={shown ?? checked}
          disabled={readOnly}
          onKeyDown={onKeyDown}
          onChange={({ target }) => {
            setShown(target.checked)
            const sent = call(gantry, 'PATCH /checklist-entry/{id}', { path, body: { checked: target.checked } })
            write({ withResponse: () => sent.withResponse().finally(() => setShown(undefined)) })
          }}
        />
        <bdi className={`grow ${checked ? 'dim' : ''}`}>{text}</bdi>
      </label>
      {!readOnly && (
        <Button
          look="icon"
          aria-label={say.removeEntry(text)}
          onClick={() => write(call(gantry, 'DELETE /checklist-entry/{id}', { path }), say.entryRemoved)}
        >
          <X className="ic" />
        </Button>
      )}
    </div>
  )
}

/** One line an entry: `Enter` adds it and waits for the next. */
function NewEntry({ place, onAdd, onClose }: { place: string; onAdd: (text: string) => void; onClose: () => void }) {
  const { value: text, set, clear } = useDraft(place, '')
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: it opens because somebody asked for it
      autoFocus
      className="input"
      aria-label={say.addEntry}
      placeholder={say.childTitle}
      maxLength={500}
      value={text}
      onChange={event => set(event.target.value)}
      onBlur={() => text.trim() === '' && onClose()}
      onKeyDown={event => {
        if (event.key === 'Escape') {
          event.stopPropagation()
          onClose()
        }
        if (event.key !== 'Enter' || text.trim() === '') return
        onAdd(text.trim())
        clear()
      }}
    />
  )
}
