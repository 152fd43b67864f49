import { codes } from '@gantry/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useValueText } from '../../items/item/value-text.ts'
import { useSession } from '../../kernel/data/session/session.ts'
import { addDays, longDayText, today } from '../../kernel/dates/days.ts'
import { ProblemScreen } from '../../kernel/problems/problem-screen.tsx'
import { Button, Screen, Skeleton } from '../../kit/kit.tsx'
import { ChangeRow } from './change-row.tsx'
import { byDay, standingOf, withoutUndos } from './changes.ts'
import { say } from './messages.ts'
import { useChanges, type Whose } from './read-changes.ts'
import { summaryText } from './summary-text.ts'
import { previewUndo, turnOver } from './turn-over.ts'
import { type Entry, useUndoCommands } from './undo-commands.ts'

/** Everything that was changed, by day, and the way back. */
export function UndoCentre() {
  const { user } = useSession()
  const [whose, setWhose] = useState<Whose>('mine')
  const { changes, isLoaded, error, refetch, hasNextPage, fetchNextPage } = useChanges(whose)
  const [currentId, setCurrent] = useState<string>()
  const [openId, setOpen] = useState<string>()
  const entries = useMemo((): Entry[] => {
    const byId = new Map(changes.map(each => [each.id, each]))
    return withoutUndos(changes, byId).map(change => ({ ...change, standing: standingOf(change, byId) }))
  }, [changes])
  const undo = useUndo(openId, setOpen)
  const show = useCallback((id: string | undefined) => {
    if (id) setCurrent(id)
    setOpen(id)
  }, [])
  useUndoCommands({ entries, currentId, openId, setCurrent, show, undo })
  const days = byDay(entries, user.timezone)
  const now = today(user.timezone)
  const seesOthers = user.role === codes.role.manager || user.role === codes.role.admin
  return (
    <>
      <header className={seesOthers ? 'bar' : 'bar wide'}>
        <h1 className="wide">{say.title}</h1>
        {seesOthers && <WhoseSwitch whose={whose} onPick={setWhose} />}
      </header>
      <div className="scroll undo">
        {error && <ProblemScreen error={error} onRetry={() => void refetch()} />}
        {!isLoaded && !error && <Skeleton />}
        {isLoaded && entries.length === 0 && <Screen icon={<Undo2 />} title={say.empty} text={say.emptyText} />}
        {isLoaded && entries.length > 0 && days[0]?.[0] !== now && <p className="hint undo-none">{say.empty}</p>}
        {days.map(([day, those]) => (
          <section key={day} aria-label={dayName(day, now)}>
            <h2 className="group">
              {dayName(day, now)} <span className="count">{those.length}</span>
              <span className="sum">{sumOf(those)}</span>
            </h2>
            <ul>
              {those.map(entry => (
                <ChangeRow
                  key={entry.id}
                  entry={entry}
                  isCurrent={entry.id === currentId}
                  isOpen={entry.id === openId}
                  onShow={() => show(entry.id === openId ? undefined : entry.id)}
                  onUndo={rest => void undo(entry, rest)}
                />
              ))}
            </ul>
          </section>
        ))}
        {hasNextPage && (
          <Button look="ghost" onClick={() => void fetchNextPage()}>
            {say.more}
          </Button>
        )}
      </div>
    </>
  )
}

const sumOf = (entries: readonly Entry[]) =>
  say.records(
    entries.reduce((sum, { records }) => sum + records, 0),
    entries.every(({ exact }) => exact),
  )

function dayName(day: string, now: string): string {
  if (day === now) return say.today
  return day === addDays(now, -1) ? say.yesterday : longDayText(day)
}

/** Undoes at once what nothing is in the way of; otherwise shows first what would stay. */
function useUndo(openId: string | undefined, setOpen: (id: string | undefined) => void) {
  const client = useQueryClient()
  const { nameOf } = useValueText()
  const names = useRef(nameOf)
  names.current = nameOf
  return useCallback(
    async (entry: Entry, rest = false) => {
      const { id, standing } = entry
      const { records, skipped, refusal } = await previewUndo(standing.target)
      const isClear = skipped.length === 0 && refusal === undefined
      const mayDoRest = skipped.length > 0 && records > 0 && (rest || openId === id)
      if (!isClear && !mayDoRest) return setOpen(id)
      if (await turnOver(standing, summaryText(entry, names.current), mayDoRest)) setOpen(undefined)
      await client.invalidateQueries({ queryKey: ['changes'] })
    },
    [client, openId, setOpen],
  )
}

function WhoseSwitch({ whose, onPick }: { whose: Whose; onPick: (whose: Whose) => void }) {
  return (
    <div className="seg" role="group" aria-label={say.whose}>
      {(['mine', 'everybody'] as const).map(each => (
        <button
          key={each}
          type="button"
          className={each === whose ? 'is-on' : ''}
          aria-pressed={each === whose}
          onClick={() => onPick(each)}
        >
          {say[each]}
        </button>
      ))}
    </div>
  )
}
