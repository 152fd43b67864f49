import type { ClockValues } from './clock.ts'

/** The six conditions of a clock. */
export const conditionNames = ['start', 'pause', 'resume', 'stop', 'reset', 'cancel'] as const

type Thresholds = Pick<ClockValues, 'tick' | 'greenThreshold' | 'amberThreshold' | 'redThreshold' | 'thresholdMode'>

/** After how much time (ms) each light comes on; one that is not there never does. */
export interface Lights {
  green: number
  amber?: number
  red: number
  /** When the promise is broken. */
  due: number
}

export const thresholdMode = { elapsed: 0, percent: 1, remaining: 2 } as const

const minute = 60_000

/** How thresholds are read: those that fall are of what is left. */
export function modeOf({ thresholdMode: mode, greenThreshold, amberThreshold, redThreshold }: Thresholds): number {
  const set = [greenThreshold, amberThreshold, redThreshold].filter(each => each > 0)
  const falls = (set[0] ?? 0) > (set.at(-1) ?? 0)
  if (mode === thresholdMode.percent) return mode
  return mode === thresholdMode.remaining || falls ? thresholdMode.remaining : thresholdMode.elapsed
}

/** The lights of a promise of so many minutes; 0 is none of its own. Without a promise and a red light there is nothing to show. */
export function lightsOf(clock: Thresholds, minutes: number): Lights | undefined {
  const mode = modeOf(clock)
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
