import { may } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { kindNamed } from '../../kernel/kinds.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { raw, sql } from '../../kernel/sql.ts'
import { hiddenAmounts } from '../../records/amounts.ts'
import { changeSetEntity, visibleEvents } from '../event-visibility.ts'
import { undoChange, undone, undoneByEach } from './change-set.ts'
import { type ChangePart, changeVerbs, type KindChange, partsOf, summaryOf } from './change-summary.ts'
import { consequences } from './reversal.ts'
import { shownUndoRuns, undoRunSchema } from './run/undo-run.ts'

/** The events of a change set that are counted for a list; one with more is counted in part. */
const maxCounted = 1000

const actorSchema: Schema = {
  type: 'object',
  properties: { id: { type: 'string' }, kind: { type: 'string' } },
  required: ['id', 'kind'],
}

const text: Schema = { type: 'string' }

export const listedChangeSchema: Schema = {
  type: 'object',
  title: 'ListedChange',
  properties: {
    id: text,
    at: { type: 'string', format: 'date-time' },
    actor: actorSchema,
    via: { type: 'object', properties: { ruleId: text }, description: 'The rule that did it, if one did.' },
    summary: { type: 'string', description: 'What was done, in English: `12 items changed: priority, status`.' },
    parts: {
      type: 'array',
      items: {
        type: 'object',
        title: 'ChangePart',
        properties: {
          entity: text,
          verb: { type: 'string', enum: [...changeVerbs] },
          records: { type: 'integer' },
          properties: {
            type: 'array',
            items: text,
            description: 'The properties that changed; `Field` for custom fields.',
          },
        },
        required: ['entity', 'verb', 'records', 'properties'],
      },
      description: 'What was done, for clients that say it in another language; that of the most records first.',
    },
    entities: {
      type: 'object',
      additionalProperties: { type: 'integer' },
      description: 'The numbers of changed records by kind.',
    },
    records: { type: 'integer' },
    exact: { type: 'boolean', description: 'False if there are more records than were counted.' },
    undoneBy: { type: ['string', 'null'], description: 'The change set that undid this one, or null.' },
    undoing: undoRunSchema,
    undoes: { type: ['string', 'null'], description: 'The change set that this one undid, or null.' },
    undoable: { type: 'boolean', description: 'Whether an undo can be tried; `?dryRun=true` tells of conflicts.' },
    reason: {
      type: ['string', 'null'],
      enum: ['already-undone', 'forbidden', null],
      description: 'Why it cannot be undone.',
    },
  },
  required: [
    'id',
    'at',
    'actor',
    'summary',
    'parts',
    'entities',
    'records',
    'exact',
    'undoneBy',
    'undoing',
    'undoes',
    'undoable',
    'reason',
  ],
}

/** A change set as lists show it. */
export interface ListedChange {
  id: Id
  at: string
  actor: { id: Id; kind: string }
  via?: { ruleId: Id }
  summary: string
  parts: ChangePart[]
  entities: Record<string, number>
  records: number
  exact: boolean
  undoneBy: Id | null
  undoing: object | null
  undoes: Id | null
  undoable: boolean
  reason: 'already-undone' | 'forbidden' | null
}

interface Counted extends KindChange {
  id: Id
  /** The group of all events of the kind; otherwise those with one verb. */
  ofKind: boolean
}

interface Head {
  id: Id
  at: string
  actorId: Id
  actorKind: string
  ruleId: Id | null
  undoes: Id | null
  events: number
}

/** Describes change sets, in this order; those of which the caller sees no record are left out. */
export async function listedChanges(ctx: Context, ids: readonly Id[], max = maxCounted): Promise<ListedChange[]> {
  if (ids.length === 0) return []
  const heads = new Map((await readHeads(ctx, ids, max)).map(each => [each.id, each]))
  const counted = Map.groupBy(await countRecords(ctx, ids, max), each => each.id)
  const undoings = await undoneByEach(ctx, ids)
  const runs = await shownUndoRuns(ctx, ids)
  return ids.flatMap(id => {
    const [head, counts] = [heads.get(id), counted.get(id)]
    return head && counts
      ? describe(ctx, head, counts, { undoneBy: undoings.get(id) ?? null, undoing: runs.get(id) ?? null, max })
      : []
  })
}

function describe(
  ctx: Context,
  head: Head,
  counts: readonly Counted[],
  { undoneBy, undoing, max }: Pick<ListedChange, 'undoneBy' | 'undoing'> & { max: number },
): ListedChange {
  const { id, at, actorId, actorKind, ruleId, undoes, events } = head
  const exact = events <= max
  const kinds = counts.filter(each => each.ofKind)
  const shown = counts
    .filter(each => !each.ofKind)
    .map(each => ({ ...each, properties: propertiesShown(ctx, each.entity, each.properties) }))
  const parts = partsOf(shown)
  const reason = undoneBy ? 'already-undone' : may(ctx.caller, undoChange) ? null : 'forbidden'
  return {
    id,
    at,
    actor: { id: actorId, kind: actorKind },
    ...(ruleId ? { via: { ruleId } } : {}),
    summary: summaryOf(parts.map(inEnglish), { undoes: undoes !== null, exact }),
    parts,
    entities: Object.fromEntries(kinds.map(each => [each.entity, each.records])),
    records: kinds.reduce((sum, each) => sum + each.records, 0),
    exact,
    undoneBy,
    undoing,
    undoes,
    undoable: reason === null,
    reason,
  }
}

/** The names of properties that somebody set and the caller may see; custom fields together, without their names. */
function propertiesShown({ caller, services }: Context, entity: string, properties: readonly string[]): string[] {
  const left = [...hiddenAmounts(caller, entity), ...(kindNamed(entity)?.serverSet ?? [])]
  const shown = properties.filter(each => {
    const name = each.replace(/^Field\./, '')
    return !left.includes(name) && !services.redaction.hidesSomewhere(caller, entity, name)
  })
  return [...new Set(shown.map(each => (each.startsWith('Field.') ? 'Field' : each)))]
}

const inEnglish = (part: ChangePart): ChangePart => ({
  ...part,
  properties: part.properties.map(each => (each === 'Field' ? 'custom fields' : each)),
})

/**
 * The first event of each change set says who began it and when. The events are read by the index of the set before they are sorted:
 * for the first one alone, the planner would walk through the log until it meets the set.
 */
async function readHeads(ctx: Context, ids: readonly Id[], max: number): Promise<Head[]> {
  const { tenantId } = ctx.caller
  const ofSet = sql`e.tenant_id = ${tenantId} and e.change_set_id = s.id`
  return await ctx.sql<Head>`
    select s.id, to_char(f.at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, f.actor_id as "actorId", f.actor_kind as "actorKind", f.cause ->> 'ruleId' as "ruleId",
      (select e.record_id from event e where ${ofSet} and e.kind = ${undone} limit 1) as undoes,
      (select count(*)::int from (select 1 from event e where ${ofSet} limit ${max + 1}) c) as events
    from unnest(${ids}::uuid[]) s(id)
    cross join lateral (select e.at, e.actor_id, e.actor_kind, e.cause from (select e.* from event e where ${ofSet} limit ${max + 1}) e
      order by e.xact, e.id limit 1) f`
}

/** The records that the caller sees, by kind, and by kind and verb with the properties that changed. */
async function countRecords(ctx: Context, ids: readonly Id[], max: number): Promise<Counted[]> {
  const { tenantId } = ctx.caller
  const kinds = await ctx.sql<{ entity: string }>`select distinct e.entity from unnest(${ids}::uuid[]) s(id)
    cross join lateral (select e.entity from event e where e.tenant_id = ${tenantId} and e.change_set_id = s.id limit ${max}) e`
  const entities = kinds.map(each => each.entity).filter(each => each !== changeSetEntity)
  const visible = visibleEvents(ctx.caller, raw('e'), entities)
  return await ctx.sql<Counted>`
    select s.id, e.entity, coalesce(e.kind, '') as kind, grouping(e.kind) = 1 as "ofKind", count(distinct e.record_id)::int as records,
      coalesce(array_agg(distinct p.property) filter (where p.property is not null), '{}') as properties
    from unnest(${ids}::uuid[]) s(id)
    cross join lateral (select e.* from event e where e.tenant_id = ${tenantId} and e.change_set_id = s.id order by e.xact, e.id limit ${max}) e
    left join lateral jsonb_object_keys(e.changes) p(property) on e.kind not like '%.created'
    where e.entity <> ${changeSetEntity} and e.kind <> all(${consequences}::text[]) and ${visible}
    group by grouping sets ((s.id, e.entity, e.kind), (s.id, e.entity)) order by s.id, e.entity, e.kind`
}
