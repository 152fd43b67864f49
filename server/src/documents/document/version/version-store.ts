import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import { instantText } from '../../../kernel/record/columns.ts'
import { raw, type Sql, sql } from '../../../kernel/sql.ts'

/** The stored text of a document. */
export interface StoredText {
  id: Id
  version: number
  body: string
  format: string
}

/** Editors save all the time: what one author saves within this time is one version. */
const merged = 5 * 60_000

/** One version of a text, which the content had from `version` to `lastVersion`. */
export interface Version {
  version: number
  lastVersion: number
  savedBy: Id
  begun: string
  saved: string
  restoredFrom: number | null
  format: string
  size: number
  body: string
}

/** Adds the text to the last version, or stores it as a new one. The content is locked by the statement that wrote it. */
export async function storeVersion(ctx: Context, content: StoredText, restoredFrom?: number): Promise<void> {
  const { tenantId, userId } = ctx.caller
  const { id, version, body, format } = content
  const [last] = await ctx.sql<{ version: number; lastVersion: number; open: boolean }>`
    select version, last_version as "lastVersion",
      saved_by = ${userId} and restored_from is null and begun > ${new Date(ctx.now.getTime() - merged)} as open
    from document_version where tenant_id = ${tenantId} and document_id = ${id} order by version desc limit 1`
  if (last && last.lastVersion >= version) return // the write changed nothing
  if (last?.open && restoredFrom === undefined)
    await ctx.sql`update document_version set last_version = ${version}, body = ${body}, format = ${format}, saved = ${ctx.now}
      where tenant_id = ${tenantId} and document_id = ${id} and version = ${last.version}`
  else
    await ctx.sql`insert into document_version (tenant_id, document_id, version, last_version, body, format, saved_by, begun, saved, restored_from)
      values (${tenantId}, ${id}, ${version}, ${version}, ${body}, ${format}, ${userId}, ${ctx.now}, ${ctx.now}, ${restoredFrom ?? null})`
}

const columns: Sql = sql`v.version, v.last_version as "lastVersion", v.saved_by as "savedBy", ${instantText(raw('v.begun'))} as begun,
  ${instantText(raw('v.saved'))} as saved, v.restored_from as "restoredFrom", v.format, octet_length(v.body) as size`

/** The versions of a document without their texts, newest first. */
export async function versionsOf(
  ctx: Context,
  id: Id,
  { limit, before }: { limit: number; before: number | undefined },
): Promise<Omit<Version, 'body'>[]> {
  const older = before === undefined ? raw('') : sql`and v.version < ${before}`
  return await ctx.sql`select ${columns} from document_version v
    where v.tenant_id = ${ctx.caller.tenantId} and v.document_id = ${id} ${older} order by v.version desc limit ${limit}`
}

/** The version that holds the text which the content had, or was merged into, as its version `at`; the last one if there is no `at`. */
export async function versionAt(ctx: Context, id: Id, at?: number): Promise<Version | undefined> {
  const upTo = at === undefined ? raw('') : sql`and v.version <= ${at}`
  const [found] = await ctx.sql<Version>`select ${columns}, v.body from document_version v
    where v.tenant_id = ${ctx.caller.tenantId} and v.document_id = ${id} ${upTo} order by v.version desc limit 1`
  return found
}
