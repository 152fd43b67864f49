import { Type } from 'typebox'
import { check, create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import { answerList } from '../../kernel/list/list-operation.ts'
import { readListing } from '../../kernel/list/listing.ts'
import { bodyOf, type Operation, operation, type Routes } from '../../kernel/operation.ts'
import { withCheck } from '../../kernel/record/findings.ts'
import { Ref } from '../../kernel/schema/values.ts'
import { history } from '../../records/history/history.ts'
import { free } from '../load/free.ts'
import { load } from '../load/load.ts'
import { rowsFor, scenarioQuery } from '../scenario/scenario.ts'
import { allocations } from './allocation.ts'
import { assign, changeAllocation, createAllocation } from './write-allocation.ts'

const assignment = operation({
  permission: allocations.permissions.update,
  placed: true,
  mode: 'write',
  summary: 'Assign planned work to a user',
  description:
    'Puts a user in the place of a group, a placeholder or another user. The days, the job role and the history stay.',
  body: bodyOf(Type.Object({ userId: Ref('User', { minLength: 1 }) }, { additionalProperties: false }), {
    userId: '01890000-0000-7000-8000-000000000000',
  }),
  reply: { status: 200, schema: allocations.schema, description: 'The allocation.' },
  refusals: [404, 412, 422],
  async run(ctx, { params, body, expect }) {
    const record = await assign(ctx, params.id ?? '', body.userId, { expect })
    return { body: await withCheck(ctx, record, allocations.findings), version: record.version }
  },
})

const change = update(allocations, changeAllocation)

const stored = list(allocations)

/** The list as it is, or as a scenario makes it. */
const listing: Operation = {
  ...stored,
  description: `${stored.description} With \`scenario\` the records are those that this open scenario makes of them.`,
  query: { ...stored.query, ...scenarioQuery },
  refusals: [422],
  async run(ctx, input) {
    const rows = await rowsFor(ctx, input.query.scenario)
    const from = rows(allocations)
    const wanted = await readListing(ctx, allocations, input.query, { from, known: Object.keys(scenarioQuery) })
    return await answerList(ctx, wanted, input)
  },
}

export const routes: Routes = {
  'GET /plan': listing,
  'POST /plan': create(allocations, createAllocation),
  'PUT /plan': change,
  'GET /plan/load': load,
  'GET /plan/free': free,
  'GET /plan/:id': get(allocations),
  'PUT /plan/:id': change,
  'PATCH /plan/:id': change,
  'DELETE /plan/:id': remove(allocations),
  'POST /plan/:id/restore': restore(allocations),
  'POST /plan/:id/assign': assignment,
  'GET /plan/:id/history': history(allocations),
  'GET /plan/:id/check': check(allocations),
}
