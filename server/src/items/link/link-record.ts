import { Type } from 'typebox'
import { type Caller, everyone, members } from '../../kernel/access.ts'
import type { Stored, Values } from '../../kernel/record/record.ts'
import { resource } from '../../kernel/resource.ts'
import { Part, Ref, Text, Url } from '../../kernel/schema/values.ts'
import { and, or, ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { Code } from '../../records/code-table.ts'
import { visibleItems } from '../item/item.ts'
import { dependencyKinds } from '../item-codes.ts'
import { linkBehaviours } from './link-type.ts'

const shape = {
  fromId: Ref('Item'),
  toId: Ref('Item', { description: 'The other item; empty for a link to `external`.' }),
  type: Ref('LinkType', { maxLength: 60, description: 'The id or the name of a type; by default `relates`.' }),
  behaviour: Code(linkBehaviours, { description: 'The behaviour of the type.' }),
  note: Text(2000),
  lagDays: Type.Integer({
    minimum: -3650,
    maximum: 3650,
    description: 'For links that precede: the number of working days between the two items.',
  }),
  dependency: Code(dependencyKinds, {
    description:
      'For links that precede: 0 the end of the first item lets the other begin · 1 its start does · 2 its end lets the other end · 3 its start does.',
  }),
  external: Part({ url: Url, title: Text(300), system: Text(60), key: Text(120) }),
}

export type Link = Stored<typeof shape>
export type LinkValues = Values<typeof shape>

/** A link between two items, or from an item to an address outside. */
export const links = resource('Link', {
  about:
    'A link from one item to another, or to an address outside (`external`). It is stored once and shown at both items, to callers who see both.',
  shape,
  required: ['fromId'],
  serverSet: ['behaviour'],
  may: { read: everyone, create: members, update: members, delete: members },
  visible: visibleLinks,
  example: {
    fromId: '01890000-0000-7000-8000-000000000000',
    toId: '01890000-0000-7000-8000-000000000001',
    type: 'blocks',
  },
})

function visibleLinks(caller: Caller, l: Sql): Sql {
  const i = raw('i')
  const seen = (id: Sql) =>
    sql`exists (select 1 from item i where i.tenant_id = ${ownTenant} and i.id = ${id} and not i.deleted and ${visibleItems(caller, i)})`
  return and([seen(sql`${l}.from_id`), or([sql`${l}.to_id is null`, seen(sql`${l}.to_id`)])])
}
