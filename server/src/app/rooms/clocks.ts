import * as clock from '../../clocks/clock/clock-operations.ts'
import type { Routes } from '../../kernel/operation.ts'

/** Business clocks. */
export const clocksRoutes: Routes = {
  ...clock.routes,
}
