import { codes } from '@gantry/sdk'
import { Cog, Redo2, Undo2, Zap } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useUsers } from '../../items/catalogue.ts'
import { useValueText } from '../../items/item/value-text.ts'
import { useSession } from '../../kernel/data/session/session.ts'
import { wallClock } from '../../kernel/dates/moments.ts'
import { Avatar, Button } from '../../kit/kit.tsx'
import { ChangePanel } from './change-panel.tsx'
import { isGoingOn, type Standing } from './changes.ts'
import { say } from './messages.ts'
import { summaryText } from './summary-text.ts'
import type { Entry } from './undo-commands.ts'

interface RowProps {
  entry: Entry
  isCurrent: boolean
  isOpen: boolean
  onShow: () => void
  /** Undoes or redoes it; with `rest` without the records that are in the way. */
  onUndo: (rest: boolean) => void
}

/** One change: when, who, what, how many, and the way back. */
export function ChangeRow({ entry, isCurrent, isOpen, onShow, onUndo }: RowProps) {
  const { at, records, exact, standing } = entry
  const { nameOf } = useValueText()
  const { timezone } = useSession().user
  const tag = undoingText(standing) ?? (standing.isUndone ? undoneText(entry) : undefined)
  const what = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isCurrent) what.current?.focus()
  }, [isCurrent])
  return (
    <li className={isOpen ? 'undo-open' : ''} aria-current={isCurrent}>
      <div className={`row urow ${standing.isUndone ? 'is-gone' : ''}`}>
        <time dateTime={at}>{wallClock(at, timezone).time}</time>
        <Actor entry={entry} />
        <button ref={what} type="button" className="title" aria-expanded={isOpen} onClick={onShow}>
          <bdi className="cut tt">{summaryText(entry, nameOf)}</bdi>
          {tag && <span className="tag">{tag}</span>}
        </button>
        <span className="r">{say.records(records, exact)}</span>
        <span className="a">
          {isGoingOn(standing.undoing) ? null : standing.may ? (
            <Button look="ghost" onClick={() => onUndo(false)}>
              {standing.isUndone ? <Redo2 className="ic" /> : <Undo2 className="ic" />}
              {standing.isUndone ? say.redo : say.undo}
            </Button>
          ) : (
            <span className="meta">{say.forbidden}</span>
          )}
        </span>
      </div>
      {isOpen && <ChangePanel entry={entry} onUndo={() => onUndo(true)} />}
    </li>
  )
}

function undoneText({ standing, records }: Entry): string {
  const part = standing.records ?? records
  return part < records ? say.undoneInPart(part, records) : say.undone
}

/** What became of an undo or a redo in the background; one that is done shows in the change itself. */
function undoingText({ undoing, isUndone }: Standing): string | undefined {
  if (undoing?.state === codes.undoState.refused) return say.notUndone(undoing.skippedRecords)
  if (undoing?.state === codes.undoState.failed) return say.undoFailed
  if (!isGoingOn(undoing)) return undefined
  return isUndone ? say.beingRedone : say.beingUndone
}

function Actor({ entry: { actor, via } }: { entry: Entry }) {
  const { user } = useSession()
  const users = useUsers()
  const isPerson = !via && (actor.kind === 'user' || actor.kind === 'apiKey')
  const other = users.get(actor.id)?.name ?? ''
  const name = via ? say.rule : !isPerson ? say.service : actor.id === user.id ? say.you : other
  return (
    <>
      {isPerson ? <Avatar id={actor.id} name={other || name} /> : via ? <Zap className="ic" /> : <Cog className="ic" />}
      <bdi className="cut wide">{name}</bdi>
    </>
  )
}
