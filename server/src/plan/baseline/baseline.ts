import { Type } from 'typebox'
import { visibleContainers } from '../../identity/visibility.ts'
import { type Caller, demand, managers, members } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { type Expect, expectVersion, type Stored, type Values } from '../../kernel/record/record.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Instant, Name, Refs, Text } from '../../kernel/schema/values.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
import { refuseUnreached } from '../../records/history/as-of.ts'
import { storeSnapshot } from './snapshot.ts'

const maxContainers = 100

const shape = {
  name: Name(200),
  description: Text(2000),
  containerIds: Refs('Container', maxContainers),
  at: Type.Unsafe<string | null>({
    ...Instant,
    description: 'The moment whose plan it keeps; that of its creation by default.',
  }),
}

export type Baseline = Stored<typeof shape>
type BaselineValues = Values<typeof shape>

/** What was planned for containers at a moment. */
export const baselines = resource('Baseline', {
  about:
    'What was planned for containers at a moment: dates, estimates and categories of their items, their own dates and their budgets, by the log. `…/compare` says what has changed since, or until another baseline. It is visible to those who see all of its containers.',
  shape,
  required: ['name', 'containerIds'],
  may: { read: members, create: managers, update: managers, delete: managers },
  place: ({ containerIds }) => ({ containerId: containerIds[0] ?? null }),
  visible: visibleBaselines,
  check: checkBaseline,
  order: '-at,created',
  example: { name: 'Offer', containerIds: ['01890000-0000-7000-8000-000000000000'] },
})

function visibleBaselines(caller: Caller, b: Sql): Sql {
  if (caller.authority.unrestricted) return raw('true')
  return sql`not exists (select 1 from unnest(${b}.container_ids) as named (id) where (${visibleContainers(caller, raw('named.id'))}) is not true)`
}

/** The containers and the moment stay, because what is stored was read by them. */
async function checkBaseline(ctx: Context, baseline: BaselineValues, before: Baseline | undefined): Promise<void> {
  const { containerIds, at } = baseline
  if (containerIds.length === 0) throw new Invalid([fault(['containerIds'], 'required', 'is required')])
  demandEach(ctx, before ? 'update' : 'create', containerIds)
  if (!before) return
  const moved = Date.parse(at ?? '') !== Date.parse(before.at ?? '')
  const others = containerIds.join() !== before.containerIds.join()
  const faults = [...(moved ? ['at'] : []), ...(others ? ['containerIds'] : [])].map(property =>
    fault([property], 'baseline-fixed', 'cannot be changed; create another baseline'),
  )
  if (faults.length > 0)
    throw new RuleBroken('baseline-fixed', 'the moment and the containers of a baseline cannot be changed', faults)
}

/** Each container needs the permission; the place of the record is the first one only. */
function demandEach({ caller }: Context, verb: 'create' | 'update' | 'delete', containerIds: readonly Id[]): void {
  for (const containerId of containerIds) demand(caller, baselines.permissions[verb], { containerId })
}

/** Stores what was planned at the given moment, by default now. */
export async function createBaseline(ctx: Context, values: Partial<BaselineValues>): Promise<Baseline> {
  const at = values.at ? new Date(values.at) : undefined
  if (at) await refuseUnreached(ctx, at)
  const containerIds = [...new Set((values.containerIds ?? []).map(id => id.toLowerCase()))]
  const made = await baselines.create(ctx, { ...values, containerIds, at: (at ?? ctx.now).toISOString() })
  await storeSnapshot(ctx, made.id, containerIds, at)
  return made
}

export async function removeBaseline(ctx: Context, id: Id, { expect }: { expect?: Expect }): Promise<Baseline> {
  const before = await baselines.get(ctx, id, { lock: true })
  demandEach(ctx, 'delete', before.containerIds)
  expectVersion(before, expect)
  return await baselines.remove(ctx, id)
}
