import type { Database } from '../../kernel/database.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { decodeNotice, encodeNotice, onPrivateNotice, type PrivateNotice } from './private-notices.ts'

// A NOTIFY inside every write would cost more than half of what can be written. So a process that has committed something
// remembers for which tenants, and tells the other processes of all nodes a moment later, by one statement for all of
// them. It is a courtesy: whoever follows a log also looks by itself.

const channel = 'gantry_written'

/** How long what was written is gathered before it is told; ms. */
const gathering = 25

/** A message has at most 8000 bytes; who cannot name all tenants names none, and everybody looks. */
const maxNamed = 200

export interface WriteNotifications {
  /** Begins to hear of what others write; nobody pays for it before somebody wants to know. */
  listen(): void
  close(): Promise<void>
}

/** Tells the other processes what this one wrote, and hears what they did. `wake` without a tenant means any. What is said aside goes along. */
export function openWriteNotifications(
  database: Database,
  wake: (tenantId?: Id) => void,
  heardAside: (aside: PrivateNotice) => void = () => {},
): WriteNotifications {
  const myself = newId()
  const written = new Set<Id>()
  const asides: PrivateNotice[] = []
  let timer: NodeJS.Timeout | undefined
  let heard: { close(): Promise<void> } | undefined

  const gather = () => {
    timer ??= setTimeout(tell, gathering).unref()
  }
  const stop = database.onWritten(tenantId => {
    written.add(tenantId)
    gather()
  })
  const stopAsides = onPrivateNotice(aside => {
    asides.push(aside)
    gather()
  })

  function tell(): void {
    timer = undefined
    const tenants = [...written]
    written.clear()
    for (const tenantId of tenants) wake(tenantId)
    const said = asides.splice(0)
    for (const aside of said) heardAside(aside)
    const named = tenants.length <= maxNamed ? tenants.join(' ') : '*'
    const messages = [...(tenants.length > 0 ? [named] : []), ...said.flatMap(encodeNotice)]
    // Who misses it will look within the second; what is said aside is missed.
    database.crossTenantSql`select pg_notify(${channel}, m) from unnest(${messages.map(each => `${myself} ${each}`)}::text[]) m`.catch(
      () => {},
    )
  }

  function hear(message: string): void {
    const [teller, ...tenants] = message.split(' ')
    const aside = decodeNotice(tenants[0] ?? '')
    if (teller === myself) return
    if (aside) heardAside(aside)
    else if (tenants[0] === '*') wake()
    else for (const tenantId of tenants) wake(tenantId)
  }

  return {
    listen() {
      heard ??= database.listen(channel, hear)
    },
    async close() {
      stop()
      stopAsides()
      clearTimeout(timer)
      await heard?.close()
    },
  }
}
