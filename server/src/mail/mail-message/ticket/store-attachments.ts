import { annotationKind } from '../../../desk/annotation/annotation.ts'
import { mediaType, plainName, storeFile } from '../../../documents/file/file.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import { ownTenant } from '../../../kernel/sql.ts'
import { ownerKind } from '../../../records/references/owner.ts'
import type { PreparedMessage } from '../prepared-message.ts'

/** The limit of an annotation. */
const maxFiles = 50

interface Attachments {
  attachments: Id[]
  /** The HTML of the message, its inline images linked to their files. */
  html: string
  notes: string[]
}

/** Stores the attachments. A file that the ticket has already is referenced and not stored again. */
export async function storeAttachments(
  ctx: Context,
  { parsed, attached }: PreparedMessage,
  itemId: Id,
  { allowedAttachmentTypes }: { allowedAttachmentTypes: readonly string[] },
): Promise<Attachments> {
  const attachments: Id[] = []
  const notes: string[] = []
  const known = await filesOf(ctx, itemId)
  let html = parsed?.html ?? ''
  for (const [i, { name, cid }] of (parsed?.attachments ?? []).entries()) {
    const arrived = attached[i]
    if (!arrived) continue
    const called = plainName(name) || `attachment-${i + 1}`
    const mime = mediaType(arrived.head, called)
    if (!isAllowed(mime, allowedAttachmentTypes)) {
      notes.push(`${called} is left out: ${mime} is not allowed`)
      continue
    }
    let id = known.get(arrived.sha256)
    if (id === undefined && attachments.length >= maxFiles) {
      notes.push(`${called} is left out: a message keeps ${maxFiles} files`)
      continue
    }
    // It was scanned with the whole mail.
    const upload = { arrived, name: called, mime, owner: ownerKind.tenant, ownerId: '', description: '' }
    id ??= (await storeFile(ctx, upload, { scanned: true })).id
    known.set(arrived.sha256, id)
    if (!attachments.includes(id) && attachments.length < maxFiles) attachments.push(id)
    if (cid !== '') html = html.replaceAll(`cid:${cid}`, `/api/file/download/${id}?inline=true`)
  }
  return { attachments, html, notes: notes.length > 0 ? notes : [`${attachments.length} files`] }
}

function isAllowed(mime: string, allowed: readonly string[]): boolean {
  return (
    allowed.length === 0 ||
    allowed.some(each => (each.endsWith('/*') ? mime.startsWith(each.slice(0, -1)) : mime === each.toLowerCase()))
  )
}

/** The files of the messages of a ticket that the requester may read, by their hash. */
async function filesOf(ctx: Context, itemId: Id): Promise<Map<string, Id>> {
  if (itemId === '') return new Map()
  const rows = await ctx.sql<{ sha256: string; id: Id }>`select f.sha256, f.id from annotation a
    join file f on f.tenant_id = ${ownTenant} and f.id = any(a.attachments) and not f.deleted and f.owner = ${ownerKind.annotation} and f.owner_id = a.id::text
    where a.tenant_id = ${ctx.caller.tenantId} and a.item_id = ${itemId} and a.kind = ${annotationKind.message} and not a.deleted and a.restricted_to = '{}' order by f.id limit 2000`
  return new Map(rows.map(row => [row.sha256, row.id]))
}
