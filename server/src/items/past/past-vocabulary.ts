import { type Field, fieldsOf, rowPath } from '../../containers/field/field.ts'
import { fieldsRevealedBy } from '../../containers/redaction/redaction.ts'
import { isRelatedName, relatedNames, relatedPath } from '../../containers/related-names.ts'
import { hidesSomewhere } from '../../identity/field-limit/hidden-fields.ts'
import type { Context } from '../../kernel/context.ts'
import { own } from '../../kernel/own.ts'
import { raw, sql } from '../../kernel/sql.ts'
import type { Path, Vocabulary } from '../../language/conditions/conditions.ts'
import type { Moment } from '../../records/history/past.ts'
import { minutesSpentAt } from '../../time/minutes-spent-at.ts'
import { labelPath } from '../vocabulary/label-paths.ts'
import { propertyPaths } from '../vocabulary/property-paths.ts'
import { itemVocabulary } from '../vocabulary/vocabulary.ts'

// The paths of conditions on items of the past (`t`): what their rows tell. Other tables, by which the paths of the present are found
// faster, have the present values only. The names of records that an item refers to are those of now.

/** The vocabulary for items as they were at a moment; a path that is hidden from the caller on some item is unknown. */
export async function pastVocabulary(ctx: Context, at: Moment): Promise<Vocabulary> {
  const custom = new Map((await fieldsOf(ctx)).flatMap(field => customPaths(field)))
  const isHidden = (path: string) => fieldsRevealedBy(path).some(each => hidesSomewhere(ctx.caller, 'Item', each))
  const now: Path = { kind: 'instant', value: sql`${at}::timestamptz` }
  const present = await itemVocabulary(ctx)
  return {
    ...present,
    unavailable: path => (present.resolve(path) ? untold : undefined),
    names: () => [...Object.keys({ ...propertyPaths, ...relatedNames }), 'tags', 'labels', 'text', ...custom.keys()],
    resolve(path) {
      const lower = path.trim().toLowerCase()
      if (isHidden(lower)) return undefined
      if (lower === 'now') return now
      if (lower === 'spentminutes') return { kind: 'duration', value: minutesSpentAt(raw('t'), at) }
      if (lower === 'text') return { kind: 'text', value: raw("(t.title || ' ' || t.description)") }
      if (lower === 'tags' || lower === 'labels') return bare(labelPath(ctx.caller.tenantId))
      if (lower.startsWith('meta.')) return { kind: 'text', value: sql`(t.meta ->> ${path.trim().slice(5)}::text)` }
      if (isRelatedName(lower)) return bare(relatedPath(lower, new Map()))
      const found = own(propertyPaths, lower) ?? custom.get(lower)
      return found && bare(found)
    },
  }
}

const untold = { code: 'not-in-past', message: 'the log does not tell it for an earlier moment' }

/** The path without shortcuts over other tables. */
function bare(path: Path): Path {
  return path.kind === 'set'
    ? { kind: 'set', of: path.of, elements: path.elements }
    : { kind: path.kind, value: path.value }
}

function customPaths(field: Field): [string, Path][] {
  const path = rowPath(field)
  return path ? [field.id, field.key.toLowerCase()].map(name => [`field.${name}`, path]) : []
}
