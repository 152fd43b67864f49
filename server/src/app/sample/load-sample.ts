import { updateItemClocks } from '../../clocks/item-clock/update-item-clocks.ts'
import { withSystemAuthority } from '../../identity/tenant-caller.ts'
import { makeLink } from '../../items/link/link.ts'
import { behaviours } from '../../items/link/link-type.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { keysOf } from '../../records/references/keys-of.ts'
import type { Language } from '../start-here/start-here-texts.ts'
import { makePlaces } from './make-places.ts'
import { planCycles } from './play-cycles.ts'
import { playItems } from './play-items.ts'
import { deskRows } from './rows/desk-rows.ts'
import { operationsRows } from './rows/operations-rows.ts'
import type { PlaceName } from './rows/sample-processes.ts'
import { readRows } from './rows/sample-rows.ts'
import { softwareRows } from './rows/software-rows.ts'
import { type Act, actsOf, type PlayedItem } from './sample-acts.ts'
import { noteSample, rememberRecords } from './sample-record.ts'

const day = 86_400_000
/** The days before now at which the company was set up, before its first item. */
const age = 60

const rows: Readonly<Record<PlaceName, string>> = {
  desk: deskRows,
  software: softwareRows,
  operations: operationsRows,
}

/** What depends on what, by the ids of the rows. */
const dependencies: readonly (readonly [from: string, to: string])[] = [
  ['queue', 'conflict'],
  ['conflict', 'merge'],
  ['merge', 'sync'],
  ['sync', 'push'],
  ['push', 'routes'],
]

/** Loads the sample company in the transaction of the context, and remembers what it consists of. */
export async function loadSample(given: Context, language: Language): Promise<void> {
  const ctx = withoutEffects(given)
  const earlier = ctx.derive({ now: new Date(ctx.now.getTime() - age * day) })
  const world = await makePlaces(earlier, language)
  const { ids: cycleIds, turns } = await planCycles(earlier, world, ctx.now)
  const items = keysOf(rows).flatMap(readPlace)
  const acts: Act[] = [
    ...items.flatMap(item => actsOf(ctx.now, world, item)),
    ...turns.map(({ at, run }): Act => ({ does: 'turn', at, run, who: undefined })),
  ]
  const itemIds = await playItems(ctx, world, cycleIds, acts)
  await linkItems(ctx, itemIds)
  await updateItemClocks(
    ctx,
    items.flatMap(({ place, itemId }) => (place === 'desk' && itemId ? [itemId] : [])),
  )
  await rememberRecords(ctx)
  await noteSample(ctx, 'sampleLoaded')
}

const readPlace = (place: PlaceName): PlayedItem[] => readRows(rows[place]).map(item => ({ ...item, place }))

/** It happened in the past and to nobody, so no rule, hook or notification reacts to it; the admin who loads it may create all of it. */
function withoutEffects(ctx: Context): Context {
  const inner = withSystemAuthority(ctx)
  return inner.derive({ caller: { ...inner.caller, kind: 'import' } })
}

async function linkItems(ctx: Context, itemIds: ReadonlyMap<string, Id>): Promise<void> {
  const [type] = await ctx.sql<{ id: Id }>`select t.id from link_type t
    where t.tenant_id = ${ctx.caller.tenantId} and not t.deleted and t.behaviour = ${behaviours.blocks} order by t.created, t.id limit 1`
  for (const [from, to] of type ? dependencies : [])
    await makeLink(ctx, { fromId: itemIds.get(from) ?? '', toId: itemIds.get(to) ?? '', type: type?.id ?? '' })
}
