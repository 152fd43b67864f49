import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Context } from '../../kernel/context.ts'
import { fetchingFor } from '../test-support/test-fetch-mailboxes.ts'
import { mailServers, missingServers } from '../test-support/test-servers.ts'
import { mailboxes } from './mailbox.ts'
import { imapOf } from './mailbox-servers.ts'
import { readMailbox, readOnce } from './read-mailbox.ts'

describe('a mailbox whose reading is interrupted at any moment', { skip: missingServers }, async () => {
  if (missingServers) return
  const servers = await mailServers()
  const env = { OUTBOUND_ALLOW: servers.allow, MAIL_CA_FILE: servers.caFile }
  const home = await startTestService(env)
  const { database } = fetchingFor(home, env)
  const desk = await home.ada.post('/container', { name: 'Desk', key: 'DESK', kind: containerKind.desk })

  test('loses no message, stores none twice, and moves all of them', async () => {
    const { id, tenantId } = await home.ada.post('/mail/mailbox', {
      name: 'Sam',
      address: 'sam@desk.test',
      imap: { host: 'localhost', port: servers.imapPort, user: 'sam' },
      password: servers.password,
      containerId: desk.id,
      moveTo: 'Done',
      active: false,
    })
    const transaction = <T>(act: (ctx: Context) => Promise<T>) => database.transaction(tenantCaller(tenantId), act)
    const { mailbox, server, rules } = await transaction(async ctx => {
      const found = await mailboxes.find(ctx, id)
      const imap = found && (await imapOf(ctx, found))
      assert.ok(found && imap)
      return { mailbox: found, server: imap, rules: ctx.services.outboundRules }
    })
    // The reading of two messages has eleven transactions. Each reading loses its connection in a later one.
    for (let interruptedAt = 1; interruptedAt <= 11; interruptedAt++) {
      for (const name of ['first', 'second'])
        await servers.drop('sam', `From: rita@people.test\r\nMessage-ID: <${name}-${interruptedAt}@x>\r\n\r\nHi\r\n`)
      const stopping = new AbortController()
      let transactions = 0
      const interrupted: typeof transaction = act =>
        transaction(ctx => {
          transactions += 1
          if (transactions === interruptedAt) stopping.abort()
          return act(ctx)
        })
      await readMailbox({ mailbox, server, rules, transaction: interrupted, signal: stopping.signal }).catch(() => {})
    }
    await readOnce({ mailbox, server, rules, transaction })

    const [stored] = await transaction(
      ctx => ctx.sql<{ whole: number }>`select count(*) filter (where size > 0)::int as whole from mail_message
        where tenant_id = ${ctx.caller.tenantId} and mailbox_id = ${id}`,
    )
    assert.equal(stored?.whole, 22)
    assert.deepEqual(servers.lying('sam'), [])
  })
})
