import { check, create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Routes } from '../../kernel/operation.ts'
import { history } from '../../records/history/history.ts'
import { refresh } from '../holiday/refresh.ts'
import { explainClock } from '../item-clock/explain.ts'
import { listItemClocks, manualCommand } from '../item-clock/item-clock-operations.ts'
import { responsible } from '../region/responsible.ts'
import { calc } from './calc.ts'
import { clocks } from './clock.ts'
import { changeClock, createClock, recalculateQuery, removeClock, restoreClock } from './clock-change.ts'
import { preview } from './preview.ts'
import { progress } from './recalculation.ts'

const change = { ...update(clocks, changeClock), query: recalculateQuery }

export const routes: Routes = {
  'GET /clock': list(clocks),
  'POST /clock': { ...create(clocks, createClock), query: recalculateQuery },
  'PUT /clock': change,
  'GET /clock/:id': get(clocks),
  'PUT /clock/:id': change,
  'PATCH /clock/:id': change,
  'DELETE /clock/:id': remove(clocks, removeClock),
  'POST /clock/:id/restore': restore(clocks, restoreClock),
  'GET /clock/:id/history': history(clocks),
  'GET /clock/:id/check': check(clocks),
  'POST /clock/:id/calc': calc,
  'GET /clock/:id/responsible': responsible,
  'POST /clock/:id/preview': preview,
  'GET /clock/:id/recalculation': progress,
  'POST /clock/:id/refresh': refresh,
  'GET /item/:id/clock': listItemClocks,
  'GET /item/:id/clock/:clockId/explain': explainClock,
  'POST /item/:id/clock/:clockId/pause': manualCommand('pause'),
  'POST /item/:id/clock/:clockId/resume': manualCommand('resume'),
  'POST /item/:id/clock/:clockId/stop': manualCommand('stop'),
}
