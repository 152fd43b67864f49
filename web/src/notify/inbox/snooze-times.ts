import { dayOf } from '../../kernel/dates/day-input.ts'
import { addDays, instantAfter } from '../../kernel/dates/days.ts'
import { instantAt } from '../../kernel/dates/moments.ts'
import { useHere } from '../../kernel/fields/here.ts'
import { say } from './messages.ts'

const morning = '09:00'
const threeHours = 180

/** When a notice can come back: later today, tomorrow morning, next Monday. */
export function useSnoozeTimes() {
  const { today, timezone } = useHere()
  return [
    { label: say.laterToday, until: () => instantAfter(threeHours) },
    { label: say.tomorrow, until: () => instantAt(addDays(today, 1), morning, timezone) },
    { label: say.nextWeek, until: () => instantAt(dayOf('monday', today) ?? addDays(today, 7), morning, timezone) },
  ]
}
