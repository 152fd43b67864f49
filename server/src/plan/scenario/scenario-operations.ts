import { Type } from 'typebox'
import { create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import { bodyOf, type Operation, operation, type Routes } from '../../kernel/operation.ts'
import { expectVersion } from '../../kernel/record/record.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { Code } from '../../records/code-table.ts'
import { history } from '../../records/history/history.ts'
import { periodQuery } from '../capacity/period.ts'
import { bucketNames } from '../load/buckets.ts'
import { changedEntities } from './changeable.ts'
import { compareScenario } from './compare-scenario.ts'
import { mergeScenario, type Resolution } from './merge-scenario.ts'
import { openScenario, scenarioState, scenarios } from './scenario.ts'
import {
  type ChangeInput,
  changeOps,
  propose,
  type ScenarioChange,
  visibleChanges,
  withdraw,
} from './scenario-change.ts'

const text: Schema = { type: 'string' }
const change: Schema = {
  type: 'object',
  title: 'ScenarioChange',
  properties: {
    entity: { type: 'string', enum: [...changedEntities] },
    recordId: { type: 'string', description: 'The record; of a new one an id within the scenario.' },
    op: Code(changeOps),
    changes: {
      type: 'object',
      description:
        'For each property the value when the change was proposed, and the proposed one: `{"amount": {"from": 60, "to": 90}}`.',
    },
  },
  required: ['entity', 'recordId', 'op', 'changes'],
}

const listChanges = operation({
  permission: scenarios.permissions.read,
  mode: 'read',
  summary: 'List the changes of a scenario',
  description: 'What the caller has proposed, and what the scenario proposes for records that the caller sees.',
  reply: { status: 200, schema: { type: 'array', items: change }, description: 'The changes, oldest first.' },
  refusals: [404],
  async run(ctx, { params }) {
    const { id } = await scenarios.get(ctx, params.id ?? '')
    return { body: (await visibleChanges(ctx, id)).map(shown) }
  },
})

/** Before and after by property, as in events, so that hidden fields of items are recognized and left out. */
function shown({ entity, recordId, op, proposed, base }: ScenarioChange) {
  const changes = Object.fromEntries(
    Object.entries(proposed).map(([property, to]) => [property, { from: base[property] ?? null, to }]),
  )
  return { entity, recordId, op, changes }
}

const changeBody = Type.Object(
  {
    entity: Type.Unsafe<ChangeInput['entity']>({ type: 'string', enum: [...changedEntities] }),
    recordId: Type.Optional(Type.String({ maxLength: 36 })),
    op: Code(changeOps, { minimum: 0, maximum: 2 }),
    values: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: 'object' })),
  },
  { additionalProperties: false },
)

const addChange = operation({
  permission: scenarios.permissions.update,
  mode: 'write',
  summary: 'Propose a change in a scenario',
  description:
    'Proposes new values for a record, a new record, or its deletion. Allocations (`Plan`) and leave are created, changed and deleted; of items the dates, `estimateMinutes`, `remainingMinutes` and `assignees` are changed, of containers the dates; entries of budgets (`BudgetEntry`, with `budgetId`) are new ones. What was proposed for the record before stays, unless it is given again. Only an open scenario changes (422 `scenario-closed`).',
  body: bodyOf(changeBody, {
    entity: 'Item',
    recordId: '01890000-0000-7000-8000-000000000000',
    op: 1,
    values: { dueDate: '2026-05-01' },
  }),
  reply: { status: 201, schema: change, description: 'The change.' },
  refusals: [404, 422],
  async run(ctx, { params, body }) {
    const [made] = await propose(ctx, params.id ?? '', [body as ChangeInput])
    return { body: made && shown(made) }
  },
})

const removeChange = operation({
  permission: scenarios.permissions.update,
  mode: 'write',
  summary: 'Withdraw a change of a scenario',
  description: 'The scenario changes the record no longer.',
  reply: { status: 204, description: 'The change is withdrawn.' },
  refusals: [404, 422],
  async run(ctx, { params }) {
    await withdraw(ctx, params.id ?? '', params.recordId ?? '')
    return {}
  },
})

const both = (type: string | string[]): Schema => ({ type: 'object', properties: { from: { type }, to: { type } } })
const differences = (properties: Record<string, Schema>): Schema => ({
  type: 'array',
  items: {
    type: 'object',
    properties: { ...properties, changes: { type: 'object' } },
    required: Object.keys(properties).slice(0, 1),
  },
})

const compare = operation({
  permission: scenarios.permissions.read,
  mode: 'read',
  summary: 'Compare a scenario with the plan',
  description:
    'What would change: `load` by user and bucket (capacity, firm, tentative, leave, free, over, in seconds), `over` as the sum over all users, `cost` and `value` of all firm work at the rates of now (with `cost.read` and `bill.read`), and `dates`: the items with before and after of each property.',
  query: {
    ...periodQuery(28),
    bucket: { type: 'string', enum: [...bucketNames], description: '`week` by default.' },
  },
  reply: {
    status: 200,
    schema: {
      type: 'object',
      title: 'ScenarioComparison',
      properties: {
        load: {
          type: 'array',
          items: {
            type: 'object',
            properties: { key: text, name: text, buckets: differences({ from: { type: 'string', format: 'date' } }) },
            required: ['key', 'name', 'buckets'],
          },
        },
        over: both('integer'),
        cost: both('string'),
        value: { type: 'array', items: { type: 'object', properties: { currency: text, from: text, to: text } } },
        dates: differences({ id: text, entity: text, key: text, title: text }),
      },
      required: ['load', 'over', 'dates'],
    },
    description: 'The differences.',
  },
  refusals: [404, 422],
  async run(ctx, { params, query }) {
    const { id } = await scenarios.get(ctx, params.id ?? '')
    return { body: await compareScenario(ctx, id, query) }
  },
})

const resolution = Type.Object(
  {
    entity: Type.String({ enum: [...changedEntities] }),
    id: Type.String({ maxLength: 36 }),
    property: Type.String({ maxLength: 100 }),
    take: Type.Unsafe<Resolution['take']>({ type: 'string', enum: ['current', 'proposed'] }),
  },
  { additionalProperties: false },
)

const merge = operation({
  permission: scenarios.permissions.update,
  mode: 'write',
  summary: 'Merge a scenario into the plan',
  description:
    'Makes the changes with the rights of the caller, all or none, in one change set. A property that is as it was when the change was proposed gets the proposed value. If it was changed to something else since, the merge is refused (409 `scenario-conflicts`, with all `conflicts {entity, id, property, base, current, proposed}`), unless `resolve` says which value to take; `deleted` is the property of a record that is gone, or that a deletion finds changed. The event is `scenario.merged`.',
  body: bodyOf(
    Type.Object(
      { resolve: Type.Optional(Type.Array(resolution, { maxItems: 10_000 })) },
      { additionalProperties: false },
    ),
    { resolve: [] },
  ),
  reply: {
    status: 200,
    schema: {
      type: 'object',
      title: 'MergedScenario',
      properties: {
        scenario: scenarios.schema,
        created: {
          type: 'array',
          items: { type: 'object', properties: { entity: text, recordId: text, id: text }, required: ['entity', 'id'] },
        },
        updated: { type: 'array', items: text },
        deleted: { type: 'array', items: text },
      },
      required: ['scenario', 'created', 'updated', 'deleted'],
    },
    description: 'What was written.',
  },
  refusals: [404, 409, 412, 422],
  async run(ctx, { params, body, expect }) {
    const scenario = await openScenario(ctx, params.id ?? '')
    expectVersion(scenario, expect)
    const merged = await mergeScenario(ctx, scenario, (body.resolve ?? []) as Resolution[])
    return { body: merged }
  },
})

/** Ends a scenario without merging it, or opens it again. */
function turn(state: number, from: number, verb: string, summary: string, description: string): Operation {
  return operation({
    permission: scenarios.permissions.update,
    mode: 'write',
    summary,
    description,
    reply: { status: 200, schema: scenarios.schema, description: 'The scenario.' },
    refusals: [404, 412, 422],
    async run(ctx, { params, expect }) {
      const before = await scenarios.get(ctx, params.id ?? '', { lock: true })
      expectVersion(before, expect)
      if (before.state !== from && before.state !== state)
        throw new RuleBroken('scenario-closed', 'a scenario that was merged stays as it is')
      const made = await scenarios.update(ctx, before.id, { state }, { verb })
      return { body: made, version: made.version }
    },
  })
}

const { open, dropped } = scenarioState

export const routes: Routes = {
  'GET /plan/scenario': list(scenarios),
  'POST /plan/scenario': create(scenarios),
  'PUT /plan/scenario': update(scenarios),
  'GET /plan/scenario/:id': get(scenarios),
  'PUT /plan/scenario/:id': update(scenarios),
  'PATCH /plan/scenario/:id': update(scenarios),
  'DELETE /plan/scenario/:id': remove(scenarios),
  'POST /plan/scenario/:id/restore': restore(scenarios),
  'GET /plan/scenario/:id/history': history(scenarios),
  'GET /plan/scenario/:id/change': listChanges,
  'POST /plan/scenario/:id/change': addChange,
  'DELETE /plan/scenario/:id/change/:recordId': removeChange,
  'GET /plan/scenario/:id/compare': compare,
  'POST /plan/scenario/:id/merge': merge,
  'POST /plan/scenario/:id/drop': turn(
    dropped,
    open,
    'dropped',
    'Drop a scenario',
    'It is read and changed no longer. A dropped scenario can be reopened.',
  ),
  'POST /plan/scenario/:id/reopen': turn(
    open,
    dropped,
    'reopened',
    'Reopen a dropped scenario',
    'It can be changed and merged again.',
  ),
}
