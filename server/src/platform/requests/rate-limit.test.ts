import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FastifyReply } from 'fastify'
import { startTestService } from '../../../test/support/people.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { newId } from '../../kernel/id.ts'
import { forgetAfterCommit } from '../../kernel/memory.ts'
import { openAllowances } from './allowances.ts'
import { openRateLimit } from './rate-limit.ts'

describe('a request limit', async () => {
  const { ada, eve, database } = await startTestService({ RATE_LIMIT_PER_MINUTE: '6', WORKERS: '2' })

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

  test('is the quota of a tenant that has one', async () => {
    await database.transaction(tenantCaller(eve.tenantId, eve.id), async ctx => {
      await ctx.sql`update tenant set quotas = '{"requestsPerMinute": 7}' where tenant_id = ${eve.tenantId}`
      forgetAfterCommit(ctx)
    })
    assert.match((await eve.ask('GET', '/user/me')).headers.get('ratelimit-policy') ?? '', /q=7;/)
  })
})

describe('processes that share a limit', () => {
  const at = 1_000_000
  const reply = { header: () => reply } as unknown as FastifyReply
  const caller = tenantCaller(newId())

  /** Lets two processes answer as many requests as they may; `turn` says which one answers the next. */
  async function answered(
    perMinute: number,
    turn: (i: number) => number,
  ): Promise<{ count: number; questions: number }> {
    const allowances = openAllowances(() => at)
    let questions = 0
    const counting: typeof allowances = {
      async take(...asked) {
        questions++
        return allowances.take(...asked)
      },
    }
    const limits = [0, 1].map(() => openRateLimit(perMinute, counting, () => at))
    for (let i = 0; ; i++) {
      try {
        await limits[turn(i)]?.(caller, reply)
      } catch {
        return { count: i, questions }
      }
    }
  }

  test('answer the whole of it, whichever process a client reaches', async () => {
    assert.equal((await answered(600, () => 0)).count, 600)
    const { count } = await answered(600, i => i % 2)
    assert.ok(count > 588 && count <= 600, `${count}`)
  })

  test('ask for their part once for many requests', async () => {
    const { count, questions } = await answered(30_000, i => i % 2)
    assert.ok(questions < count / 200, `${questions}`)
  })

  test('refuse no request that waits together with others for a small part', async () => {
    const allowances = openAllowances(() => at)
    const limit = openRateLimit(12, { take: async (...asked) => allowances.take(...asked) }, () => at)
    const all = await Promise.allSettled(Array.from({ length: 14 }, () => limit(caller, reply)))
    assert.equal(all.filter(each => each.status === 'fulfilled').length, 12)
  })
})
