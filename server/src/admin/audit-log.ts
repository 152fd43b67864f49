import { auditEntries } from '../identity/audit/audit.ts'
import { get, list } from '../kernel/crud.ts'
import type { Routes } from '../kernel/operation.ts'

export const routes: Routes = {
  'GET /audit': list(auditEntries),
  'GET /audit/:id': get(auditEntries),
}
