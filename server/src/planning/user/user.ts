import type { Routes } from '../../kernel/operation.ts'
import { anonymiseUser } from './anonymise.ts'
import { assignments } from './assignments.ts'
import { deactivateUser } from './deactivate.ts'

// Operations on users that need their items: open assignments, deactivation and anonymisation.

export const routes: Routes = {
  'GET /user/:id/assignments': assignments,
  'POST /user/:id/deactivate': deactivateUser,
  'POST /user/:id/anonymise': anonymiseUser,
}
