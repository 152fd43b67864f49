import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'

test('numbers follow each other within one process, and are at most a second out of order between processes', async () => {
  const { ada, database } = await sharedTestService()
  const { id } = await ada.post('/container', { name: 'Numbers' })
  // Another instance of the module has blocks of its own, like another process.
  const load = async (process: string): Promise<typeof import('./item-numbers.ts')> =>
    await import(`./item-numbers.ts?process=${process}`)
  const [one, two] = [await load('one'), await load('two')]
  const start = Date.now()
  mock.timers.enable({ apis: ['Date'], now: start })
  const take = async (process: typeof one, after: number) => {
    mock.timers.setTime(start + after)
    return await database.transaction(tenantCaller(ada.tenantId), ctx => process.takeNumbers(ctx, id, 1))
  }
  const burst: number[] = []
  for (let i = 0; i < 40; i++) burst.push(await take(one, i))
  assert.deepEqual(
    burst,
    burst.map((_number, i) => (burst[0] ?? 0) + i),
  )
  const last = burst.at(-1) ?? 0
  assert.equal(await take(one, 1500), last + 1, 'what was reserved and not used is given back')
  const other = await take(two, 3000)
  const next = await take(one, 4500)
  assert.ok(other > last + 1 && next > other, `${other}, ${next}`)
  for (let i = 0; i < 40; i++) await take(one, 5000 + i)
  for (let i = 0; i < 40; i++) await take(two, 5000 + i)
  const [late, later, latest] = [await take(one, 7000), await take(two, 9000), await take(one, 11_000)]
  assert.ok(late < later && later < latest, `${late}, ${later}, ${latest}`)
  mock.timers.reset()
})
