import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { freshDatabase } from '../../../test/support/database/database.ts'
import { items } from '../../items/item/item.ts'
import {
  factsOf,
  isSortable,
  isUsableFor,
  itemProperties,
  otherColumns,
  otherNames,
  type PropertyFacts,
  usableFor,
} from './item-property.ts'

const client = new pg.Client({ connectionString: await freshDatabase() })
await client.connect()
after(() => client.end())

const { rows } = await client.query<{ column_name: string; type: string }>(
  `select column_name, format_type(a.atttypid, null) as type from information_schema.columns c
    join pg_attribute a on a.attrelid = 'public.item'::regclass and a.attname = c.column_name
    where c.table_schema = 'public' and c.table_name = 'item'`,
)
const columns = new Map(rows.map(row => [row.column_name, row.type]))

const types: Record<PropertyFacts['kind'], readonly string[]> = {
  text: ['text'],
  number: ['integer', 'bigint', 'numeric'],
  minutes: ['integer'],
  date: ['date'],
  instant: ['timestamp with time zone'],
  boolean: ['boolean'],
  id: ['uuid'],
  user: ['uuid'],
  ids: ['uuid[]'],
  users: ['uuid[]'],
  texts: ['text[]'],
  json: ['jsonb'],
}

const stored = itemProperties.flatMap(property => {
  const facts = factsOf(property)
  return 'column' in facts ? [{ property, ...facts }] : []
})

describe('the table of the properties of an item', () => {
  test('names every column of the database once, or says what the column is for', () => {
    const named = [...stored.map(each => each.column), ...Object.keys(otherColumns)]
    assert.deepEqual(named.toSorted(), [...columns.keys()].toSorted())
  })

  test('has the kind of each column as the database has it', () => {
    for (const { property, column, kind } of stored)
      assert.ok(types[kind].includes(columns.get(column) ?? ''), `${property} is no ${columns.get(column)}`)
  })

  test('contains exactly the properties of an item in replies', () => {
    const shown = Object.keys((items.schema as { properties: object }).properties)
    assert.deepEqual(itemProperties.toSorted(), shown.toSorted())
  })

  test('gives no two properties the same name', () => {
    const own = new Set<string>(itemProperties.map(each => each.toLowerCase()))
    const given = itemProperties.flatMap(each => factsOf(each).names ?? [])
    assert.equal(otherNames.size, given.length)
    // The path `tags` finds labels; `Tags` contains their names.
    assert.deepEqual(
      given.filter(each => own.has(each)),
      ['tags'],
    )
  })

  test('allows every use of a property unless it gives a reason', () => {
    for (const use of ['condition', 'formula', 'template', 'grouping', 'screen', 'copy', 'event'] as const) {
      assert.equal(isUsableFor(use, 'severity'), true, use)
      assert.equal(isUsableFor(use, 'constructor'), false, use)
      for (const property of itemProperties)
        assert.equal(
          usableFor<typeof use>(use).some(each => each === property),
          !factsOf(property).except?.[use],
        )
    }
    assert.deepEqual([isSortable('severity'), isSortable('labels'), isSortable('Meta')], [true, false, false])
  })
})
