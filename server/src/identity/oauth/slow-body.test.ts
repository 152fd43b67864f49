import { once } from 'node:events'
import { connect } from 'node:net'
import { after, describe, test } from 'node:test'
import { openTestDatabase, startService } from './test-service.ts'

describe('a body that does not arrive', async () => {
  const { origin } = await startService(await openTestDatabase(), { bodyTime: 50 })
  const form = 'content-type: application/x-www-form-urlencoded'
  const requests: [string, string][] = [
    ['POST /oauth/token', form],
    ['POST /oauth/token', 'content-type: text/plain'],
    ['POST /oauth/revoke', form],
    ['POST /oauth/device/auth', form],
    ['POST /oauth/device', form],
    ['POST /nowhere', form],
    ['GET /oauth/jwks', form],
  ]

  for (const [request, type] of requests) {
    for (const length of ['content-length: 100', 'transfer-encoding: chunked']) {
      test(`ends the connection, answered or not: ${request}, ${type}, ${length}`, async () => {
        const socket = connect(Number(new URL(origin).port), '127.0.0.1')
        after(() => socket.destroy())
        socket.on('error', () => {}).resume()
        socket.write(`${request} HTTP/1.1\r\nhost: x\r\n${type}\r\n${length}\r\n\r\n`)
        await once(socket, 'close')
      })
    }
  }
})
