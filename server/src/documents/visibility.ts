import { isAgent } from '../identity/agent.ts'
import { seesEverything } from '../identity/visibility.ts'
import {
  type Caller,
  everyone,
  managers,
  maySomewhere,
  members,
  narrowedTo,
  permission,
  staff,
} from '../kernel/access.ts'
import type { Context } from '../kernel/context.ts'
import type { Id } from '../kernel/id.ts'
import { allKinds, type Kind, kind } from '../kernel/kinds.ts'
import { fault, RuleBroken } from '../kernel/refusal.ts'
import { and, flat, join, name, or, raw, type Sql, sql } from '../kernel/sql.ts'
import { isThere } from '../records/references/is-there.ts'
import { ownerKind, ownerKinds } from '../records/references/owner.ts'
import { documentState } from './document-state.ts'

// The visibility of documents, folders and files. Lists, single records, contents and files use the same condition, so
// that a record is hidden everywhere or nowhere.

/** The permissions of documents, of which those of their contents, versions and links are made, too. */
export const documentPermissions = {
  read: permission('document.read', everyone),
  update: permission('document.update', members),
  /** Permits to make a document public and to change one that is: its readers rely on what was published. */
  publish: permission('document.publish', managers),
}

/**
 * Admins see all documents. Others see a document that they created, that is restricted to one of their groups, or that
 * is unrestricted and belongs to a record they see; only if none of its folders is hidden from them; and only in a state
 * that is for them.
 */
export function visibleDocument(caller: Caller, document: Sql): Sql {
  return and([openInItself(caller, document), outOfHiddenFolders(caller, sql`${document}.folder_id`)])
}

/** Whether the caller sees a document, whatever folder it is in. */
function openInItself(caller: Caller, document: Sql): Sql {
  // What an assistant reads was opened to assistants by a person. This holds for admins and for the creator, too.
  const toAgents = isAgent(caller) ? [sql`${document}.ai_access`] : []
  if (seesEverything(caller.authority)) return and(toAgents)
  const open = sql`${document}.restricted_to = '{}' and ${contextVisible(caller, document)}`
  return and([...toAgents, inStateFor(caller, document), orGranted(caller, document, open)])
}

/** Drafts, and states with an unknown code, are for their author and for those who may write documents. */
function inStateFor(caller: Caller, document: Sql): Sql {
  const whole = { ...caller, scopes: [] } // a key that only reads sees what its user sees
  if (maySomewhere(whole, documentPermissions.update)) return raw('true')
  const states = isReader(caller) ? [documentState.internal, documentState.public] : [documentState.public]
  return sql`(${document}.state = any(${states}::integer[]) or ${document}.created_by = ${caller.userId})`
}

/** Staff, and whoever was granted to read documents; everybody else reads what is public. */
export function isReader(caller: Caller): boolean {
  return maySomewhere({ ...caller, scopes: [] }, narrowedTo(staff, documentPermissions.read))
}

/** History and versions show what a document said before it became public, so they are for its readers. */
export function visibleHistory(caller: Caller, document: Sql): Sql {
  return isReader(caller) ? visibleDocument(caller, document) : raw('false')
}

/** A folder has the same rules as a document; whoever cannot see a folder sees nothing below it. */
export function visibleFolder(caller: Caller, folder: Sql): Sql {
  return outOfHiddenFolders(caller, sql`${folder}.id`)
}

/** Open to all, or granted to this caller: to the creator and the members of the groups. */
function orGranted({ authority, userId }: Caller, record: Sql, open: Sql): Sql {
  return or([sql`${record}.created_by = ${userId}`, sql`${record}.restricted_to && ${authority.groups}::uuid[]`, open])
}

function outOfHiddenFolders(caller: Caller, folderId: Sql): Sql {
  if (seesEverything(caller.authority)) return raw('true')
  return sql`(${folderId} is null or ${folderId} <> all (${hiddenFolders(caller)}))`
}

/** PostgreSQL evaluates the hidden folders once per statement, however many rows it reads. */
function hiddenFolders(caller: Caller): Sql {
  const f = raw('f')
  const open = sql`f.restricted_to = '{}' and ${ownerVisible(caller, { owner: sql`f.owner`, ownerId: sql`f.owner_id` }, ofDocument(caller))}`
  return sql`array(
    with recursive hidden as (
      select f.id from folder f where f.tenant_id = ${caller.tenantId} and not ${orGranted(caller, f, open)}
      union
      select f.id from folder f join hidden h on f.parent_id = h.id where f.tenant_id = ${caller.tenantId}
    ) select id from hidden)`
}

/** A document without context is open; one with several records is open to whoever sees one of them. */
function contextVisible(caller: Caller, document: Sql): Sql {
  const at = { owner: sql`(c.value->>'owner')::integer`, ownerId: sql`c.value->>'ownerId'` }
  return sql`(${document}.context = '[]' or exists (
    select 1 from jsonb_array_elements(${document}.context) c where ${ownerVisible(caller, at, ofDocument(caller))}))`
}

/** What belongs to the tenant is for staff, except for public documents: their readers come from outside. */
function ofDocument(caller: Caller): OwnerSeen {
  return { deleted: true, inside: true, tenantOpen: !isReader(caller) }
}

interface OwnerColumns {
  owner: Sql
  ownerId: Sql
}

interface OwnerSeen {
  /** A deleted owner still determines the visibility of what it owned. */
  deleted?: boolean
  /** Set when a document or a folder checks its own owner, to prevent a recursion. */
  inside?: boolean
  /** What belongs to the tenant itself is open to everybody. */
  tenantOpen?: boolean
  /** Kinds that are not owners here. */
  without?: readonly string[]
}

/** The kinds whose records own files only, and have an owner of their own. */
const between = ['Annotation', 'ChatRoom'] as const
/** Documents and folders can be in a folder that is hidden with all that is in it. */
const foldered: readonly string[] = ['Document', 'Folder']

/**
 * Whether the caller sees the record that owns this one. What belongs to the tenant or has an unknown owner code is for
 * staff.
 */
export function ownerVisible(caller: Caller, at: OwnerColumns, seen: OwnerSeen = {}): Sql {
  const { deleted = false, inside = false, tenantOpen = false, without = [] } = seen
  const excluded: readonly string[] = [...between, ...without, ...(inside ? foldered : [])]
  const isStaff = caller.authority.superAdmin || staff.some(role => caller.authority.tenant.has(role))
  const cases: Sql[] = tenantOpen ? [sql`when ${raw(String(ownerKind.tenant))} then true`] : []
  for (const [code, entity] of ownerKinds.entries()) {
    const kind = allKinds().find(each => each.entity === entity)
    if (!kind || code === ownerKind.tenant || excluded.includes(entity)) continue
    cases.push(sql`when ${raw(String(code))} then ${seenOwner(caller, kind, at.ownerId, deleted)}`)
  }
  const others = raw(String(isStaff))
  if (cases.length === 0) return others
  const byKind = sql`(case ${at.owner} ${join(cases, ' ')} else ${others} end)`
  return inside || seesEverything(caller.authority) ? byKind : and([byKind, ownerOutOfHiddenFolders(caller, at)])
}

function seenOwner(caller: Caller, kind: Kind, ownerId: Sql, deleted: boolean): Sql {
  if (!mayReadSomewhere(caller, kind)) return raw('false')
  // An owner may check its own owner in turn, which needs another alias.
  const asking = flat(ownerId).strings.join('')
  const o = raw(['o', 'o2', 'o3'].find(each => !asking.startsWith(`${each}.`)) ?? 'o4')
  const visible = openByItself(caller, kind, o)
  if (deleted && isTrue(visible)) return visible
  return isThere(
    sql`from ${name(kind.table)} ${o} where ${o}.tenant_id = ${caller.tenantId} and ${o}.id = ${asId(ownerId)} ${deleted ? raw('') : sql`and not ${o}.deleted`} and ${visible}`,
  )
}

/** Whether the caller sees an owner, whatever folder it is in. */
function openByItself(caller: Caller, { entity, visible }: Kind, o: Sql): Sql {
  if (seesEverything(caller.authority)) return visible(caller, o)
  // The folder itself must be there, even a deleted one.
  if (entity === 'Folder') return sql`${o}.id is not null`
  return entity === 'Document' ? openInItself(caller, o) : visible(caller, o)
}

/** An API key that is limited to files still reaches the files of all records that its user may read. */
function mayReadSomewhere(caller: Caller, kind: Kind): boolean {
  return maySomewhere({ ...caller, scopes: [] }, kind.permissions.read)
}

/** Whether an owner that is a document or a folder is in no hidden folder: asked once for both, because the condition of the folders is long. */
function ownerOutOfHiddenFolders(caller: Caller, { owner, ownerId }: OwnerColumns): Sql {
  const [document, folder] = [ownerKind.document, ownerKind.folder].map(code => raw(String(code)))
  const id = asId(ownerId)
  const folderId = sql`(case when ${owner} = ${folder} then ${id}
    else (select placed.folder_id from document placed where placed.tenant_id = ${caller.tenantId} and placed.id = ${id}) end)`
  return sql`(case when ${owner} in (${document}, ${folder}) then coalesce(${folderId} <> all (${hiddenFolders(caller)}), true) else true end)`
}

/**
 * Whether the caller sees the record that owns a file. An annotation or a room is visible by its own owner, so the long condition on owners stands here once,
 * for the last owner, and not three times.
 */
export function fileOwnerVisible(caller: Caller, file: Sql): Sql {
  const owners = between.map(entity => {
    const known = kind(entity)
    return { code: raw(String(ownerKinds.indexOf(entity))), alias: raw(`its_${known.table}`), kind: known }
  })
  const joined = owners.map(
    ({ code, alias, kind: { table } }) => sql`left join ${name(table)} ${alias} on ${file}.owner = ${code}
    and ${alias}.tenant_id = ${caller.tenantId} and ${alias}.id = ${asId(sql`${file}.owner_id`)} and not ${alias}.deleted`,
  )
  const last = (column: Sql) =>
    sql`case ${file}.owner ${join(
      owners.map(({ code, alias }) => sql`when ${code} then ${alias}.${column}`),
      ' ',
    )} else ${file}.${column} end`
  const seen = owners.map(({ code, alias, kind }) => {
    const visible = mayReadSomewhere(caller, kind) ? kind.visible(caller, alias, raw('last.seen')) : raw('false')
    return sql`when ${code} then ${alias}.id is not null and ${visible}`
  })
  const at = { owner: raw('last.owner'), ownerId: raw('last.owner_id') }
  return sql`(select case ${file}.owner ${join(seen, ' ')} else last.seen end from (select) one ${join(joined, ' ')}
    cross join lateral (select ${ownerVisible(caller, at)} as seen
      from (select ${last(raw('owner'))} as owner, ${last(raw('owner_id'))} as owner_id offset 0) last offset 0) last)`
}

function isTrue(condition: Sql): boolean {
  return condition.values.length === 0 && condition.strings.join('') === 'true'
}

/** A text that is not a UUID is no id. */
export function asId(text: Sql): Sql {
  return sql`(case when ${text} ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (${text})::uuid end)`
}

/** Prevents users from locking themselves out: after the change, the caller must still see the record. */
export function refuseLockOut(
  { caller }: Context,
  restrictedTo: readonly Id[],
  before: { createdBy: Id } | undefined,
): void {
  if (!before || before.createdBy === caller.userId || seesEverything(caller.authority) || restrictedTo.length === 0)
    return
  if (restrictedTo.some(group => caller.authority.groups.includes(group))) return
  const message = 'contains none of your groups, so that you could no longer see the record'
  throw new RuleBroken('lock-out', 'the change would lock you out', [fault(['restrictedTo'], 'lock-out', message)])
}
