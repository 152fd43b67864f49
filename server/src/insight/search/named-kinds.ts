import { users } from '../../admin/user/user.ts'
import { boards } from '../../containers/board/board.ts'
import { containers } from '../../containers/container/container.ts'
import { containerFilters } from '../../containers/container-filter/container-filter.ts'
import { documents } from '../../documents/document/document.ts'
import { fileState, files } from '../../documents/file/file.ts'
import { crms } from '../../finance/crm/crm.ts'
import type { Caller } from '../../kernel/access.ts'
import type { Kind } from '../../kernel/kinds.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { containerOfFile } from './searched-kinds.ts'

/** A kind of record that is found by its name alone, or by its key. */
export interface NamedKind {
  kind: Pick<Kind, 'entity' | 'table' | 'permissions'> & { visible(caller: Caller, alias: Sql): Sql }
  /** The column of its key, if it has one. */
  key?: Sql
  /** The rows (`t`) that somebody would look for. */
  current: Sql
  /** The container of a row, if it belongs to one. */
  containerId: Sql
}

const none = raw('null::uuid')
const ofOwner = sql`case when t.owner = ${raw(String(ownerKind.container))} then t.owner_id::uuid end`

/** The kinds by their names in the query. Documents and files are found by their words, too. */
export const namedKinds: Readonly<Record<string, NamedKind>> = {
  user: { kind: users, current: raw('t.active and not t.anonymised'), containerId: none },
  container: { kind: containers, key: raw('t.key'), current: raw('not t.archived'), containerId: raw('t.id') },
  filter: { kind: containerFilters, current: raw('t.active'), containerId: raw('t.container_id') },
  board: { kind: boards, current: raw('true'), containerId: ofOwner },
  crm: { kind: crms, key: raw('t.code'), current: raw('t.merged_into is null'), containerId: none },
  file: { kind: files, current: raw(`t.state = ${fileState.ready}`), containerId: containerOfFile },
  document: { kind: documents, current: raw('true'), containerId: none },
}
