import { contentTemplates, render, TemplateFault } from '../../../containers/content-template/content-template.ts'
import { shownTo } from '../../../containers/redaction/redaction.ts'
import { type Item, items } from '../../../items/item/item.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import { ownTenant, raw } from '../../../kernel/sql.ts'
import { csvOf } from '../../../language/csv.ts'
import { escapedHtml } from '../../../language/markup.ts'
import type { TextAttachment } from '../../../mail/outbound-mail/outbound-mail.ts'
import { type Grouping, groupingOf, namesOf } from '../../../planning/board/board.ts'
import { capOf } from '../limiter.ts'
import type { Notification } from '../notification.ts'
import { messageFormat } from './message-format.ts'

/** The message to one recipient. */
export interface Message extends Written {
  /** The number of reported records, including those that the message does not list. */
  count: number
  /** What a message without a layout says. */
  title: string
  /** What calls list, under the name of the property. */
  listed: Readonly<Record<string, readonly object[]>>
  itemIds: readonly Id[]
  attachments: readonly TextAttachment[]
}

/** The content of a message. */
export interface Written {
  subject: string
  text: string
  html: string
}

interface MessageRow {
  id: Id
  key: string
  title: string
  status: string
  priority: number
  dueDate: string | null
  assignees: string
  container: string
  updated: string
  group: string
}

/** A call lists at most this many records; the receiver reads the others by the API. */
export const maxRecordsInCall = 50

/** Writes the message with the records that `ctx.caller` may see, or returns undefined if there are none. */
export async function messageFor(
  ctx: Context,
  notification: Notification,
  ids: readonly Id[],
): Promise<Message | undefined> {
  const seen = await seenOf(ctx, ids)
  if (seen.length === 0) return undefined
  const rows = await rowsOf(ctx, notification, seen.slice(0, capOf(notification.limiter)))
  const count = seen.length
  const items = rows.map(row => ({ ...row, link: `${ctx.services.baseUrl}/api/item/${row.id}` }))
  const written =
    (await byTemplate(ctx, notification, { count, more: count - rows.length, items })) ??
    plain(ctx, notification, rows, count)
  const named = rows.slice(0, maxRecordsInCall).map(({ group: _, ...row }) => row)
  return {
    ...written,
    count,
    title: `${count}: ${named.map(row => `${row.key} ${row.title}`).join(' · ')}`,
    listed: { items: named },
    itemIds: rows.map(row => row.id),
    attachments:
      notification.format === messageFormat.csv ? [{ name: 'records.csv', type: 'text/csv', text: table(rows) }] : [],
  }
}

async function seenOf(ctx: Context, ids: readonly Id[]): Promise<Id[]> {
  const t = raw('t')
  const rows = await ctx.sql<{
    id: Id
  }>`select t.id from item t where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${ids}::uuid[]) and not t.deleted
    and ${items.visible(ctx.caller, t)} order by t.id`
  return rows.map(row => row.id)
}

async function rowsOf(ctx: Context, { groupBy }: Notification, ids: readonly Id[]): Promise<MessageRow[]> {
  const t = raw('t')
  const found = await ctx.sql<{ json: string; container: string; people: string | null }>`
    select ${await items.jsonFor(ctx, t)} as json, c.name as container,
      (select string_agg(u.name, ', ' order by u.name) from "user" u where u.tenant_id = ${ownTenant} and u.id = any(t.assignees)) as people
    from item t join container c on c.tenant_id = ${ownTenant} and c.id = t.container_id
    where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${ids}::uuid[]) order by t.id`
  const grouping = groupBy === '' ? undefined : await groupingOf(ctx, groupBy)
  const all: Item[] = found.map(({ json }) => JSON.parse(json))
  const seen: Partial<Item>[] = await shownTo(ctx, all)
  const whole = all.map((item, i) => {
    const { container = '', people = '' } = found[i] ?? {}
    const shown = seen[i] ?? {}
    const row: MessageRow = {
      id: item.id,
      key: item.key,
      title: shown.title ?? '',
      status: shown.status ?? '',
      priority: shown.priority ?? 0,
      dueDate: shown.dueDate ?? null,
      assignees: shown.assignees ? (people ?? '') : '',
      container,
      updated: item.updated,
      group: grouping && isShown(grouping, shown) ? grouping.of(item) : '',
    }
    return row
  })
  if (!grouping) return whole
  const names = await namesOf(ctx, grouping, [...new Set(whole.map(row => row.group))])
  const named = whole.map(row => ({ ...row, group: names.get(row.group) ?? row.group }))
  return named.sort((a, b) => a.group.localeCompare(b.group))
}

const isShown = ({ field, custom }: Grouping, item: Partial<Item>) => custom !== undefined || field in item

function plain(ctx: Context, { name, format }: Notification, rows: readonly MessageRow[], count: number): Written {
  const subject = `${name}: ${count}`
  const intro = count === 1 ? 'One record' : `${count} records`
  if (format === messageFormat.count) return { subject, text: `${name}: ${intro}.`, html: '' }
  const link = (row: MessageRow) => `${ctx.services.baseUrl}/api/item/${row.id}`
  const about = (row: MessageRow) =>
    [row.status, row.dueDate && `due ${row.dueDate}`, row.assignees].filter(Boolean).join(', ')
  const groups = [...Map.groupBy(rows, row => row.group)]
  const more = count > rows.length ? `and ${count - rows.length} more: ${ctx.services.baseUrl}/api/item` : ''
  const text = groups.map(([group, own]) =>
    [
      ...(group ? [`${group} (${own.length})`] : []),
      ...own.map(row => `${row.key} ${row.title} (${about(row)}) ${link(row)}`),
    ].join('\n'),
  )
  const html = groups.map(
    ([group, own]) =>
      `${group ? `<h3>${escapedHtml(group)} (${own.length})</h3>` : ''}<ul>${own.map(row => `<li><a href="${escapedHtml(link(row))}">${escapedHtml(`${row.key} ${row.title}`)}</a> ${escapedHtml(about(row))}</li>`).join('')}</ul>`,
  )
  return {
    subject,
    text: [`${name}: ${intro}.`, ...text, more].filter(Boolean).join('\n\n'),
    html: `<p>${escapedHtml(`${name}: ${intro}.`)}</p>${html.join('')}${more ? `<p>${escapedHtml(more)}</p>` : ''}`,
  }
}

/** What the content templates of notifications may name besides the notification and the user. */
interface TemplateScope extends Record<string, unknown> {
  count: number
  more: number
}

/** Renders the content template, or returns undefined if there is none or it fails, so that the default text is sent. */
export async function byTemplate(
  ctx: Context,
  { templateId, name, description }: Notification,
  reported: TemplateScope,
): Promise<Written | undefined> {
  const template = templateId === '' ? undefined : await contentTemplates.find(ctx, templateId)
  if (!template?.active) return undefined
  const user = { id: ctx.caller.userId, name: ctx.caller.name }
  const scope = { notification: { name, description }, user, ...reported }
  try {
    const { subject, text, html } = render(template, scope, { timezone: ctx.caller.timezone })
    return { subject: subject || `${name}: ${reported.count}`, text, html }
  } catch (error) {
    if (error instanceof TemplateFault) return undefined
    throw error
  }
}

const columns = ['key', 'title', 'status', 'priority', 'dueDate', 'assignees', 'container', 'updated', 'id'] as const

function table(rows: readonly MessageRow[]): string {
  return csvOf([columns, ...rows.map(row => columns.map(column => row[column]))])
}
