import { test } from 'node:test'
import { house } from '../support/people.ts'
import { Builder, furnish } from '../support/builder.ts'
import { kinds } from '../support/operations.ts'
test('builder', async () => {
  const { ada } = await house()
  const b = new Builder(ada.checked())
  const failed: string[] = []
  for (const k of kinds) try { await b.make(k) } catch (e) { failed.push(String(e).slice(0, 1500)) }
  console.log(failed.join('\n\n'))
  console.log(b.dropped)
  const t = performance.now()
  await furnish(b)
  console.log(performance.now() - t)
})
