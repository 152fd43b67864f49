import { conditionFindings } from '../../items/condition-findings/condition-findings.ts'
import type { Context } from '../../kernel/context.ts'
import type { Finding } from '../../kernel/record/record.ts'
import { regionFindings } from '../region/region-checks.ts'
import { type Clock, conditionNames } from './clock-shape.ts'
import { isTargetKind } from './target-kind.ts'
import { isThresholdMode, thresholdMode, thresholdModeOf, thresholdsOf } from './thresholds.ts'

/** What of a clock is stored and has no effect: unknown codes, conditions that never hold, thresholds without a target. */
export async function clockFindings(clock: Clock, ctx: Context): Promise<Finding[]> {
  const found: Finding[] = []
  const report = (path: string, code: string, message: string) => found.push({ path, code, message })
  if (!isThresholdMode(clock.thresholdMode))
    report('/thresholdMode', 'unknown-code', `${clock.thresholdMode} is not a known mode; it works like 0`)
  for (const [i, { kind = 0, minutes = 0 }] of clock.targets.entries()) {
    if (!isTargetKind(kind))
      report(`/targets/${i}/kind`, 'unknown-code', `${kind} is not a known kind of target, so the target never runs`)
    else if (!thresholdsOf(clock, minutes))
      report(`/targets/${i}/minutes`, 'no-target', 'has neither minutes nor a red threshold, so it never runs')
  }
  if (clock.holidayCountry !== '' && !clock.holidays.some(each => each.source === 'country'))
    report('/holidayCountry', 'unknown-country', `no public holidays are known for ${clock.holidayCountry}`)
  const { lastError = '', ignored = 0 } = clock.holidayFeed === '' ? {} : (clock.holidayFeedState ?? {})
  if (lastError !== '') report('/holidayFeed', 'feed-failed', `could not be read: ${lastError}`)
  if (ignored > 0) report('/holidayFeed', 'timed-events', `${ignored} events have a time of day, and are ignored`)
  if (
    clock.targets.length === 0 &&
    thresholdModeOf(clock) !== thresholdMode.elapsed &&
    clock.redThreshold + clock.amberThreshold > 0
  )
    report('/targets', 'no-target', 'thresholds in percent or of remaining time need a target')
  found.push(...misorderedThresholds(clock), ...(await regionFindings(ctx, clock)))
  const conditions = [
    ...conditionNames.map(name => ({ path: `/${name}`, groups: clock[name] })),
    ...clock.targets.map(({ conditionGroup = [] }, i) => ({
      path: `/targets/${i}/conditionGroup`,
      groups: conditionGroup,
    })),
  ]
  for (const { path, groups } of conditions) found.push(...(await conditionFindings(ctx, groups, { at: path })))
  return found
}

/** Thresholds that are not reached in the order green, amber, red. */
function misorderedThresholds(clock: Clock): Finding[] {
  const names = ['greenThreshold', 'amberThreshold', 'redThreshold'] as const
  const given = names.filter(name => clock[name] > 0)
  const isFalling = thresholdModeOf(clock) === thresholdMode.remaining
  return given.slice(1).flatMap((name, i) => {
    const before = given[i] ?? name
    const isInOrder = isFalling ? clock[name] < clock[before] : clock[name] > clock[before]
    const message = `must be ${isFalling ? 'less' : 'more'} than ${before}, or the state in between never shows`
    return isInOrder ? [] : [{ path: `/${name}`, code: 'wrong-order', message }]
  })
}
