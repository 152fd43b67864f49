import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../test/support/people.ts'
import { routes } from '../app/routes/routes.ts'
import { openMetrics } from './metrics.ts'

describe('metrics', async () => {
  const { ada, database } = await sharedTestService()

  test('are not on the port of the API', async () => {
    assert.equal((await fetch(`${ada.base}/metrics`)).status, 404)
  })

  test('are kilobytes, when every operation has been answered with every status', async () => {
    const { observe, text } = openMetrics({ database })
    for (const route of Object.keys(routes)) {
      const [method = '', path] = route.split(' ')
      const seen = observe(method, `/api${path}`)
      for (const status of [200, 201, 204, 304, 400, 401, 403, 404, 409, 412, 422, 429, 500, 503]) seen(status, 0.003)
    }
    const shown = await text()
    assert.match(shown, /gantry_requests_total\{kind="item",status="2xx"\} \d+/)
    assert.ok(shown.length < 64 * 1024, String(shown.length))
  })
})
