import { Type } from 'typebox'
import { create, get, list, remove, restore, update } from '../kernel/crud.ts'
import type { Routes } from '../kernel/operation.ts'
import { resource } from '../kernel/resource.ts'
import { Name, Text, Texts } from '../kernel/schema/values.ts'
import { history } from '../records/history.ts'

const shape = {
  code: Text(60),
  name: Name(200),
  description: Text(2000),
  skills: Texts(100, 100),
  active: Type.Boolean({ default: true }),
}

/** What somebody works as: consultant, analyst, technician. */
export const jobRoles = resource('JobRole', {
  about: 'What somebody works as, such as consultant or technician. `jobRole` of a user names one by its code or id.',
  shape,
})

export const routes: Routes = {
  'GET /finance/job-role': list(jobRoles),
  'POST /finance/job-role': create(jobRoles),
  'PUT /finance/job-role': update(jobRoles),
  'GET /finance/job-role/:id': get(jobRoles),
  'PUT /finance/job-role/:id': update(jobRoles),
  'PATCH /finance/job-role/:id': update(jobRoles),
  'DELETE /finance/job-role/:id': remove(jobRoles),
  'POST /finance/job-role/:id/restore': restore(jobRoles),
  'GET /finance/job-role/:id/history': history(jobRoles),
}
