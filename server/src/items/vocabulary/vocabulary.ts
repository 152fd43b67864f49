import { fieldsOf } from '../../containers/field/field.ts'
import { fieldsRevealedBy } from '../../containers/redaction/redaction.ts'
import { isRelatedName, relatedNames, relatedPath } from '../../containers/related-names.ts'
import { hides } from '../../identity/field-limit/hidden-fields.ts'
import type { Context } from '../../kernel/context.ts'
import type { Sortable } from '../../kernel/list/sort.ts'
import { own } from '../../kernel/own.ts'
import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import type { Path, Vocabulary } from '../../language/conditions/conditions.ts'
import { items, visibleItems } from '../item/item.ts'
import { type MatchTerm, matches, plainMatching } from '../text-match.ts'
import { clockPath } from './clock-paths.ts'
import { type CustomPath, customPaths } from './custom-field.ts'
import { cyclePaths } from './cycle-paths.ts'
import { labelPath } from './label-paths.ts'
import { whereShown } from './limited-path.ts'
import { linkPaths } from './link-paths.ts'
import { propertyPaths, spent } from './property-paths.ts'
import { candidatesIn, describedCandidates, type TextAnalysis, unanalysed } from './text-analysis.ts'
import { ticketPaths } from './ticket-paths.ts'
import { watchers } from './watcher-paths.ts'
import { inWorkingTime } from './working-time.ts'

export { inWorkingTime } from './working-time.ts'

// The paths that conditions on items can use, compiled to SQL. `t` is the item.

const text = (value: Sql): Path => ({ kind: 'text', value })
const number = (value: Sql): Path => ({ kind: 'number', value })

const other = (what: Sql, table: Sql, key: Sql) =>
  sql`(select ${what} from ${table} o where o.tenant_id = ${ownTenant} and o.id = ${key})`

/** The paths that every item has, in lower case: its properties, and those of related records. */
const core: Record<string, Path> = {
  ...propertyPaths,
  text: text(sql`(t.title || ' ' || t.description)`),
  watchers,
  'assignee.group': {
    kind: 'set',
    of: 'id',
    elements: sql`select g.id from user_group g where g.tenant_id = ${ownTenant} and not g.deleted and g.members && t.assignees`,
  },
  'parent.status': text(other(sql`o.status`, raw('item'), sql`t.parent_id`)),
  'parent.title': text(other(sql`o.title`, raw('item'), sql`t.parent_id`)),
  'children.count': number(
    sql`(select count(*) from item o where o.tenant_id = ${ownTenant} and o.parent_id = t.id and not o.deleted)`,
  ),
  'time.total': spent(),
  'time.billable': spent(raw('and s.billable = 1')),
  now: { kind: 'instant', value: sql`now()` },
  today: { kind: 'date', value: sql`current_date` },
  ...linkPaths,
  ...cyclePaths,
  ...ticketPaths,
}

/** The properties by their names in lower case. */
const spelling = new Map(items.columns.map(({ property }) => [property.toLowerCase(), property]))

/** The paths that full-text search can use, and the part of an item that each means. */
const searchable: Record<string, MatchTerm> = {
  title: 'title',
  name: 'title',
  description: 'description',
  text: 'all',
}

/** How an index finds the items that may contain a part of a text. */
const candidates: Partial<Record<MatchTerm, (analysis: TextAnalysis) => Path['candidates']>> = {
  title: analysis => candidatesIn('title', analysis),
  description: describedCandidates,
}

/** The vocabulary of a tenant: the core paths, and `field.<key>` for each of its fields. */
export async function itemVocabulary(ctx: Context, analysis: TextAnalysis = unanalysed): Promise<Vocabulary> {
  const { tenantId } = ctx.caller
  const all = await fieldsOf(ctx)
  const scope = { fields: all, children: visibleItems(ctx.caller, raw('t')) }
  const custom = new Map(all.flatMap(field => customPaths(tenantId, field, scope, analysis)))
  const hidden = (path: string) => fieldsRevealedBy(path).some(property => hides(ctx.caller, 'Item', property))
  return {
    names: () => {
      const paths = [
        ...Object.keys({ ...core, ...relatedNames }),
        'tags',
        'labels',
        ...all.map(({ key }) => `field.${key.toLowerCase()}`),
      ]
      return paths.filter(path => !hidden(path)).map(path => spelling.get(path) ?? path)
    },
    resolve(path) {
      const lower = path.trim().toLowerCase()
      return hidden(lower) ? undefined : whereShown(ctx.caller, lower, resolveAny(path, lower))
    },
    memberOf: (somebody, groupIds) => memberOf(ctx, somebody, groupIds),
    inWorkingTime: (moment, clockId) => inWorkingTime(ctx.caller.tenantId, moment, clockId),
  }

  function resolveAny(path: string, lower: string): CustomPath | undefined {
    if (lower.startsWith('field.')) return custom.get(lower.slice(6))
    if (lower.startsWith('meta.')) return text(sql`(t.meta ->> ${path.trim().slice(5)}::text)`)
    if (lower.startsWith('clock.')) return clockPath(tenantId, lower)
    if (lower === 'tags' || lower === 'labels') return labelPath(ctx.caller.tenantId)
    if (isRelatedName(lower)) return relatedPath(lower, analysis.related)
    const found = own(core, lower)
    const part = own(searchable, lower)
    if (found && lower === 'key') return { ...found, candidates: candidatesIn('key', analysis) }
    if (!found || !part) return found
    return {
      ...found,
      search: asked => matches(ctx.caller, analysis.searches.get(asked) ?? plainMatching(asked), part),
      candidates: own(candidates, part)?.(analysis),
    }
  }
}

/** Whether a user belongs to one of the groups or to a group below one. */
export function memberOf(ctx: Context, somebody: Sql, groupIds: Sql): Sql {
  return sql`exists (with recursive inside as (
      select g.id, g.members from user_group g where g.tenant_id = ${ctx.caller.tenantId} and g.id = any(${groupIds}) and not g.deleted
      union select g.id, g.members from user_group g join inside on g.parent_id = inside.id where g.tenant_id = ${ctx.caller.tenantId} and not g.deleted)
    select 1 from inside where ${somebody} = any(inside.members))`
}

const sortTypes: Partial<Record<Path['kind'], Sortable['type']>> = {
  number: 'numeric',
  duration: 'numeric',
  instant: 'timestamptz',
  date: 'date',
}

/** The sort keys besides the columns of items: custom fields by their key, and all paths of the vocabulary with one value. */
export function sortableBy(vocabulary: Vocabulary): (name: string) => Sortable | undefined {
  return name => {
    const path: CustomPath | undefined = vocabulary.resolve(name) ?? vocabulary.resolve(`field.${name}`)
    if (path?.order) return path.order
    if (!path || path.kind === 'set') return undefined
    const type = sortTypes[path.kind]
    return type ? { type, value: path.value } : { type: 'text', value: sql`fold(${path.value}::text)` }
  }
}
