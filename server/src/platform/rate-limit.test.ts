import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startTestService } from '../../test/support/people.ts'

describe('a request limit', async () => {
  const { ada, eve } = await startTestService({ RATE_LIMIT_PER_MINUTE: '12', WORKERS: '2' })

  test('refuses further requests of the tenant with a time to wait, and does not affect other tenants', async () => {
    const answers = []
    for (let i = 0; i < 8; i++) answers.push(await ada.ask('GET', '/user/me'))
    assert.deepEqual(
      answers.map(each => each.status),
      [200, 200, 200, 200, 200, 200, 429, 429],
    )
    assert.match(answers[0]?.headers.get('ratelimit') ?? '', /"tenant";r=5;t=0/)
    assert.ok(Number(answers[7]?.headers.get('retry-after')) > 0)
    assert.equal(answers[7]?.body.code, 'too-many-requests')
    assert.equal((await eve.ask('GET', '/user/me')).status, 200)
  })
})
