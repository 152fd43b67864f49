import { join, ownTenant, raw, type Sql, sql } from '../kernel/sql.ts'
import type { TextPlace } from '../language/conditions/conditions.ts'
import { folded } from '../language/folded.ts'

// Parts of the keys of items. A key is that of a container and a number, so a part of it tells some containers, and some ranges of
// numbers: `12` is in the numbers 12, 112, 120 to 129 and so on. No index of parts is needed.

/** A number has at most this many digits. */
const maxDigits = 15
/** With more possible digits before a part the numbers of a container are read, which has fewer items then than numbers. */
const maxBefore = 2000

/** A condition that every item (`t`) fulfils whose key has one of the words at the place. */
export function keyCandidates(words: readonly string[], place: TextPlace): Sql {
  const found = words.flatMap(word => itemsKeyed(folded(word).toUpperCase(), place))
  return found.length === 0 ? raw('false') : sql`t.id = any(array(${join(found, ' union all ')}))`
}

function itemsKeyed(part: string, place: TextPlace): Sql[] {
  const [, before = '', dash, after = ''] = /^([A-Z0-9]*)(-?)(\d*)$/.exec(part) ?? []
  if (part === '' || dash === undefined) return []
  if (dash === '-') {
    if (after === '') return place === 'end' ? [] : [ofContainers(keyed(before, place === 'start' ? 'all' : 'end'))]
    if (after.startsWith('0')) return []
    const containers = keyed(before, place === 'start' ? 'all' : 'end')
    return numbered(containers, after, { before: false, after: place !== 'end' })
  }
  const whole = place === 'end' ? [] : [ofContainers(keyed(part, place))]
  const isNumber = place !== 'start' && /^\d+$/.test(part)
  return isNumber ? [...whole, ...numbered(keyed('', 'end'), part, { before: true, after: place !== 'end' })] : whole
}

/** The containers with a key that has the text at a place, or is the text. */
function keyed(text: string, place: TextPlace | 'all'): Sql {
  const holds: Record<TextPlace | 'all', Sql> = {
    all: sql`k.key = ${text}`,
    start: sql`starts_with(k.key, ${text})`,
    end: sql`right(k.key, ${text.length}) = ${text}`,
    anywhere: sql`strpos(k.key, ${text}) > 0`,
  }
  return sql`select distinct k.container_id as id from container_key k where k.tenant_id = ${ownTenant} and ${holds[place]}`
}

/** All items of containers. They are read container by container, because the planner would expect too many and read all items. */
function ofContainers(containers: Sql): Sql {
  return sql`select i.id from (${containers}) c cross join lateral (
    select i.id from item i where i.tenant_id = ${ownTenant} and i.container_id = c.id offset 0) i`
}

/**
 * The items of containers whose number has the digits, with digits before them and after them if that is allowed. The bounds of a range are computed
 * apart: under row level security, PostgreSQL 15 looks up only values in an index, and no products, which could fail.
 */
function numbered(containers: Sql, digits: string, more: { before: boolean; after: boolean }): Sql[] {
  if (digits.length > maxDigits) return []
  const [value, scale] = [Number(digits), 10 ** digits.length]
  const powers = Array.from({ length: more.after ? maxDigits - digits.length + 1 : 1 }, (_, i) => 10 ** i)
  // A number does not begin with 0, so something is before it.
  const least = digits.startsWith('0') ? 1 : 0
  const most = more.before ? sql`(l.number / p.power - ${value}::bigint) / ${scale}::bigint` : raw('0::bigint')
  const isFew = sql`l.number / ${more.before ? scale : 1e15}::bigint <= ${maxBefore}`
  const last = sql`(${containers}) c cross join lateral (
    select i.number from item i where i.tenant_id = ${ownTenant} and i.container_id = c.id order by i.number desc limit 1) l`
  return [
    sql`select i.id from ${last} cross join unnest(${powers}::bigint[]) p(power)
      cross join lateral generate_series(${least}::bigint, ${most}) b(n)
      cross join lateral (select (b.n * ${scale}::bigint + ${value}::bigint) * p.power as first, (b.n * ${scale}::bigint + ${value}::bigint + 1) * p.power as next offset 0) r
      cross join lateral (select i.id from item i where i.tenant_id = ${ownTenant} and i.container_id = c.id and i.number >= r.first and i.number < r.next offset 0) i
      where p.power <= l.number and ${isFew}`,
    sql`select i.id from ${last} cross join lateral (select i.id from item i where i.tenant_id = ${ownTenant} and i.container_id = c.id
        and strpos(i.number::text, ${digits}) > 0 offset 0) i where not (${isFew})`,
  ]
}
