import { inWorkingTime, memberOf } from '../../items/vocabulary/vocabulary.ts'
import type { Context } from '../../kernel/context.ts'
import type { Kind } from '../../kernel/kinds.ts'
import type { Column, ColumnType } from '../../kernel/record/columns.ts'
import { commonColumns } from '../../kernel/record/record.ts'
import { name, type Sql, sql } from '../../kernel/sql.ts'
import type { Path, Vocabulary } from '../../language/conditions/conditions.ts'

/** The paths to the columns of a kind (`t`) that the caller may see, which its lists are filtered by, and those of `more`. */
export async function columnVocabulary(
  ctx: Context,
  kind: Kind,
  more: Readonly<Record<string, Path>>,
): Promise<Vocabulary> {
  return vocabularyOf(ctx, { ...(await columnPaths(ctx, kind)), ...more })
}

/** The paths to the columns of a kind that the caller may see. */
export async function columnPaths(ctx: Context, kind: Kind): Promise<Record<string, Path>> {
  const { caller, services } = ctx
  const overridden = (await kind.ofTenant(ctx)) ?? {}
  const shown = [...common, ...kind.columns].filter(
    ({ property }) =>
      !Object.hasOwn(overridden, property) && !services.redaction.hidesSomewhere(caller, kind.entity, property),
  )
  const columns = shown.flatMap(column => {
    const path = pathTo(column)
    return path ? [[column.property, path] as const] : []
  })
  return Object.fromEntries(columns)
}

const common = commonColumns.filter(({ property }) => property !== 'tenantId' && property !== 'deleted')

/** A vocabulary of fixed paths, whose names are compared without regard to case. */
export function vocabularyOf(ctx: Context, paths: Readonly<Record<string, Path>>): Vocabulary {
  const byName = new Map(Object.entries(paths).map(([each, path]) => [each.toLowerCase(), path]))
  return {
    names: () => Object.keys(paths),
    resolve: path => byName.get(path.trim().toLowerCase()),
    memberOf: (user, groupIds) => memberOf(ctx, user, groupIds),
    inWorkingTime: (instant, clockId) => inWorkingTime(ctx.caller.tenantId, instant, clockId),
  }
}

function pathTo({ column, type, schema }: Column): Path | undefined {
  const value = sql`t.${name(column)}`
  const isUser = (schema['x-ref'] ?? schema.items?.['x-ref']) === 'User'
  return pathAt[type]?.(value, isUser)
}

const number = (value: Sql): Path => ({ kind: 'number', value, exact: true })
const pathAt: Record<ColumnType, ((value: Sql, isUser: boolean) => Path) | undefined> = {
  text: value => ({ kind: 'text', value }),
  integer: number,
  bigint: number,
  numeric: number,
  decimal: value => ({ kind: 'number', value, decimal: true, exact: true }),
  float8: value => ({ kind: 'number', value }),
  boolean: value => ({ kind: 'boolean', value }),
  timestamptz: value => ({ kind: 'instant', value }),
  date: value => ({ kind: 'date', value }),
  uuid: (value, isUser) => ({ kind: isUser ? 'user' : 'id', value }),
  'uuid[]': (value, isUser) => ({ kind: 'set', of: isUser ? 'user' : 'id', elements: sql`select unnest(${value})` }),
  'text[]': value => ({ kind: 'set', of: 'text', elements: sql`select unnest(${value})` }),
  'integer[]': value => ({ kind: 'set', of: 'number', elements: sql`select unnest(${value})` }),
  jsonb: undefined,
}
