import { codes } from '@gantry/sdk'
import { Check, Clock, Pause, TriangleAlert } from 'lucide-react'
import { minutesSince, shortDurationText } from '../kernel/dates/durations.ts'
import { say } from './messages.ts'

const icons = { ok: Clock, soon: Clock, late: TriangleAlert, paused: Pause, met: Check }

export type ClockTone = keyof typeof icons

interface ClockBadgeProps {
  tone: ClockTone
  text: string
  /** What the text alone does not say. */
  label?: string
}

/** A promise about an item: plain while there is time, on a ground when it is short or over. */
export function ClockBadge({ tone, text, label }: ClockBadgeProps) {
  const Icon = icons[tone]
  return (
    <span className={`clock clock-${tone}`} title={label}>
      <Icon className="ic" {...(label ? { 'aria-label': label } : {})} /> {text}
    </span>
  )
}

/** How a promise stands, as lists have it with `include=clock`. */
interface ClockState {
  state: number
  dueAt: string | null
  amberAt?: string | null | undefined
  pausedSince?: string | null | undefined
}

const { clockState } = codes

/** What conditions and sort orders call the moment at which the next promise ends. */
export const clockPath = 'clock.dueAt'

/** The clocks of an item, which lists bring only where they are asked for. */
export const clocksOf = (item: object & { clock?: unknown }): readonly ClockState[] =>
  Array.isArray(item.clock) ? item.clock : []

function nextOf(clocks: readonly ClockState[]): ClockState | undefined {
  const running = clocks.filter(({ state, dueAt }) => state < clockState.paused && dueAt)
  return running.toSorted((one, other) => (one.dueAt ?? '').localeCompare(other.dueAt ?? ''))[0]
}

export const nextDue = (clocks: readonly ClockState[]): string | null => nextOf(clocks)?.dueAt ?? null

/** The promise that ends next. */
export function NextClock({ clocks }: { clocks: readonly ClockState[] }) {
  const next = nextOf(clocks)
  if (!next?.dueAt)
    return clocks.some(({ state }) => state === clockState.paused) ? (
      <ClockBadge tone="paused" text={say.clockPaused} />
    ) : null
  const left = -minutesSince(next.dueAt)
  if (left < 0) return <ClockBadge tone="late" text={shortDurationText(left)} label={say.clockLate} />
  const isShort = next.amberAt ? minutesSince(next.amberAt) >= 0 : left < 60
  return <ClockBadge tone={isShort ? 'soon' : 'ok'} text={shortDurationText(left)} label={say.clockLeft} />
}
