import { members } from '../kernel/access.ts'
import type { Context } from '../kernel/context.ts'
import { create, get, list, remove, restore, update } from '../kernel/crud.ts'
import type { Id } from '../kernel/id.ts'
import type { Routes } from '../kernel/operation.ts'
import type { Expect, Stored, Values } from '../kernel/record/record.ts'
import { fault, RuleBroken } from '../kernel/refusal.ts'
import { resource } from '../kernel/resource.ts'
import { Name, Ref, Refs, Text } from '../kernel/schema/values.ts'
import { Code } from '../records/code-table.ts'
import { history } from '../records/history/history.ts'
import { owners, refuseUnknownOwner } from '../records/references/owner.ts'
import { refuseLockOut, visibleFolder } from './visibility.ts'

const shape = {
  name: Name(200),
  parentId: Ref('Folder'),
  owner: Code(owners),
  ownerId: Text(100),
  restrictedTo: Refs('UserGroup', 100),
}

type Folder = Stored<typeof shape>
type FolderValues = Values<typeof shape>

const maxDepth = 50

/** A folder of documents. A restriction of a folder applies to everything below it. */
const folders = resource('Folder', {
  about:
    'A folder in a tree of documents. `restrictedTo` applies to everything below the folder; a folder can narrow the restriction of its ancestors, but not widen it.',
  shape,
  may: { create: members, update: members, delete: members },
  visible: visibleFolder,
  check: checkFolder,
})

async function checkFolder(ctx: Context, folder: FolderValues, before: Folder | undefined): Promise<void> {
  await refuseUnknownOwner(ctx, folder, before)
  refuseLockOut(ctx, folder.restrictedTo, before)
  const moves = !before || before.deleted || before.parentId !== folder.parentId
  const above = folder.parentId === '' ? [] : await readAncestors(ctx, folder.parentId, moves)
  if (moves && folder.parentId !== '') refuseWrongPlace(folder, before, above)
  if (folder.restrictedTo.length > 0) await refuseWider(ctx, folder, above)
}

interface Ancestor {
  id: Id
  deleted: boolean
  restrictedTo: Id[]
}

/**
 * The ancestors of a folder, starting with the folder itself. If the tree is about to change, a lock serializes the
 * changes.
 */
async function readAncestors(ctx: Context, from: Id, moves: boolean): Promise<Ancestor[]> {
  const { tenantId } = ctx.caller
  if (moves) {
    await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`folders ${tenantId}`}, 0))`
    await lockFolder(ctx, from)
  }
  return await ctx.sql<Ancestor>`
    with recursive up as (
      select f.id, f.parent_id, f.deleted, f.restricted_to, 1 as step from folder f where f.tenant_id = ${tenantId} and f.id = ${from}
      union all
      select f.id, f.parent_id, f.deleted, f.restricted_to, step + 1 from folder f join up on f.id = up.parent_id
      where f.tenant_id = ${tenantId} and step <= ${maxDepth}
    ) select id, deleted, restricted_to as "restrictedTo" from up order by step`
}

function refuseWrongPlace({ parentId }: FolderValues, before: Folder | undefined, above: readonly Ancestor[]): void {
  const refuse = (code: string, message: string, says: string) => {
    throw new RuleBroken(code, message, [fault(['parentId'], code, says, parentId)])
  }
  if (above[0]?.deleted)
    refuse('folder-deleted', 'the parent folder is deleted; restore it first', 'is the id of a deleted folder')
  if (before && above.some(each => each.id === before.id))
    refuse('cycle', 'a folder cannot contain itself', 'is inside the folder itself')
  if (above.length >= maxDepth)
    refuse('too-deep', `folders can be nested at most ${maxDepth} levels deep`, 'is nested too deeply')
}

/** Each group must be one of the ancestor’s groups, or a descendant of one. */
async function refuseWider(ctx: Context, { restrictedTo }: FolderValues, above: readonly Ancestor[]): Promise<void> {
  for (const { restrictedTo: roots } of above) {
    if (roots.length === 0 || restrictedTo.every(group => roots.includes(group))) continue
    const rows = await ctx.sql<{ id: Id }>`
      with recursive below as (
        select g.id from user_group g where g.tenant_id = ${ctx.caller.tenantId} and g.id = any(${roots}::uuid[])
        union
        select g.id from user_group g join below b on g.parent_id = b.id where g.tenant_id = ${ctx.caller.tenantId}
      ) select id from below`
    const allowed = new Set(rows.map(row => row.id))
    const wider = [...restrictedTo.entries()].filter(([, group]) => !allowed.has(group))
    if (wider.length === 0) continue
    const message = 'is neither a group of an ancestor folder nor a descendant of one'
    throw new RuleBroken(
      'wider-than-parent',
      'a folder can narrow the restriction of its ancestors, not widen it',
      wider.map(([i, group]) => fault(['restrictedTo', i], 'wider-than-parent', message, group)),
    )
  }
}

/** Prevents the deletion of the folder until the end of the transaction; false if it is deleted already. */
export async function lockFolder(ctx: Context, id: Id): Promise<boolean> {
  const rows =
    await ctx.sql`select id from folder where tenant_id = ${ctx.caller.tenantId} and id = ${id} and not deleted for share`
  return rows.length > 0
}

/** Deletes an empty folder. Moving its content to the parent instead could show it to more people. */
async function removeFolder(ctx: Context, id: Id, more: { expect?: Expect }): Promise<Folder> {
  const { tenantId } = ctx.caller
  const folder = await folders.get(ctx, id, { lock: true })
  // The refusal does not say how many they are, because the caller may not see all of them.
  const [held] = await ctx.sql`
    (select 1 from document where tenant_id = ${tenantId} and folder_id = ${folder.id} and not deleted limit 1) union all
    (select 1 from folder where tenant_id = ${tenantId} and parent_id = ${folder.id} and not deleted limit 1)`
  if (held)
    throw new RuleBroken('folder-not-empty', 'the folder still holds documents or folders; move or delete them first')
  return await folders.remove(ctx, id, more)
}

export const routes: Routes = {
  'GET /docs/folder': list(folders),
  'POST /docs/folder': create(folders),
  'PUT /docs/folder': update(folders),
  'GET /docs/folder/:id': get(folders),
  'PUT /docs/folder/:id': update(folders),
  'PATCH /docs/folder/:id': update(folders),
  'DELETE /docs/folder/:id': remove(folders, removeFolder),
  'POST /docs/folder/:id/restore': restore(folders),
  'GET /docs/folder/:id/history': history(folders),
}
