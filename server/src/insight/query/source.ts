import { containers } from '../../containers/container/container.ts'
import { fieldsRevealedBy } from '../../containers/redaction/redaction.ts'
import { deskKind } from '../../desk/ticket/ticket.ts'
import { mayReadKind, visibleEvents } from '../../engine/event-visibility.ts'
import { readingLog } from '../../engine/live/event-log-operations.ts'
import { budgetEntries, readableBudgets } from '../../finance/budget/budget.ts'
import { invoiceKind, invoices } from '../../finance/invoice/invoice.ts'
import { hidesSomewhere } from '../../identity/field-limit/hidden-fields.ts'
import { items, visibleItems } from '../../items/item/item.ts'
import { compileItemQuery } from '../../items/search/search.ts'
import { type Caller, may } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Kind } from '../../kernel/kinds.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import {
  type ConditionGroups,
  check,
  compile,
  type Path,
  type Vocabulary,
} from '../../language/conditions/conditions.ts'
import { readBill } from '../../records/amounts.ts'
import { times } from '../../time/time.ts'
import { columnPaths, columnVocabulary, vocabularyOf } from './column-vocabulary.ts'

/** Records that can be counted: which of them the caller may see, and what can be said of each. */
export interface Source {
  /** Whether the caller may read such records at all. */
  readable(caller: Caller): boolean
  from: Sql
  /** The id of the record. */
  record: Sql
  /** The records that the caller may see, without deleted ones. */
  rows(ctx: Context): Sql
  /** Compiles conditions; the vocabulary has the fields of a record, without those that are hidden from the caller. */
  compile(ctx: Context, groups: ConditionGroups): Promise<{ where: Sql; vocabulary: Vocabulary }>
  /** The kind whose list shows the records that a group has; undefined if no list does. */
  listed: Kind | undefined
}

const t = raw('t')
/** The records of a kind that the caller sees. */
export const visibleRows = (kind: Kind, also: Sql) => (ctx: Context) =>
  sql`t.tenant_id = ${ctx.caller.tenantId} and not t.deleted and ${kind.visible(ctx.caller, t)} and ${also}`

const itemSource: Source = {
  readable: caller => mayReadKind(caller, 'Item'),
  from: raw('item t'),
  record: raw('t.id'),
  rows: visibleRows(items, raw('true')),
  async compile(ctx, conditionGroup) {
    const { where, vocabulary } = await compileItemQuery(ctx, { conditionGroup, refuseInert: true })
    return { where, vocabulary: shownEverywhere(ctx, vocabulary) }
  },
  listed: items,
}

/** Groups and sums would reveal the values of fields that are hidden on some items only. */
function shownEverywhere({ caller }: Context, vocabulary: Vocabulary): Vocabulary {
  const hidden = (path: string) => fieldsRevealedBy(path).some(each => hidesSomewhere(caller, 'Item', each))
  return { ...vocabulary, resolve: path => (hidden(path) ? undefined : vocabulary.resolve(path)) }
}

const ofTicket = (column: Sql) => sql`(select ${column} from ticket o where o.tenant_id = ${ownTenant} and o.id = t.id)`

/** What tickets have besides the paths of items, by the property that is hidden with it. */
const ticketFields: Readonly<Record<string, Path>> = {
  'satisfaction.score': { kind: 'number', value: ofTicket(sql`(o.satisfaction ->> 'score')::int`) },
  'satisfaction.at': { kind: 'instant', value: ofTicket(sql`(o.satisfaction ->> 'at')::timestamptz`) },
  language: { kind: 'text', value: ofTicket(sql`o.language`) },
  mailboxId: { kind: 'id', value: ofTicket(sql`o.mailbox_id`) },
}

const ticketSource: Source = {
  ...itemSource,
  rows: visibleRows(
    items,
    sql`t.container_id in (select c.id from container c where c.tenant_id = ${ownTenant} and c.kind = ${raw(String(deskKind))})`,
  ),
  async compile(ctx, groups) {
    const { vocabulary } = await itemSource.compile(ctx, [])
    const own = vocabularyOf(ctx, ticketFields)
    const both = shownEverywhere(ctx, { ...vocabulary, resolve: path => own.resolve(path) ?? vocabulary.resolve(path) })
    if (groups.every(group => group.condition.every(({ leftSide }) => !own.resolve(leftSide))))
      return { where: (await itemSource.compile(ctx, groups)).where, vocabulary: both }
    return { where: compiled(ctx, groups, both), vocabulary: both }
  },
}

const timeSource: Source = {
  readable: caller => mayReadKind(caller, 'Time'),
  from: raw('time t'),
  record: raw('t.id'),
  rows: visibleRows(times, raw('true')),
  async compile(ctx, groups) {
    const vocabulary = await columnVocabulary(ctx, times, timePaths(ctx))
    return { where: compiled(ctx, groups, vocabulary), vocabulary }
  },
  listed: times,
}

const hiddenItem = 'restricted item'

/** The names of what an entry refers to. Everybody sees their own time, also on items that they do not see any more. */
function timePaths({ caller, services }: Context): Record<string, Path> {
  const o = raw('o')
  const ofItem = (column: Sql): Path => ({
    kind: 'text',
    value: sql`(case when t.item_id is not null then coalesce((select ${column} from item o
      where o.tenant_id = ${ownTenant} and o.id = t.item_id and ${visibleItems(caller, o)}), ${hiddenItem}::text) end)`,
  })
  const named = (table: Sql, reference: Sql, column: Sql, also: Sql = raw('true')): Path => ({
    kind: 'text',
    value: sql`(select ${column} from ${table} o where o.tenant_id = ${ownTenant} and o.id = ${reference} and ${also})`,
  })
  const ofVisible = Object.entries({ key: ofItem(sql`o.key`), title: ofItem(sql`o.title`) })
    .filter(([property]) => !services.redaction.hidesSomewhere(caller, 'Item', property))
    .map(([property, path]) => [`item.${property}`, path])
  return {
    ...Object.fromEntries(ofVisible),
    'user.name': named(raw('"user"'), sql`t.user_id`, sql`o.name`),
    'nonBillable.code': named(raw('non_billable'), sql`t.non_billable`, sql`o.code`),
    'nonBillable.name': named(raw('non_billable'), sql`t.non_billable`, sql`o.name`),
    'container.name': named(raw('container'), sql`t.container_id`, sql`o.name`, containers.visible(caller, o)),
  }
}

/** A document asks for an amount, and a credit note gives it back. */
const credited = sql`case when t.kind = ${raw(String(invoiceKind.creditNote))} then -1 else 1 end`
const named = (table: Sql, reference: Sql): Path => ({
  kind: 'text',
  value: sql`(select o.name from ${table} o where o.tenant_id = ${ownTenant} and o.id = ${reference})`,
})

const invoiceSource: Source = {
  readable: caller => mayReadKind(caller, 'Invoice'),
  from: raw('invoice t'),
  record: raw('t.id'),
  rows: visibleRows(invoices, raw('true')),
  async compile(ctx, groups) {
    const amount = (column: string): Path => ({
      kind: 'number',
      decimal: true,
      exact: true,
      value: sql`(${credited} * nullif(t.${raw(column)}, '')::numeric)`,
    })
    const { net: _net, gross: _gross, ...others } = await columnPaths(ctx, invoices)
    const amounts = may(ctx.caller, readBill) ? { net: amount('net'), gross: amount('gross') } : {}
    const vocabulary = vocabularyOf(ctx, { ...others, ...amounts, 'crm.name': named(raw('crm'), sql`t.crm_id`) })
    return { where: compiled(ctx, groups, vocabulary), vocabulary }
  },
  listed: invoices,
}

const budgetEntrySource: Source = {
  readable: caller => mayReadKind(caller, 'BudgetEntry'),
  from: raw('budget_entry t'),
  record: raw('t.id'),
  rows: ctx => sql`${visibleRows(budgetEntries, raw('true'))(ctx)} and ${shownUnits(ctx)}`,
  async compile(ctx, groups) {
    const ofBudget = (kind: 'text' | 'number', column: Sql): Path => ({
      kind,
      value: sql`(select ${column} from budget o where o.tenant_id = ${ownTenant} and o.id = t.budget_id)`,
    })
    const vocabulary = await columnVocabulary(ctx, budgetEntries, {
      'budget.name': ofBudget('text', sql`o.name`),
      'budget.unit': ofBudget('number', sql`o.unit`),
      'budget.currency': ofBudget('text', sql`o.currency`),
      'reason.name': named(raw('budget_reason'), sql`t.reason_id`),
    })
    return { where: compiled(ctx, groups, vocabulary), vocabulary }
  },
  listed: budgetEntries,
}

/** The entries of budgets in money are for those who may read it. */
function shownUnits({ caller }: Context): Sql {
  return sql`exists (select 1 from budget o where o.tenant_id = ${ownTenant} and o.id = t.budget_id and ${readableBudgets(caller, raw('o'))})`
}

const eventPaths: Readonly<Record<string, Path>> = {
  at: { kind: 'instant', value: sql`e.at` },
  kind: { kind: 'text', value: sql`e.kind` },
  entity: { kind: 'text', value: sql`e.entity` },
  recordId: { kind: 'id', value: sql`e.record_id` },
  actorId: { kind: 'user', value: sql`e.actor_id` },
  actorKind: { kind: 'text', value: sql`e.actor_kind` },
  changeSetId: { kind: 'id', value: sql`e.change_set_id` },
}

const eventSource: Source = {
  readable: caller => may(caller, readingLog),
  from: raw('event e'),
  record: raw('e.id'),
  rows: ctx => sql`e.tenant_id = ${ctx.caller.tenantId} and ${visibleEvents(ctx.caller, raw('e'))}`,
  async compile(ctx, groups) {
    const vocabulary = vocabularyOf(ctx, eventPaths)
    return { where: compiled(ctx, groups, vocabulary), vocabulary }
  },
  listed: undefined,
}

export function compiled(ctx: Context, groups: ConditionGroups, vocabulary: Vocabulary): Sql {
  const faults = check(groups, vocabulary).map(({ path, code, message }) =>
    fault(['conditionGroup', ...path.split('/').slice(1)], code, message),
  )
  if (faults.length > 0) throw new Invalid(faults)
  const { userId, timezone } = ctx.caller
  return compile(groups, vocabulary, { userId, now: ctx.now, timezone })
}

/** The sources of queries by the name of their records. */
export const sources = {
  Item: itemSource,
  Ticket: ticketSource,
  Time: timeSource,
  Invoice: invoiceSource,
  BudgetEntry: budgetEntrySource,
  Event: eventSource,
}
