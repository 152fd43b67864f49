import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../kernel/id.ts'
import { countTogether } from './count-together.ts'
import { type LogEntry, outcome } from './log.ts'

test('runs that end while others are counted are counted together, each once, and tenants apart', async () => {
  const counts: { tenantId: string; size: number }[] = []
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  const [mine, theirs] = [newId(), newId()]
  const run = (tenantId: string) =>
    countTogether(tenantId, [entry()], async entries => {
      counts.push({ tenantId, size: entries.length })
      await held
    })
  const first = run(mine)
  await Promise.resolve()
  const later = Array.from({ length: 20 }, () => run(mine))
  const apart = run(theirs)
  release()
  await Promise.all([first, ...later, apart])
  assert.deepEqual(
    counts.filter(each => each.tenantId === mine).map(each => each.size),
    [1, 20],
  )
  assert.deepEqual(
    counts.filter(each => each.tenantId === theirs).map(each => each.size),
    [1],
  )
})

test('a count that fails neither fails its runs nor stops the next count', async () => {
  const tenantId = newId()
  await countTogether(tenantId, [entry()], () => Promise.reject(new Error('no line')))
  let counted = 0
  await countTogether(tenantId, [entry(), entry()], async entries => {
    counted = entries.length
  })
  assert.equal(counted, 2)
})

function entry(): LogEntry {
  const occurrence = {
    ...{
      eventId: null,
      kind: 'item.updated',
      entity: 'Item',
      recordId: null,
      itemId: null,
      actorId: '',
      actorKind: '',
    },
    ...{ at: new Date(), changes: {}, cause: null, root: '', more: {} },
  }
  return { rule: { id: newId(), trigger: 0 }, occurrence, outcome: outcome.acted, conditions: [] }
}
