import { cycles } from '../../containers/cycle/cycle.ts'
import { remove } from '../../kernel/crud.ts'
import type { Routes } from '../../kernel/operation.ts'
import { capacity } from './capacity.ts'
import { finish, removeCycle, reopen, start } from './cycle-lifecycle.ts'
import { planItems } from './plan-items.ts'
import { burndown, velocity } from './reports.ts'

export { burndownOf } from './cycle-log.ts'

export const routes: Routes = {
  'GET /cycle/velocity': velocity,
  'DELETE /cycle/:id': remove(cycles, removeCycle),
  'POST /cycle/:id/start': start,
  'POST /cycle/:id/finish': finish,
  'POST /cycle/:id/reopen': reopen,
  'POST /cycle/:id/items': planItems,
  'GET /cycle/:id/burndown': burndown,
  'GET /cycle/:id/capacity': capacity,
}
