import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asOwner } from '../../../test/support/database/database.ts'
import { sharedTestService } from '../../../test/support/people.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { foldFlow } from './fold-flow.ts'

test('labels know how many items have them after several writers at once, with folds between them', async () => {
  const { ada, eve, database, databaseUrl } = await sharedTestService()
  const fold = () => database.transaction(tenantCaller(ada.tenantId), foldFlow)
  const names = ['red', 'green', 'blue']
  const made = await Promise.all(
    [0, 1, 2, 3, 4, 5].map(n => ada.post('/item', { title: `Item ${n}`, Tags: [names[n % 3]] })),
  )
  await eve.post('/item', { title: 'Of others', Tags: names })
  const assertCounted = async (when: string) => {
    for (const { id, name, usageCount } of await ada.get('/label'))
      assert.equal(usageCount, (await ada.get(`/item?labels=${id}&archived=include`)).length, `${name} ${when}`)
  }
  const change = (id: string, tags: string[]) => ada.ask('PATCH', `/item/${id}`, { body: { Tags: tags } })
  for (let round = 0; round < 5; round++) {
    await Promise.all([
      ...made.flatMap(({ id }, n) => [
        change(id, names.slice((round + n) % 4)),
        change(id, names.slice(0, (round + n) % 3)),
      ]),
      ada.post('/item/bulk', [{ title: 'In bulk', Tags: names }]),
      ada.ask('POST', '/item?dryRun=true', { body: { title: 'Dry', Tags: names } }),
      fold(),
      fold(),
    ])
    await assertCounted(`in round ${round}`)
  }
  await fold()
  await assertCounted('after a fold')
  const rows = await asOwner<{ rows: number }>(
    databaseUrl,
    undefined,
    'select count(*)::int as rows from label_use where tenant_id = $1 group by label_id',
    [ada.tenantId],
  )
  assert.deepEqual(
    rows.map(each => each.rows),
    [1, 1, 1],
  )
})
