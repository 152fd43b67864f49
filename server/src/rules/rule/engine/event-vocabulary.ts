import { isUsableFor, otherNames } from '../../../containers/item-property/item-property.ts'
import { fieldsRevealedBy } from '../../../containers/redaction/redaction.ts'
import { hidesSomewhere } from '../../../identity/field-limit/hidden-fields.ts'
import { fieldFinder } from '../../../items/fields/fields.ts'
import { items } from '../../../items/item/item.ts'
import { itemVocabulary } from '../../../items/vocabulary/vocabulary.ts'
import type { Context } from '../../../kernel/context.ts'
import { raw, type Sql, sql } from '../../../kernel/sql.ts'
import type { Path, Vocabulary } from '../../../language/conditions/conditions.ts'
import { amountPath } from './clock-amounts.ts'
import type { Occurrence } from './occurrence.ts'

// The paths of an occurrence besides those of its item (`t`): what changed, the actor, the mail or the call. `e` is the
// occurrence. It is bound as one value, so that the text of a statement does not depend on it and one statement can
// evaluate many occurrences.

/**
 * Returns the occurrences as rows `e`; `n` is the index of the occurrence. The limits are there for the planner: it expects a
 * hundred rows of a function, and then plans conditions on a few anew each time, at several times the cost of evaluating them.
 * Of a limit that is bound it expects ten, so it keeps the plan for more than a few as well.
 */
export function rowsOf(occurrences: readonly Occurrence[], more: readonly object[] = []): Sql {
  const rows = occurrences.map(({ itemId, changes, actorId, actorKind, more: payload }, n) => ({
    ...{ n, item_id: itemId, changes, actor_id: actorId, actor_kind: actorKind, more: payload },
    ...more[n],
  }))
  const limit = rows.length > few ? sql`limit ${rows.length}` : raw(`limit ${rows.length === 1 ? 1 : few}`)
  return sql`(select r.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as r(n int, item_id uuid, changes jsonb, actor_id uuid, actor_kind text, more jsonb, rules int[], clocks jsonb, at timestamptz) ${limit}) e`
}

const few = 4

const properties = new Map(items.columns.map(({ property }) => [property.toLowerCase(), property]))

/** Returns the property of an item that a path names, or undefined. */
export function propertyNamed(path: string): string | undefined {
  const lower = path.trim().toLowerCase()
  return otherNames.get(lower) ?? properties.get(lower)
}

/** The vocabulary of items, extended by the paths of an event. */
export async function eventVocabulary(ctx: Context): Promise<Vocabulary> {
  const ofItem = await itemVocabulary(ctx)
  const fieldOf = await fieldFinder(ctx)
  const { tenantId } = ctx.caller
  const hidden = (path: string) =>
    fieldsRevealedBy(path).some(each => hidesSomewhere(ctx.caller, 'Item', each)) || ofItem.resolve(path) === undefined

  /** Returns the change of a path in an event: whether it changed, and its old and new value. */
  function changeOf(path: string): { changed: Sql; at: (end: 'from' | 'to') => Path } | undefined {
    const lower = path.trim().toLowerCase()
    const field = lower.startsWith('field.') ? fieldOf(lower.slice(6)) : undefined
    const property = field ? `Field.${field.id}` : (propertyNamed(lower) ?? path.trim())
    const known = ofItem.resolve(lower)
    const isOfItem = properties.has(property.toLowerCase())
    if (isOfItem && !isUsableFor('event', property)) return undefined
    if ((field || isOfItem) && hidden(lower)) return undefined
    if (lower.startsWith('field.') && !field) return undefined
    const given = (end: string) => sql`(e.changes -> ${property}::text -> ${end}::text)`
    // The event of a new item lists its custom values under one property, `Field`.
    const first = field
      ? sql`(select v -> 'value' from jsonb_array_elements(case jsonb_typeof(e.changes -> 'Field' -> 'to') when 'array' then e.changes -> 'Field' -> 'to' else '[]' end) v where v ->> 'fieldId' = ${field.id})`
      : undefined
    const value = (end: 'from' | 'to') => (first && end === 'to' ? sql`coalesce(${given(end)}, ${first})` : given(end))
    const changed = first
      ? sql`(jsonb_exists(e.changes, ${property}) or ${first} is not null)`
      : sql`jsonb_exists(e.changes, ${property})`
    return { changed, at: end => (property === 'labels' ? labelsIn(end) : pathIn(value(end), known)) }
  }

  return {
    ...ofItem,
    resolve(path) {
      const lower = path.trim().toLowerCase()
      const [, changed, end] = /^change\.(.+)\.(from|to)$/i.exec(path.trim()) ?? []
      if (changed) return changeOf(changed)?.at(end?.toLowerCase() === 'from' ? 'from' : 'to')
      if (lower.startsWith('actor.')) return actorPath(tenantId, lower.slice(6))
      if (lower.startsWith('mail.')) return mailPath(path.trim().slice(5))
      if (lower.startsWith('call.')) return callPath(path.trim().slice(5))
      if (Object.hasOwn(ofClock, lower)) return ofClock[lower]
      const amount = amountPath(lower)
      if (amount) return amount
      return ofItem.resolve(path)
    },
    change(path) {
      const found = changeOf(
        /^change\./i.test(path.trim())
          ? path
              .trim()
              .slice(7)
              .replace(/\.(from|to)$/i, '')
          : path,
      )
      return found && { changed: found.changed, from: found.at('from'), to: found.at('to') }
    },
  }
}

const types = {
  number: 'numeric',
  duration: 'numeric',
  boolean: 'boolean',
  date: 'date',
  instant: 'timestamptz',
  id: 'uuid',
  user: 'uuid',
  text: 'text',
} as const

/** Returns a value of an event in the kind of the item's property; a value that does not fit the kind is null. */
function pathIn(value: Sql, known: Path | undefined): Path {
  if (known?.kind === 'set') {
    const { of } = known
    const all = sql`jsonb_array_elements_text(case jsonb_typeof(${value}) when 'array' then ${value} when 'null' then '[]' else jsonb_build_array(${value}) end)`
    return of === 'text'
      ? { kind: 'set', of, elements: sql`select w from ${all} w` }
      : {
          kind: 'set',
          of,
          elements: sql`select case when input_fits(w, ${raw(`'${types[of]}'`)}) then w::${raw(types[of])} end from ${all} w`,
        }
  }
  const kind = known?.kind ?? 'text'
  const text = sql`(${value} #>> '{}')`
  if (kind === 'text') return { kind, value: text }
  const type = raw(types[kind])
  return {
    kind,
    value: sql`(case when input_fits(${text}, ${raw(`'${types[kind]}'`)}) then ${text}::${type} end)`,
  }
}

/** Conditions may compare labels by name or by id, so both are elements. */
function labelsIn(end: 'from' | 'to'): Path {
  const all = (property: string) =>
    sql`jsonb_array_elements_text(case jsonb_typeof(e.changes -> ${property}::text -> ${end}::text) when 'array' then e.changes -> ${property}::text -> ${end}::text else '[]' end)`
  return {
    kind: 'set',
    of: 'text',
    elements: sql`select w from ${all('labels')} w union all select w from ${all('Tags')} w`,
  }
}

function actorPath(tenantId: string, asked: string): Path | undefined {
  switch (asked) {
    case 'id':
      return { kind: 'user', value: raw('e.actor_id') }
    case 'kind':
      return { kind: 'text', value: raw('e.actor_kind') }
    case 'email':
    case 'name':
      return {
        kind: 'text',
        value: sql`(select u.${raw(asked)} from "user" u where u.tenant_id = ${tenantId} and u.id = e.actor_id)`,
      }
    case 'group':
      return {
        kind: 'set',
        of: 'id',
        elements: sql`with recursive mine as (
            select g.id, g.parent_id from user_group g where g.tenant_id = ${tenantId} and not g.deleted and g.members @> array[e.actor_id]
            union select g.id, g.parent_id from user_group g join mine on g.id = mine.parent_id where g.tenant_id = ${tenantId} and not g.deleted
          ) select id from mine`,
      }
    default:
      return undefined
  }
}

/** `mail.from`, `mail.subject`, `mail.to`, `mail.text`, `mail.autoReply`, `mail.header.<name>`. */
function mailPath(asked: string): Path | undefined {
  const lower = asked.toLowerCase()
  const of = (...keys: string[]) => sql`(e.more #>> ${['mail', ...keys]}::text[])`
  if (lower.startsWith('header.')) return { kind: 'text', value: of('header', lower.slice(7)) }
  if (lower === 'autoreply') return { kind: 'boolean', value: sql`(${of('autoReply')})::boolean` }
  if (lower === 'from' || lower === 'subject' || lower === 'text') return { kind: 'text', value: of(lower) }
  if (lower === 'to')
    return {
      kind: 'set',
      of: 'text',
      elements: sql`select w from jsonb_array_elements_text(coalesce(e.more #> '{mail,to}', '[]')) w`,
    }
  return undefined
}

/** A value in the body of an inbound call, by its path: `call.build.status`. */
function callPath(asked: string): Path | undefined {
  return asked === '' ? undefined : { kind: 'text', value: sql`(e.more #>> ${['call', ...asked.split('.')]}::text[])` }
}

/** The clock and the target of a clock event. */
const ofClock: Readonly<Record<string, Path>> = {
  'clock.id': pathIn(sql`(e.changes -> 'clockId' -> 'to')`, { kind: 'id', value: raw('null') }),
  'clock.targetid': pathIn(sql`(e.changes -> 'targetId' -> 'to')`, undefined),
  'clock.targetkind': pathIn(sql`(e.changes -> 'targetKind' -> 'to')`, { kind: 'number', value: raw('null') }),
}
