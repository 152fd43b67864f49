import { check, create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Routes } from '../../kernel/operation.ts'
import { history } from '../../records/history/history.ts'
import { testMeta } from './connection-check.ts'
import { changeMeta, createMeta, entraMetas } from './entra-meta.ts'
import { startLink } from './sign-on/link.ts'

export const routes: Routes = {
  'GET /entra-meta': list(entraMetas),
  'POST /entra-meta': create(entraMetas, createMeta),
  'PUT /entra-meta': update(entraMetas, changeMeta),
  'GET /entra-meta/:id': get(entraMetas),
  'PUT /entra-meta/:id': update(entraMetas, changeMeta),
  'PATCH /entra-meta/:id': update(entraMetas, changeMeta),
  'DELETE /entra-meta/:id': remove(entraMetas),
  'POST /entra-meta/:id/restore': restore(entraMetas),
  'GET /entra-meta/:id/history': history(entraMetas),
  'GET /entra-meta/:id/check': check(entraMetas),
  'POST /entra-meta/:id/test': testMeta,
  'POST /user/me/identity/start': startLink,
}
