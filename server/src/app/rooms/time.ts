import type { Routes } from '../../kernel/operation.ts'
import * as timeBulk from '../../time/bulk/bulk.ts'
import * as timeCalendar from '../../time/calendar/calendar.ts'
import * as timeClosing from '../../time/closed/closing.ts'
import * as timeCorrection from '../../time/correction/correction.ts'
import * as timeDelegation from '../../time/delegation/delegation.ts'
import * as time from '../../time/entry/entry-routes.ts'
import * as reprice from '../../time/entry/price/reprice.ts'
import * as timesheet from '../../time/sheet/sheet-operations.ts'
import * as timer from '../../time/timer/timer-operations.ts'
import { weekRoutes } from '../../time/week/week-operations.ts'
import { weekSources } from '../week-sources.ts'

/** Booked time, timers, sheets and their periods. */
export const timeRoutes: Routes = {
  ...timeCalendar.routes,
  ...timesheet.routes,
  ...timeDelegation.routes,
  ...timeClosing.routes,
  ...timeCorrection.routes,
  ...timeBulk.routes,
  ...time.routes,
  ...timer.routes,
  ...reprice.routes,
  ...weekRoutes(weekSources),
}
