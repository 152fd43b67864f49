import { Type } from 'typebox'
import { visibleItems } from '../../items/item/item.ts'
import { type Caller, members, staff } from '../../kernel/access.ts'
import type { Stored, Values } from '../../kernel/record/record.ts'
import { resource } from '../../kernel/resource.ts'
import { Count, Instant, Name, Ref } from '../../kernel/schema/values.ts'
import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { isStaffAtItem } from '../annotation/annotation.ts'

export const maxText = 500

const shape = {
  itemId: Ref('Item'),
  text: Name(maxText),
  sequence: Count(undefined, 0, { description: 'The place in the checklist; a new entry is the last one.' }),
  assigneeId: Ref('User', { description: 'Who does it.' }),
  checked: Type.Boolean(),
  checkedBy: Ref('User'),
  checkedAt: Instant,
  becameId: Ref('Item', { description: 'The item that the entry has become.' }),
}

export type ChecklistEntry = Stored<typeof shape>
export type EntryValues = Values<typeof shape>

/** A step of the checklist of an item. */
export const checklistEntries = resource('ChecklistEntry', {
  about: 'A step of the checklist of an item, which staff who see the item see.',
  shape,
  required: ['itemId', 'text'],
  serverSet: ['checkedBy', 'checkedAt', 'becameId'],
  may: { read: staff, create: members, update: members, delete: members },
  placed: true,
  visible: visibleEntries,
  example: { itemId: '01890000-0000-7000-8000-000000000000', text: 'Label the cables' },
})

function visibleEntries(caller: Caller, e: Sql): Sql {
  const i = raw('listed')
  return sql`exists (select 1 from item ${i} where ${i}.tenant_id = ${ownTenant} and ${i}.id = ${e}.item_id and not ${i}.deleted
    and ${visibleItems(caller, i)} and ${isStaffAtItem(caller, i)})`
}
