import { isDeepStrictEqual } from 'node:util'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../../kernel/access.ts'
import type { Id } from '../../../kernel/id.ts'
import { onForget } from '../../../kernel/memory.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { raw, render } from '../../../kernel/sql.ts'
import { sessionChanged } from '../private-notices.ts'
import type { OpenStream } from '../stream-limits.ts'

/**
 * How often the permissions of all callers are checked; ms. Permissions that expire by time are noticed after this
 * interval at the latest.
 */
const interval = 4000

/**
 * The minimal interval between two checks when permissions have changed, here or (known by its event) on another node;
 * ms.
 */
const minInterval = 1000

type Authenticate = (request: FastifyRequest) => Promise<Caller>

/** Checks the permissions of the callers of open streams again, at intervals and after a change. */
export function openPermissionReview(streams: ReadonlySet<OpenStream>, authenticate: Authenticate) {
  const changedTenants = new Set<Id>()
  let reviewing = false
  const stopListening = onForget(tenantId => void changedTenants.add(tenantId))
  const afterChanges = setInterval(() => {
    if (changedTenants.size === 0) return
    const tenants = new Set(changedTenants)
    changedTenants.clear()
    void review(
      [...streams].filter(({ connection }) => tenants.has(connection.tenantId)),
      authenticate,
    )
  }, minInterval).unref()
  const regularly = setInterval(async () => {
    if (reviewing) return
    reviewing = true
    await review([...streams], authenticate)
    reviewing = false
  }, interval).unref()

  return {
    close(): void {
      stopListening()
      clearInterval(afterChanges)
      clearInterval(regularly)
    },
  }
}

/** Ends the streams of callers who lost their access; the others go on with their current permissions. */
async function review(streams: readonly OpenStream[], authenticate: Authenticate): Promise<void> {
  const queue = streams.values()
  const work = async () => {
    for (const { connection, request, allowed } of queue) {
      try {
        const before = connection.caller
        connection.caller = await authenticate(request)
        if (!allowed(connection.caller)) endSession(connection)
        else if (!haveSameRights(before, connection.caller)) connection.sendNotice(sessionChanged('rights'))
      } catch (error) {
        if (error instanceof Refusal && error.status === 401) endSession(connection)
      }
    }
  }
  // Both take from the same queue, so two streams are reviewed at a time.
  await Promise.all([work(), work()])
}

function endSession(connection: OpenStream['connection']): void {
  connection.sendNotice(sessionChanged('ended'))
  connection.end()
}

/** Places that became private for others are not compared: nobody is told that they exist. */
function haveSameRights(one: Caller, other: Caller): boolean {
  if (one.authority === other.authority) return true
  const rights = ({ scopes, authority: { privatePlaces: _private, rules, ...authority } }: Caller) => ({
    ...authority,
    scopes,
    // The rows of a rule may be those of a moment, such as today.
    rules: rules.map(({ rows, ...rule }) => ({ ...rule, rows: rows && render(rows(raw('t'))).text })),
  })
  return isDeepStrictEqual(rights(one), rights(other))
}
