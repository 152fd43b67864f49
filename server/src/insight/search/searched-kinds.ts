import { annotations, visibleOnItems } from '../../desk/annotation/annotation.ts'
import { documents } from '../../documents/document/document.ts'
import { fileState, files } from '../../documents/file/file.ts'
import { items } from '../../items/item/item.ts'
import { type Caller, maySomewhere, type Permission } from '../../kernel/access.ts'
import type { Id } from '../../kernel/id.ts'
import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { ownerKind } from '../../records/references/owner.ts'

/** A kind of record that can be searched: its table, its word index, its visibility, and the columns of a hit. */
export interface SearchedKind {
  entity: string
  table: string
  words: string
  /** Whether the word index contains the age of a record. */
  aged?: boolean
  read: Permission
  /** The rows (`t`) that the caller sees; the same condition as for lists and single records. */
  visible(caller: Caller): Sql
  /** The rows (`t`) that are not archived. */
  current?: Sql
  /** The rows that belong to these containers. */
  within(containerIds: Sql): Sql
  /** The columns of a hit (`t`) and the joins they need; `body` is for the snippet and not part of the reply. */
  hit: { columns: Sql; from: Sql }
}

const t = raw('t')
const cut = 20_000
const container = sql`case when c.id is null then null else json_build_object('id', c.id, 'key', c.key, 'name', c.name) end as container`
const inContainer = (id: Sql) => sql`left join container c on c.tenant_id = ${ownTenant} and c.id = ${id}`

/** The container of file `t`: its owner, or that of the item which owns it. */
export const containerOfFile = sql`(case when t.owner = ${raw(String(ownerKind.container))} then t.owner_id::uuid when t.owner = ${raw(String(ownerKind.item))}
  then (select i.container_id from item i where i.tenant_id = ${ownTenant} and i.id = t.owner_id::uuid) end)`

export const searchedKinds: Readonly<Record<string, SearchedKind>> = {
  item: {
    entity: 'Item',
    table: 'item',
    words: 'item_search',
    aged: true,
    read: items.permissions.read,
    visible: caller => items.visible(caller, t),
    current: raw('not t.archived'),
    within: ids => sql`t.container_id = any(${ids})`,
    hit: {
      columns: sql`t.key, t.title, left(t.description, ${raw(String(cut))}) as body, null::uuid as "itemId", ${container}`,
      from: inContainer(raw('t.container_id')),
    },
  },
  annotation: {
    entity: 'Annotation',
    table: 'annotation',
    words: 'annotation_search',
    read: annotations.permissions.read,
    visible: caller => visibleOnItems(caller, t),
    current: sql`not exists (select 1 from item i where i.tenant_id = ${ownTenant} and i.id = t.item_id and i.archived)`,
    within: ids =>
      sql`exists (select 1 from item i where i.tenant_id = ${ownTenant} and i.id = t.item_id and i.container_id = any(${ids}))`,
    hit: {
      columns: sql`i.key, i.title, left(t.body, ${raw(String(cut))}) as body, t.item_id as "itemId", ${container}`,
      from: sql`join item i on i.tenant_id = ${ownTenant} and i.id = t.item_id ${inContainer(raw('i.container_id'))}`,
    },
  },
  document: {
    entity: 'Document',
    table: 'document',
    words: 'document_search',
    read: documents.permissions.read,
    visible: caller => documents.visible(caller, t),
    within: ids =>
      sql`exists (select 1 from jsonb_array_elements(t.context) x where x.value ->> 'owner' = '1' and x.value ->> 'ownerId' = any(${ids}::text[]))`,
    hit: {
      columns: sql`null as key, t.name as title, left(d.body, ${raw(String(cut))}) as body, null::uuid as "itemId", ${container}`,
      from: sql`left join document_content d on d.tenant_id = ${ownTenant} and d.id = t.id left join container c on c.tenant_id = ${ownTenant} and false`,
    },
  },
  file: {
    entity: 'File',
    table: 'file',
    words: 'file_search',
    read: files.permissions.read,
    visible: caller => sql`(t.state = ${raw(String(fileState.ready))} and ${files.visible(caller, t)})`,
    within: ids => sql`${containerOfFile} = any(${ids})`,
    hit: {
      columns: sql`null as key, t.name as title, left(x.body, ${raw(String(cut))}) as body, null::uuid as "itemId", ${container}`,
      from: sql`left join file_text x on x.tenant_id = ${ownTenant} and x.id = t.id ${inContainer(containerOfFile)}`,
    },
  },
}

/** The kinds that the caller may read at all. */
export function readableKinds(caller: Caller, wanted: readonly string[]): [string, SearchedKind][] {
  return Object.entries(searchedKinds).filter(
    ([name, kind]) => (wanted.length === 0 || wanted.includes(name)) && maySomewhere(caller, kind.read),
  )
}

/** One hit as the database returns it. */
export interface SearchHit {
  id: Id
  key: string | null
  title: string
  body: string | null
  itemId: Id | null
  container: { id: Id; key: string; name: string } | null
  updated: string
  score: number
  /** The number of matches in the word index, if it was counted. */
  matching?: number
}
