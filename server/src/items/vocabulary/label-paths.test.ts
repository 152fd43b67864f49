import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asOwner } from '../../../test/support/database.ts'
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
