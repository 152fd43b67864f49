import { create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Routes } from '../../kernel/operation.ts'
import { history } from '../../records/history.ts'
import { times } from '../time.ts'
import { changeTime, createTime, removeTime } from './entry.ts'
import { withLengthUnits } from './length-units.ts'

const creating = withLengthUnits(create(times, createTime), times.createSchema, times.serverSet)
const changing = withLengthUnits(update(times, changeTime), times.updateSchema, times.serverSet)

export const routes: Routes = {
  'GET /time': list(times),
  'POST /time': creating,
  'PUT /time': changing,
  'GET /time/:id': get(times),
  'PUT /time/:id': changing,
  'PATCH /time/:id': changing,
  'DELETE /time/:id': remove(times, removeTime),
  'POST /time/:id/restore': restore(times),
  'GET /time/:id/history': history(times),
}
