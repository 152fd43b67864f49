import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStatementRules } from './statement-rules.ts'

const tables = new Set(['item', 'label', 'event', 'tenant'])
const faultsOf = await openStatementRules(tables)

test('a statement that compares every table with the tenant, and returns what it inserts, may be sent', () => {
  for (const text of [
    'select 1',
    'select id from item where tenant_id = $1 and id = $2',
    'select t.id from item t join label l on l.tenant_id = $1::uuid and l.id = any(t.labels) where t.tenant_id = $1',
    'select i.id from item i join tenant t on t.tenant_id = i.tenant_id where i.tenant_id = $1',
    'with made as (update item set title = $2 where tenant_id = $1 returning *) select id from made',
    'with item as (select 1 as id) select id from item',
    'insert into event (tenant_id, id) select $1, e.id from unnest($2::uuid[]) e(id) returning 1',
    'insert into event (tenant_id, id) values ($1, $2)',
  ])
    assert.deepEqual(faultsOf(text), [], text)
})

test('a table that is compared with another table only, and rows that are inserted in silence, are found', () => {
  for (const [text, count] of [
    ['select id from item', 1],
    ['select t.id from item t join label l on l.tenant_id = t.tenant_id where t.tenant_id = $1', 1],
    ['select (select count(*) from label l where l.tenant_id = t.tenant_id) from item t where t.tenant_id = $1', 1],
    ['select id from item where tenant_id = $1 or id = $2', 1],
    ['select id from item where tenant_id = $1 union select id from label', 1],
    ['delete from item t using label l where l.tenant_id = $1 and t.id = l.id', 1],
    ['with made as (update item set title = $1 returning *) select id from made', 1],
    ['insert into event (tenant_id, id) select tenant_id, id from item where tenant_id = $1', 1],
    ['select t.id from item t where t.id in (select l.id from label l where exists (select 1 from event))', 3],
  ] as const)
    assert.equal(faultsOf(text).length, count, text)
})
