import { codes } from '@gantry/sdk'
import { Clock, Pause, TriangleAlert } from 'lucide-react'
import { durationText, minutesSince } from '../kernel/dates/durations.ts'
import { say } from './messages.ts'

/** How a promise stands, as lists have it with `include=clock`. */
export interface ClockState {
  state: number
  dueAt: string | null
  amberAt?: string | null | undefined
  pausedSince?: string | null | undefined
}

const { clockState } = codes

/** The promise that ends next: plain while there is time, on a ground when it is short or broken. */
export function ClockBadge({ clocks }: { clocks: readonly ClockState[] | undefined }) {
  const running = (clocks ?? []).filter(({ state, dueAt }) => state < clockState.paused && dueAt)
  const next = running.toSorted((one, other) => (one.dueAt ?? '').localeCompare(other.dueAt ?? ''))[0]
  if (!next?.dueAt)
    return clocks?.some(({ state }) => state === clockState.paused) ? (
      <span className="clock clock-paused">
        <Pause className="ic" /> {say.clockPaused}
      </span>
    ) : null
  const left = -minutesSince(next.dueAt)
  if (left < 0)
    return (
      <span className="clock clock-late" title={say.clockLate}>
        <TriangleAlert className="ic" aria-label={say.clockLate} /> {durationText(Math.ceil(left))}
      </span>
    )
  const short = next.amberAt ? minutesSince(next.amberAt) >= 0 : left < 60
  return (
    <span className={`clock ${short ? 'clock-soon' : 'clock-ok'}`} title={say.clockLeft}>
      <Clock className="ic" aria-label={say.clockLeft} /> {durationText(Math.floor(left))}
    </span>
  )
}
