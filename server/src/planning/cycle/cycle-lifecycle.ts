import { active, type Cycle, cycleRollovers, cycles, done, rollovers } from '../../containers/cycle/cycle.ts'
import { completeCycle, nextPlanned, planAhead, reopenCycle, startCycle } from '../../containers/cycle-turns.ts'
import { withSystemAuthority } from '../../identity/tenant-caller.ts'
import { changeItems } from '../../items/change/change.ts'
import { visibleItems } from '../../items/item/item.ts'
import { demand } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { type Input, operation } from '../../kernel/operation.ts'
import { withCheck } from '../../kernel/record/findings.ts'
import { type Expect, expectVersion } from '../../kernel/record/record.ts'
import { unknownReferences } from '../../kernel/record/references.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { Part, Ref } from '../../kernel/schema/values.ts'
import { raw } from '../../kernel/sql.ts'
import { Code } from '../../records/code-table.ts'
import { burndownOf, type CycleSnapshot } from './cycle-log.ts'

const lifecycleOperation = {
  permission: cycles.permissions.update,
  placed: true,
  mode: 'write',
  refusals: [404, 412, 422],
} as const

const schema = cycles.schema
const { findings } = cycles

/** Locks the cycle, so that of two concurrent requests one sees the result of the other. */
async function lockCycle(ctx: Context, { params, expect }: Input): Promise<Cycle> {
  const cycle = await cycles.get(ctx, params.id ?? '', { lock: true })
  demand(ctx.caller, cycles.permissions.update, { containerId: cycle.containerId || null })
  expectVersion(cycle, expect)
  return cycle
}

export const start = operation({
  ...lifecycleOperation,
  summary: 'Start a cycle',
  description:
    'A planned cycle becomes active, and its current scope is recorded as committed. The planned dates stay; `startedAt` is the actual start. Only one cycle of an owner is active at a time, unless one is `parallel`.',
  reply: { status: 200, schema, description: 'The cycle, active.' },
  async run(ctx, input) {
    const cycle = await lockCycle(ctx, input)
    const { now } = await burndownOf(ctx, cycle)
    const started = await startCycle(ctx, cycle, now.scope, input.expect)
    await planAhead(ctx, started)
    return { body: await withCheck(ctx, started, findings), version: started.version }
  },
})

export const reopen = operation({
  ...lifecycleOperation,
  summary: 'Reopen a finished cycle',
  description: 'The cycle becomes active again. Items that were rolled over stay where they are.',
  reply: { status: 200, schema, description: 'The cycle, active again.' },
  async run(ctx, input) {
    const reopened = await reopenCycle(ctx, await lockCycle(ctx, input), input.expect)
    return { body: await withCheck(ctx, reopened, findings), version: reopened.version }
  },
})

interface FinishInput {
  rollover?: number
  toCycleId?: string
}

const finishSchema = Part({ rollover: Code(cycleRollovers), toCycleId: Ref('Cycle') })

const rolledSchema: Schema = {
  type: 'array',
  items: {
    type: 'object',
    properties: { id: { type: 'string' }, key: { type: 'string' }, title: { type: 'string' } },
    required: ['id', 'key', 'title'],
  },
}

export const finish = operation<FinishInput>({
  ...lifecycleOperation,
  summary: 'Finish a cycle',
  description:
    'Finishes an active cycle. Open items move to the next planned cycle (`rollover` 0; to the backlog if there is none), to the backlog (1), or to the cycle `toCycleId`; if the cycle’s own `rollover` is 2, the request must contain one of them. The burndown is stored.',
  body: {
    schema: finishSchema,
    read: reader<FinishInput>(finishSchema),
    example: { rollover: rollovers.backlog },
  },
  reply: {
    status: 200,
    schema: {
      ...schema,
      title: 'FinishedCycle',
      properties: {
        ...schema.properties,
        rolledTo: { type: 'string', description: 'The cycle to which open items were moved; empty for the backlog.' },
        rolledOver: { ...rolledSchema, description: 'The moved items that the caller may see.' },
        stayed: { ...rolledSchema, description: 'The items that could not be moved.' },
      },
    },
    description: 'The finished cycle, and where its open items are.',
  },
  async run(ctx, input) {
    const cycle = await lockCycle(ctx, input)
    if (cycle.state !== active) throw new RuleBroken('cycle-not-active', 'only an active cycle can be finished')
    const open = await openItems(ctx, cycle)
    const target = await targetOf(ctx, cycle, input.body, open.length)
    const went = await burndownOf(ctx, cycle)
    const { moved, stayed } = await moveToCycle(ctx, open, target?.id ?? '')
    const snapshot: CycleSnapshot = {
      burndown: went,
      uncompleted: open,
      rolledOver: moved,
      rolledTo: target?.id ?? '',
    }
    const finished = await completeCycle(ctx, cycle, went.now.done, snapshot, input.expect)
    await planAhead(ctx, finished)
    const body = {
      ...(await withCheck(ctx, finished, findings)),
      rolledTo: snapshot.rolledTo,
      rolledOver: await shown(ctx, moved),
      stayed: await shown(ctx, stayed),
    }
    return { body, version: finished.version }
  },
})

async function openItems(ctx: Context, { id }: Cycle): Promise<Id[]> {
  const rows = await ctx.sql<{ id: Id }>`select id from item
    where tenant_id = ${ctx.caller.tenantId} and cycle_id = ${id} and not deleted and closed_at is null order by rank, id`
  return rows.map(row => row.id)
}

/** The cycle to which open items move; undefined for the backlog. */
async function targetOf(
  ctx: Context,
  cycle: Cycle,
  { rollover = cycle.rollover, toCycleId }: FinishInput,
  open: number,
): Promise<Cycle | undefined> {
  if (toCycleId) return await namedTarget(ctx, cycle, toCycleId.toLowerCase())
  if (rollover === rollovers.backlog || open === 0) return undefined
  if (rollover !== rollovers.next)
    throw new RuleBroken('rollover-needed', `${open} items are open; name where they move`, [
      fault(
        ['rollover'],
        'rollover-needed',
        'must be 0 (the next cycle) or 1 (the backlog), unless toCycleId is given',
      ),
    ])
  const next = await nextPlanned(ctx, cycle)
  if (next) return next
  await planAhead(ctx, cycle, 1)
  return await nextPlanned(ctx, cycle)
}

async function namedTarget(ctx: Context, cycle: Cycle, id: string): Promise<Cycle> {
  const found = await cycles.find(ctx, id)
  if (!found) throw unknownReferences([{ entity: 'Cycle', id, path: ['toCycleId'] }])
  const refuse = (code: string, message: string) =>
    new RuleBroken(code, message, [fault(['toCycleId'], code, message, id)])
  if (found.id === cycle.id) throw refuse('cycle-same', 'must not be the cycle that is finished')
  if (found.state === done) throw refuse('cycle-done', `${found.name} is done and accepts no more items`)
  return found
}

/** Moves all open items, whoever may see them. Items that a constraint keeps in the cycle stay. */
async function moveToCycle(ctx: Context, ids: readonly Id[], cycleId: Id | ''): Promise<{ moved: Id[]; stayed: Id[] }> {
  const results = await changeItems(
    withSystemAuthority(ctx),
    ids.map(id => ({ id, read: { patch: { cycleId }, warnings: [] } })),
  )
  const failed = new Set(results.filter(each => each.refusal).map(each => each.id))
  return { moved: ids.filter(id => !failed.has(id)), stayed: [...failed] }
}

async function shown(ctx: Context, ids: readonly Id[]) {
  const t = raw('t')
  return await ctx.sql`select t.id, t.key, t.title from item t
    where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${ids}::uuid[]) and ${visibleItems(ctx.caller, t)} order by t.rank, t.id`
}

/** Deletes a cycle and returns its items to the backlog. */
export async function removeCycle(ctx: Context, id: Id, more: { expect?: Expect }): Promise<Cycle> {
  const cycle = await cycles.get(ctx, id, { lock: true })
  const rows = await ctx.sql<{
    id: Id
  }>`select id from item where tenant_id = ${ctx.caller.tenantId} and cycle_id = ${cycle.id} and not deleted`
  await moveToCycle(
    ctx,
    rows.map(row => row.id),
    '',
  )
  return await cycles.remove(ctx, cycle.id, more)
}
