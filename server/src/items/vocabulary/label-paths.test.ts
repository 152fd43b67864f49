import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asOwner } from '../../../test/support/database/database.ts'
import { startTestService } from '../../../test/support/people.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { compile, operator } from '../../language/conditions/conditions.ts'
import { itemVocabulary } from './vocabulary.ts'

const { ada, database, databaseUrl } = await startTestService()

test('items are found by their labels through an index, under row level security', async () => {
  // In small tables every plan is as good as any other.
  const hay = Array.from({ length: 300 }, (_, i) => ({ title: `Straw ${i}`, Tags: [`straw ${i}`] }))
  await ada.post('/item/bulk', hay)
  await ada.post('/item', { title: 'Sought', Tags: ['needle'] })
  await asOwner(databaseUrl, undefined, 'analyze item, item_label, label, label_name')
  const plan = await database.transaction(tenantCaller(ada.tenantId), async ctx => {
    const groups = [{ condition: [{ leftSide: 'tags', operator: operator.contains, rightSide: 'needle' }] }]
    const where = compile(groups, await itemVocabulary(ctx), { userId: ada.id, now: ctx.now, timezone: 'UTC' })
    await ctx.sql`set local enable_seqscan = off`
    const rows = await ctx.sql<{ 'QUERY PLAN': string }>`explain (costs off)
      select t.id from item t where t.tenant_id = ${ada.tenantId} and not t.deleted and ${where}`
    return rows.map(row => row['QUERY PLAN']).join('\n')
  })
  assert.match(plan, /label_name_taken/)
  assert.match(plan, /item_label_pkey[\s\S]*Index Cond: .*label_id = ANY/)
  assert.match(plan, /on item t\n +Index Cond: .*\(id = ANY/)
  assert.doesNotMatch(plan, /Seq Scan/)
})

test('the planner knows of items that came in bulk when their import is answered', async () => {
  const severity = await ada.post('/field', { key: 'severity', name: 'Severity', fieldType: 'number' })
  const process = await ada.post('/process', {
    name: 'Support',
    fields: [{ fieldId: severity.id, order: 0, required: false }],
  })
  const box = await ada.post('/container', { key: 'BOX', name: 'Box', processIds: [process.id] })
  const rows = Array.from({ length: 600 }, (_, i) => ({
    title: `Item ${i}`,
    containerId: box.id,
    processId: process.id,
    Field: [{ fieldId: severity.id, value: i % 3 }],
  }))
  await ada.post('/item/bulk', rows)
  const expected = await database.transaction(tenantCaller(ada.tenantId), async ctx => {
    const groups = [{ condition: [{ leftSide: 'field.severity', operator: operator.equals, rightSide: '2' }] }]
    const where = compile(groups, await itemVocabulary(ctx), { userId: ada.id, now: ctx.now, timezone: 'UTC' })
    const [row] = await ctx.sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`explain (format json)
      select t.id from item t where t.tenant_id = ${ada.tenantId} and t.container_id = ${box.id} and ${where}`
    return row?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0
  })
  // Without statistics it expects one row, and chooses a plan that reads all values of the field again for each item.
  assert.ok(expected >= 20, `${expected} of 200 items are expected`)
})
