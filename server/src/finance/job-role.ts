import { Type } from 'typebox'
import {
  changeOwnRates,
  type OwnRates,
  ownRates,
  ownRatesSchema,
  rates,
  ratesChanged,
  readOwnRates,
  readRates,
  withOwnRates,
  writeOwnRates,
} from '../admin/rate/rate.ts'
import { demand, may } from '../kernel/access.ts'
import type { Context } from '../kernel/context.ts'
import { create, get, list, remove, restore, update } from '../kernel/crud.ts'
import type { Id } from '../kernel/id.ts'
import type { Operation, Routes } from '../kernel/operation.ts'
import type { Expect, Values } from '../kernel/record/record.ts'
import { resource } from '../kernel/resource.ts'
import { reader, type Schema } from '../kernel/schema/shape.ts'
import { Name, Text, Texts } from '../kernel/schema/values.ts'
import { sql } from '../kernel/sql.ts'
import { history } from '../records/history/history.ts'

const shape = {
  code: Text(60),
  name: Name(200),
  description: Text(2000),
  skills: Texts(100, 100),
  active: Type.Boolean({ default: true }),
}

type JobRoleInput = Partial<Values<typeof shape>> & { rates?: OwnRates }

/** What somebody works as: consultant, analyst, technician. */
const jobRoles = resource('JobRole', {
  about:
    'What somebody works as, such as consultant or technician. `jobRole` of a user names one by its code or id. `rates` are the rates of the job role alone.',
  shape,
  derived: { rates: { schema: ownRatesSchema, value: role => ownRates('job_role_id', sql`${role}.id`) } },
  notForAll: ['rates'],
  ofTenant: async ({ caller }) => (may(caller, readRates) ? undefined : { rates: undefined }),
})

async function createJobRole(ctx: Context, { rates: given, ...values }: JobRoleInput) {
  const wanted = readOwnRates(given ?? [])
  const made = await jobRoles.create(ctx, values)
  if (wanted.length === 0) return made
  demand(ctx.caller, rates.permissions.create)
  await writeOwnRates(ctx, { jobRoleId: made.id }, wanted)
  return await jobRoles.get(ctx, made.id)
}

async function changeJobRole(
  ctx: Context,
  id: Id,
  { rates: given, ...values }: JobRoleInput,
  more: { expect?: Expect },
) {
  const before = await jobRoles.get(ctx, id, { lock: true })
  const permitted = () => demand(ctx.caller, rates.permissions.update)
  const rated = given !== undefined && (await changeOwnRates(ctx, { jobRoleId: before.id }, given, permitted))
  return await jobRoles.update(ctx, id, values, { ...more, ...(rated ? { own: ratesChanged } : {}) })
}

/** The operation with `rates` in its body. */
function rated(write: Operation, schema: Schema): Operation {
  const taken = withOwnRates(schema)
  return write.body ? { ...write, body: { ...write.body, schema: taken, read: reader(taken) } } : write
}

const changing = rated(update(jobRoles, changeJobRole), jobRoles.updateSchema)

export const routes: Routes = {
  'GET /finance/job-role': list(jobRoles),
  'POST /finance/job-role': rated(create(jobRoles, createJobRole), jobRoles.createSchema),
  'PUT /finance/job-role': changing,
  'GET /finance/job-role/:id': get(jobRoles),
  'PUT /finance/job-role/:id': changing,
  'PATCH /finance/job-role/:id': changing,
  'DELETE /finance/job-role/:id': remove(jobRoles),
  'POST /finance/job-role/:id/restore': restore(jobRoles),
  'GET /finance/job-role/:id/history': history(jobRoles),
}
