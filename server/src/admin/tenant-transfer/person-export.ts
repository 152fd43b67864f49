import type { Context } from '../../kernel/context.ts'
import { raw, sql } from '../../kernel/sql.ts'
import type { User } from '../user/user.ts'
import { formerNames } from '../user-anonymise.ts'
import { beginSnapshot, bytesOf, format, type KnownBytes, line, rowsOf, totalsOf } from './export.ts'
import { readCatalogue } from './table-catalogue.ts'

/**
 * Exports everything that is stored about a user as lines of JSON: rows, and the bytes of the files and mails among them. All
 * tables of the tenant are searched, so that no kind of record has to be named here.
 */
export async function* personLines(ctx: Context, user: User, { files }: { files: boolean }): AsyncGenerator<string> {
  await beginSnapshot(ctx)
  const { names, addresses } = await formerNames(ctx, user)
  yield line({
    gantry: 'person',
    format,
    exported: ctx.now.toISOString(),
    user: { id: user.id, names, addresses },
    files,
  })
  const marks = [user.id, ...addresses]
  const about = sql`exists (select 1 from unnest(${marks}::text[]) m where position(m in lower(${raw('to_jsonb(t)::text')})) > 0)`
  const bytes: KnownBytes = new Map()
  let count = 0
  for (const table of await readCatalogue(ctx)) {
    for await (const rows of rowsOf(ctx, table, about)) {
      count += rows.length
      yield rows.map(row => `{"table":"${table.name}","row":${row}}\n`).join('')
    }
    if (files) yield* bytesOf(ctx, table, bytes, about)
  }
  yield line({ end: true, rows: count, ...totalsOf(bytes) })
}
