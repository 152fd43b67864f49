import type { RecurringJob } from '../../engine/recurring-jobs/recurring-jobs.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Context } from '../../kernel/context.ts'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { ownTenant } from '../../kernel/sql.ts'
import { settingOf } from '../../platform/setting.ts'
import { chatMinutes, chatToTicketByItself, lockChat } from './chat-ticket.ts'
import { endChat, lifetime } from './visitor-chat.ts'

const batch = 1000

interface OpenChat {
  tenantId: Id
  roomId: Id
}

/** Makes tickets of the chats in which visitors wait in vain, and ends those that can no longer be continued. */
export function followVisitorChats(database: Database, now: () => Date = () => new Date()): RecurringJob {
  return {
    name: 'follow-visitor-chats',
    every: 60_000,
    async run(signal) {
      let last: Id | undefined
      do {
        const open =
          await database.crossTenantSql<OpenChat>`select tenant_id as "tenantId", room_id as "roomId" from visitor_chat
          where ended_at is null and (${last ?? null}::uuid is null or room_id > ${last ?? null}::uuid) order by room_id limit ${batch}`
        for (const { tenantId, roomId } of open) {
          signal.throwIfAborted()
          await database
            .transaction(tenantCaller(tenantId), ctx => follow(ctx.derive({ now: now() }), roomId))
            // A desk whose rules refuse the ticket keeps the chat, which ends with its time.
            .catch(refusedOnly)
        }
        last = open.at(-1)?.roomId
      } while (last)
    },
  }
}

function refusedOnly(error: unknown): void {
  if (!(error instanceof Refusal)) throw error
}

interface Waiting {
  /** Of the last message. */
  lastAt: Date | null
  /** Of the first message of the visitor that nobody has answered. */
  since: Date | null
}

async function follow(ctx: Context, roomId: Id): Promise<void> {
  const chat = await lockChat(ctx, roomId)
  if (!chat || chat.ended) return
  const [waiting] = await ctx.sql<Waiting>`select max(m.created) as "lastAt",
      min(m.created) filter (where m.created_by = m.room_id and not exists (select 1 from chat_message a where a.tenant_id = ${ownTenant}
        and a.room_id = m.room_id and a.id > m.id and a.created_by <> a.room_id and not a.internal and not a.deleted)) as since
    from chat_message m where m.tenant_id = ${ctx.caller.tenantId} and m.room_id = ${roomId} and not m.internal and not m.deleted`
  const minutes = await settingOf(ctx, chatMinutes, { containerId: chat.containerId })
  const waited = waiting?.since ? ctx.now.getTime() - waiting.since.getTime() : 0
  if (minutes > 0 && waited >= minutes * 60_000) await chatToTicketByItself(ctx, chat)
  else if (!waiting?.lastAt || ctx.now.getTime() - waiting.lastAt.getTime() >= lifetime) await endChat(ctx, chat, null)
}
