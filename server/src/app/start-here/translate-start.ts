import { boards } from '../../containers/board/board.ts'
import { containers, inboxKey } from '../../containers/container/container.ts'
import { changeAll } from '../../items/change/change.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { ownTenant } from '../../kernel/sql.ts'
import { normalized, processes } from '../../rules/process/process.ts'
import { startKey, workflowOf } from './start-here.ts'
import { type Language, startTexts } from './start-here-texts.ts'

interface Untouched {
  containerId: Id
  processId: Id
  boardId: Id
  itemIds: Id[]
}

/**
 * Says “Start here” and the inbox in another language. The first start makes the container before anybody has come whose language could be
 * known; what somebody has changed since stays.
 */
export async function translateStart(ctx: Context, language: Language): Promise<void> {
  const texts = startTexts[language]
  const [inbox] = await ctx.sql<{ id: Id }>`
    select id from container where tenant_id = ${ctx.caller.tenantId} and key = ${inboxKey} and version = 1 and not deleted`
  if (inbox) await containers.update(ctx, inbox.id, texts.inbox)
  const found = await untouched(ctx)
  if (!found) return
  const { name, description, tasks } = texts
  const workflow = workflowOf(texts)
  await processes.update(ctx, found.processId, normalized({ name: texts.process, workflow }))
  await containers.update(ctx, found.containerId, { name, description })
  await boards.update(ctx, found.boardId, { name })
  await changeAll(
    ctx,
    found.itemIds.flatMap((id, i) => {
      const task = tasks[i]
      const patch = { ...task, status: texts.states.todo }
      return task ? [{ id, force: true, read: { patch, warnings: [] } }] : []
    }),
  )
}

async function untouched(ctx: Context): Promise<Untouched | undefined> {
  const [found] = await ctx.sql<Untouched>`
    select c.id as "containerId", p.id as "processId", b.id as "boardId", i.ids as "itemIds" from container c
    join process p on p.tenant_id = ${ownTenant} and p.id = c.default_process_id and p.version = 1 and not p.deleted
    join board b on b.tenant_id = ${ownTenant} and b.owner_id = c.id::text and b.version = 1 and not b.deleted
    cross join lateral (select array_agg(i.id order by i.number) as ids, max(i.version) as version
      from item i where i.tenant_id = ${ownTenant} and i.container_id = c.id and not i.deleted) i
    where c.tenant_id = ${ctx.caller.tenantId} and c.key = ${startKey} and c.version = 1 and not c.deleted
      and i.version = 1 and cardinality(i.ids) = ${startTexts.en.tasks.length}`
  return found
}
