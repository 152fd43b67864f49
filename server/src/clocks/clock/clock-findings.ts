import { itemVocabularyOnce } from '../../items/condition-findings.ts'
import type { Context } from '../../kernel/context.ts'
import type { Finding } from '../../kernel/record.ts'
import { check } from '../../language/conditions/conditions.ts'
import type { Clock } from './clock.ts'
import { conditionNames, lightsOf, modeOf } from './thresholds.ts'

const maxKind = 6
const maxMode = 2

/** What of a clock is stored and does nothing: codes that mean nothing, conditions that never hold, lights without a target. */
export async function clockFindings(clock: Clock, ctx: Context): Promise<Finding[]> {
  const found: Finding[] = []
  const told = (path: string, code: string, message: string) => found.push({ path, code, message })
  if (clock.thresholdMode < 0 || clock.thresholdMode > maxMode)
    told('/thresholdMode', 'unknown-code', `${clock.thresholdMode} means nothing, and is read as 0`)
  for (const [i, { kind = 0, minutes = 0 }] of clock.targets.entries()) {
    if (kind < 0 || kind > maxKind)
      told(`/targets/${i}/kind`, 'unknown-code', `${kind} is no kind of target; it never runs`)
    else if (!lightsOf(clock, minutes)) told(`/targets/${i}/minutes`, 'no-target', 'promises nothing: it never runs')
  }
  if (clock.holidayCountry !== '' && !clock.holidays.some(each => each.source === 'country'))
    told('/holidayCountry', 'unknown-country', `no public holidays are known here of ${clock.holidayCountry}`)
  const { lastError = '', ignored = 0 } = clock.holidayFeed === '' ? {} : (clock.holidayFeedState ?? {})
  if (lastError !== '') told('/holidayFeed', 'feed-failed', `could not be read: ${lastError}`)
  if (ignored > 0) told('/holidayFeed', 'timed-events', `${ignored} events have a time of day, and are no holidays`)
  if (clock.targets.length === 0 && modeOf(clock) !== 0 && clock.redThreshold + clock.amberThreshold > 0)
    told('/targets', 'no-target', 'thresholds of what is left, or in percent, need a target')
  const asked = [
    ...conditionNames.map(name => ({ path: `/${name}`, groups: clock[name] })),
    ...clock.targets.map(({ conditionGroup = [] }, i) => ({
      path: `/targets/${i}/conditionGroup`,
      groups: conditionGroup,
    })),
  ].filter(({ groups }) => groups.length > 0)
  if (asked.length === 0) return found
  const vocabulary = await itemVocabularyOnce(ctx)
  for (const { path, groups } of asked)
    found.push(...check(groups, vocabulary).map(each => ({ ...each, path: `${path}${each.path}` })))
  return found
}
