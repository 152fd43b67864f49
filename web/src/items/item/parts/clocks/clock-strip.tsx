import { useSession } from '../../../../kernel/data/session/session.ts'
import { instantNow, millisecondsBetween, momentText } from '../../../../kernel/dates/days.ts'
import { say } from '../messages.ts'

interface Interval {
  from: string
  to: string
  counted: boolean
  reason: string
}

/** Geometry by script: the content policy refuses styles in elements. */
const sized = (property: 'left' | 'width', value: string) => (element: HTMLElement | null) => {
  if (element) element.style[property] = value
}

/** The time of a promise as a strip: counted, paused, closed, left; a tick for now. */
export function ClockStrip({ intervals, dueAt }: { intervals: readonly Interval[]; dueAt: string | null }) {
  const { user } = useSession()
  const [first] = intervals
  const last = intervals.at(-1)
  if (!first || !last) return null
  const now = instantNow()
  const end = dueAt && dueAt > last.to ? dueAt : last.to
  const whole = millisecondsBetween(first.from, end) || 1
  const widthOf = (from: string, to: string) => `${(millisecondsBetween(from, to) / whole) * 100}%`
  const kindOf = ({ counted, reason }: Interval) =>
    counted ? 'counted' : reason.startsWith('paused') ? 'paused' : 'outside'
  return (
    <>
      <div className="strip-at" aria-hidden="true">
        {now < end && <b className="now" ref={sized('left', widthOf(first.from, now))} />}
        <div className="strip">
          {intervals.map(interval => (
            <i
              key={interval.from}
              className={kindOf(interval)}
              ref={sized('width', widthOf(interval.from, interval.to))}
            />
          ))}
          {end > last.to && <i className="left" ref={sized('width', widthOf(last.to, end))} />}
        </div>
      </div>
      <div className="strip-ends">
        <span>{momentText(first.from, user.timezone)}</span>
        <span>{momentText(end, user.timezone)}</span>
      </div>
      <div className="legend">
        <span>
          <i className="is-counted" /> {say.counted}
        </span>
        <span>
          <i className="is-paused" /> {say.paused}
        </span>
        <span>
          <i className="is-closed" /> {say.closedHours}
        </span>
      </div>
    </>
  )
}
