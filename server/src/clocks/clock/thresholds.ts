import { thresholdMode } from '../../records/clock-codes.ts'
import type { ClockValues } from './clock-shape.ts'

type ThresholdSettings = Pick<
  ClockValues,
  'tick' | 'greenThreshold' | 'amberThreshold' | 'redThreshold' | 'thresholdMode'
>

/** After how much counted time (ms) each state begins; without `amber` there is no amber state. */
export interface Thresholds {
  green: number
  amber?: number
  red: number
  /** When the target is breached. */
  due: number
}

export { thresholdMode }

const knownModes: ReadonlySet<number> = new Set(Object.values(thresholdMode))

export const isThresholdMode = (code: number) => knownModes.has(code)

const minute = 60_000

/** How the thresholds are read. Falling thresholds are remaining time, whatever the mode says. */
export function thresholdModeOf({
  thresholdMode: mode,
  greenThreshold,
  amberThreshold,
  redThreshold,
}: ThresholdSettings): number {
  const set = [greenThreshold, amberThreshold, redThreshold].filter(each => each > 0)
  const falls = (set[0] ?? 0) > (set.at(-1) ?? 0)
  if (mode === thresholdMode.percent) return mode
  return mode === thresholdMode.remaining || falls ? thresholdMode.remaining : thresholdMode.elapsed
}

/** Returns the thresholds for a target of these minutes; with 0 the red threshold is the target. Undefined if there is neither, so nothing can be measured. */
export function thresholdsOf(clock: ThresholdSettings, minutes: number): Thresholds | undefined {
  const mode = thresholdModeOf(clock)
  const unit = (clock.tick || 1) * minute
  const target = minutes * minute
  if (target === 0 && (mode !== thresholdMode.elapsed || clock.redThreshold === 0)) return undefined
  const due = target || clock.redThreshold * unit
  const after = (threshold: number): number | undefined => {
    if (threshold === 0) return undefined
    if (mode === thresholdMode.percent) return (target * threshold) / 100
    return mode === thresholdMode.remaining ? Math.max(0, target - threshold * unit) : threshold * unit
  }
  const amber = after(clock.amberThreshold)
  const red = Math.min(after(clock.redThreshold) ?? due, due)
  return {
    green: after(clock.greenThreshold) ?? 0,
    ...(amber === undefined || amber >= red ? {} : { amber }),
    red,
    due,
  }
}
