import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { addMonths, daysInMonth, weekdayOf } from '../dates/day-input.ts'
import { addDays, dayText, longDayText, monthText, weekdayText } from '../dates/days.ts'
import type { EditProps } from './field-type.ts'
import { useHere } from './here.ts'
import { say } from './messages.ts'
import { texts } from './values.ts'

/** A day: typed (`fri`, `+2w`, `12.3.`), chosen of those that are asked for most, or from the calendar by arrows. */
export function EditDay({ property, value, onSave, onCancel }: EditProps) {
  const here = useHere()
  const known = typeof value === 'string' && value ? value : undefined
  const [text, setText] = useState('')
  const [marked, setMarked] = useState(known ?? here.today)
  const typed = text.trim() === '' ? undefined : texts.date.parse(text, property, here)
  const day = typeof typed === 'string' ? typed : marked
  const isBad = text.trim() !== '' && typed === undefined
  const steps: Record<string, (from: string) => string> = {
    ArrowDown: from => addDays(from, 7),
    ArrowUp: from => addDays(from, -7),
    PageDown: from => addMonths(from, 1),
    PageUp: from => addMonths(from, -1),
    ...(text === ''
      ? { ArrowRight: (from: string) => addDays(from, 1), ArrowLeft: (from: string) => addDays(from, -1) }
      : {}),
  }
  const press = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step) {
      setMarked(step(day))
      setText('')
    } else if (event.key === 'Enter' && !isBad) day === known ? onCancel() : onSave(day)
    else if (event.key === 'Delete' || (event.key === 'Backspace' && text === '')) onSave(null)
    else return
    event.preventDefault()
  }
  return (
    <div className="editor-day">
      <input
        aria-label={property.name}
        aria-invalid={isBad}
        placeholder={say.dayHint}
        value={text}
        onChange={event => setText(event.target.value)}
        onKeyDown={press}
      />
      <p className={isBad ? 'why' : 'meta'} aria-live="polite">
        {isBad ? say.unreadable(say.typeName('date')) : longDayText(day)}
      </p>
      <Month day={day} known={known} today={here.today} onPick={onSave} onMove={setMarked} />
      <div className="hstack">
        {shortcuts(here.today).map(each => (
          <button key={each.day} type="button" className="btn btn-ghost" onClick={() => onSave(each.day)}>
            {each.name}
          </button>
        ))}
        <span className="grow" />
        {known && (
          <button type="button" className="btn btn-ghost" onClick={() => onSave(null)}>
            {say.clear}
          </button>
        )}
      </div>
    </div>
  )
}

const shortcuts = (today: string) => [
  { name: say.today, day: today },
  { name: say.tomorrow, day: addDays(today, 1) },
  { name: say.nextWeek, day: addDays(today, ((8 - weekdayOf(today)) % 7) + (weekdayOf(today) === 1 ? 7 : 0)) },
]

interface MonthProps {
  day: string
  known: string | undefined
  today: string
  onPick: (day: string) => void
  onMove: (day: string) => void
}

function Month({ day, known, today, onPick, onMove }: MonthProps) {
  const first = `${day.slice(0, 7)}-01`
  const before = (weekdayOf(first) + 6) % 7 // weeks begin on Monday
  const length = daysInMonth(Number(day.slice(0, 4)), Number(day.slice(5, 7)))
  const weeks = Math.ceil((before + length) / 7)
  const days = Array.from({ length: weeks * 7 }, (_, at) => addDays(first, at - before))
  return (
    <div className="cal" role="group" aria-label={monthText(day)}>
      <div className="hstack cal-head">
        <span className="grow mid">{monthText(day)}</span>
        <Turn label={say.previousMonth} onClick={() => onMove(addMonths(day, -1))}>
          <ChevronLeft className="ic" />
        </Turn>
        <Turn label={say.nextMonth} onClick={() => onMove(addMonths(day, 1))}>
          <ChevronRight className="ic" />
        </Turn>
      </div>
      <div className="cal-grid">
        {days.slice(0, 7).map(each => (
          <span key={each} className="meta">
            {weekdayText(each)}
          </span>
        ))}
        {days.map(each => (
          <button
            key={each}
            type="button"
            tabIndex={-1}
            className={`cal-day ${each.startsWith(day.slice(0, 7)) ? '' : 'is-out'} ${each === today ? 'is-today' : ''}`}
            aria-label={dayText(each, '0000-00-00')}
            aria-current={each === known ? 'date' : undefined}
            aria-pressed={each === day}
            onClick={() => onPick(each)}
          >
            {Number(each.slice(8))}
          </button>
        ))}
      </div>
    </div>
  )
}

function Turn({ label, onClick, children }: { label: string; onClick: () => void; children: React.ReactNode }) {
  return (
    <button type="button" tabIndex={-1} className="btn btn-ghost btn-icon" aria-label={label} onClick={onClick}>
      {children}
    </button>
  )
}
