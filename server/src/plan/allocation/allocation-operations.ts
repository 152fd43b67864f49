import { Type } from 'typebox'
import { check, create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import { bodyOf, type Operation, operation, type Routes } from '../../kernel/operation.ts'
import { withCheck } from '../../kernel/record/findings.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { Ref } from '../../kernel/schema/values.ts'
import { raw } from '../../kernel/sql.ts'
import { history } from '../../records/history.ts'
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
const maxOverlaid = 10_000

/** The list as it is; with a scenario the whole list as that makes it, because pages and filters are of stored records. */
const listing: Operation = {
  ...stored,
  description: `${stored.description} With \`scenario\` it lists all allocations as that open scenario makes them, at most ${maxOverlaid} (422 \`too-large\`), without other parameters.`,
  query: { ...stored.query, ...scenarioQuery },
  refusals: [422],
  async run(ctx, input) {
    const { scenario, ...others } = input.query
    if (scenario === undefined) return await stored.run(ctx, input)
    const faults = Object.keys(others).map(each => fault([each], 'unsupported', 'cannot be given with scenario'))
    if (faults.length > 0) throw new Invalid(faults, 'the query is not valid')
    const t = raw('t')
    const rows = await rowsFor(ctx, scenario)
    const found = await ctx.sql<{
      json: string
    }>`select ${await allocations.jsonFor(ctx, t)} as json from ${rows(allocations)} t
      where t.tenant_id = ${ctx.caller.tenantId} and not t.deleted and ${allocations.visible(ctx.caller, t)} order by t."from", t.id limit ${maxOverlaid + 1}`
    if (found.length > maxOverlaid) throw new RuleBroken('too-large', `more than ${maxOverlaid} allocations`)
    const body = []
    for (const { json } of found) body.push(await withCheck(ctx, JSON.parse(json), allocations.findings))
    return { body }
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
