import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { ownTenant } from '../../kernel/sql.ts'
import { codeTableOfCodes } from '../../records/code-table.ts'
import type { BillableEntry } from '../billable-time.ts'

/** The codes of `groupBy`: which entries make a line together, if they also have one price. */
export const lineGroup = { item: 0, container: 1, containerJobRole: 2, user: 3, entry: 4, day: 5 } as const
export const lineGroups = codeTableOfCodes('invoice.groupBy', lineGroup)
export type LineGroup = (typeof lineGroup)[keyof typeof lineGroup]

type Grouped = Pick<BillableEntry, 'id' | 'userId' | 'itemId' | 'containerId' | 'date'> & { jobRoleId: Id | '' }

const keys: Readonly<Record<LineGroup, (entry: Grouped) => string>> = {
  [lineGroup.item]: ({ itemId, containerId }) => itemId || containerId,
  [lineGroup.container]: ({ containerId }) => containerId,
  [lineGroup.containerJobRole]: ({ containerId, jobRoleId }) => `${containerId} ${jobRoleId}`,
  [lineGroup.user]: ({ userId }) => userId,
  [lineGroup.entry]: ({ id }) => id,
  [lineGroup.day]: ({ date }) => date,
}

/** What identifies the group of an entry. */
export function groupOf(entry: Grouped, groupBy: LineGroup): string {
  return keys[groupBy](entry)
}

interface Names {
  container: string
  item: string
  user: string
  jobRole: string
}

const texts: Readonly<Record<LineGroup, (names: Names, date: string) => string[]>> = {
  [lineGroup.item]: ({ item, container }) => [item || container],
  [lineGroup.container]: ({ container }) => [container],
  [lineGroup.containerJobRole]: ({ container, jobRole }) => [container, jobRole],
  [lineGroup.user]: ({ user }) => [user],
  [lineGroup.entry]: ({ item, container, user }, date) => [date, item || container, user],
  [lineGroup.day]: (_names, date) => [date],
}

/**
 * Returns the texts of lines by the id of one entry of each. Others than the author of the document read it, and so the title of an
 * item that is not open to everybody is left out.
 */
export async function groupTexts(
  ctx: Context,
  entries: readonly Pick<Grouped, 'id' | 'date'>[],
  groupBy: LineGroup,
): Promise<Map<Id, string>> {
  const hidesTitle = ctx.services.redaction.hidesSomewhere(ctx.caller, 'Item', 'title')
  const rows = await ctx.sql<Names & { id: Id }>`
    select t.id, coalesce(c.name, '') as container, coalesce(u.name, '') as "user", coalesce(j.name, '') as "jobRole",
      coalesce(case when i.visibility = 0 and not ${hidesTitle}::boolean then concat_ws(' ', i.key, i.title) else i.key end, '') as item
    from time t left join item i on i.tenant_id = ${ownTenant} and i.id = t.item_id
      left join container c on c.tenant_id = ${ownTenant} and c.id = t.container_id
      left join job_role j on j.tenant_id = ${ownTenant} and j.id = t.job_role_id
      left join "user" u on u.tenant_id = ${ownTenant} and u.id = t.user_id
    where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${entries.map(each => each.id)}::uuid[])`
  const names = new Map(rows.map(row => [row.id, row]))
  return new Map(
    entries.map(({ id, date }) => {
      const own = names.get(id) ?? { container: '', item: '', user: '', jobRole: '' }
      return [id, texts[groupBy](own, date).filter(Boolean).join(' · ').slice(0, 2000)]
    }),
  )
}
