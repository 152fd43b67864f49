import type { Routes } from '../../kernel/operation.ts'
import { anonymiseUser } from './anonymise.ts'
import { assignments } from './assignments.ts'
import { deactivateUser } from './deactivate.ts'

// What becomes of the work of people: what is theirs, who takes over, and how somebody is forgotten.

export const routes: Routes = {
  'GET /user/:id/assignments': assignments,
  'POST /user/:id/deactivate': deactivateUser,
  'POST /user/:id/anonymise': anonymiseUser,
}
