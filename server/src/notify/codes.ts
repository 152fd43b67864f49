// What the integers mean. Append only: a number that was given out keeps its meaning.

import { actions } from '../containers/action/action.ts'
import { demandKinds } from '../containers/constraint.ts'
import { momentCodes } from '../containers/screen/operations.ts'
import { roleCodes } from '../kernel/access.ts'
import { ownerKinds } from '../kernel/owner.ts'
import { scopes } from '../kernel/setting.ts'
import { operatorNames } from '../language/conditions/conditions.ts'

export interface Meaning {
  readonly code: number
  readonly name: string
  readonly label: string
}

/** One property's codes; `from` is where a plain number begins that needs no name. */
export interface CodeTable {
  readonly field: string
  readonly meanings: readonly Meaning[]
  readonly from?: { readonly code: number; readonly name: string; readonly label: string }
}

export const trigger = table('trigger', {
  0: ['event', 'When something happens'],
  1: ['schedule', 'At set times'],
  2: ['clock', 'When a business clock reaches a threshold'],
  3: ['manual', 'When somebody asks for it'],
  4: ['inboundMail', 'When a mail comes in'],
  5: ['inboundCall', 'When its address is called'],
  6: ['dateField', 'Some time before or after a date'],
  7: ['inactivity', 'When nothing has changed for some time'],
})

/** One dotted name each, used alike by rules, hooks, activity and notifications. */
export const triggerEvent = table('triggerEvent', {
  0: ['any', 'Anything'],
  1: ['item.created', 'Item created'],
  2: ['item.updated', 'Item changed'],
  3: ['item.deleted', 'Item deleted'],
  4: ['item.restored', 'Item restored'],
  5: ['item.transitioned', 'Item moved on in its workflow'],
  6: ['item.assigned', 'Item assigned'],
  7: ['item.moved', 'Item moved to another container'],
  8: ['item.closed', 'Item closed'],
  9: ['item.reopened', 'Item reopened'],
  10: ['item.linked', 'Item linked'],
  11: ['item.unlinked', 'Item unlinked'],
  12: ['item.labelled', 'Item labelled'],
  13: ['item.merged', 'Item merged'],
  14: ['item.split', 'Item split'],
  15: ['item.dueSoon', 'Item due soon'],
  16: ['item.overdue', 'Item overdue'],
  17: ['item.blocked', 'Item blocked'],
  18: ['item.unblocked', 'Item no longer blocked'],
  19: ['item.childrenClosed', 'All children of an item closed'],
  20: ['annotation.created', 'Internal note'],
  21: ['annotation.replied', 'Public reply by staff'],
  22: ['annotation.requesterReplied', 'Reply by the requester'],
  23: ['annotation.updated', 'Note or reply changed'],
  24: ['user.mentioned', 'Somebody mentioned'],
  25: ['chat.message', 'Chat message'],
  30: ['time.created', 'Time booked'],
  31: ['time.updated', 'Booked time changed'],
  32: ['time.deleted', 'Booked time deleted'],
  33: ['timesheet.submitted', 'Timesheet submitted'],
  34: ['timesheet.approved', 'Timesheet approved'],
  35: ['timesheet.rejected', 'Timesheet rejected'],
  36: ['timer.started', 'Timer started'],
  37: ['timer.stopped', 'Timer stopped'],
  40: ['clock.started', 'Clock started'],
  41: ['clock.paused', 'Clock paused'],
  42: ['clock.resumed', 'Clock resumed'],
  43: ['clock.amber', 'Clock turned amber'],
  44: ['clock.red', 'Clock turned red'],
  45: ['clock.breached', 'Promise broken'],
  46: ['clock.met', 'Promise kept'],
  47: ['clock.cancelled', 'Clock cancelled'],
  50: ['mail.received', 'Mail received'],
  51: ['mail.sent', 'Mail sent'],
  52: ['mail.bounced', 'Mail bounced'],
  53: ['mail.suppressed', 'Mail suppressed'],
  60: ['cycle.started', 'Cycle started'],
  61: ['cycle.completed', 'Cycle completed'],
  62: ['board.cardMoved', 'Card moved on a board'],
  63: ['plan.changed', 'Plan changed'],
  64: ['plan.overallocated', 'Somebody planned beyond capacity'],
  70: ['document.created', 'Document created'],
  71: ['document.updated', 'Document changed'],
  72: ['document.archived', 'Document archived'],
  73: ['file.uploaded', 'File uploaded'],
  74: ['file.quarantined', 'File quarantined'],
  80: ['crm.created', 'Customer created'],
  81: ['crm.updated', 'Customer changed'],
  82: ['budget.thresholdCrossed', 'Budget crossed a threshold'],
  90: ['user.created', 'User created'],
  91: ['user.deactivated', 'User deactivated'],
  92: ['user.locked', 'User locked'],
  93: ['apiKey.created', 'API key created'],
  94: ['apiKey.expiring', 'API key about to expire'],
  95: ['import.finished', 'Import finished'],
  96: ['rule.failed', 'Rule failed'],
  97: ['hook.disabled', 'Hook disabled'],
})

/** One number space: `actionValue` has those below 40, `actionEndpoint` those from 40 on. */
export const actionType: CodeTable = {
  field: 'actionType',
  meanings: Object.entries(actions).map(([name, { code, label }]) => ({ code, name, label })),
}

export const interval = table(
  'interval',
  {
    0: ['off', 'Only when asked for'],
    1: ['quarterHourly', 'Every 15 minutes'],
    2: ['hourly', 'Hourly'],
    3: ['daily', 'Daily'],
    4: ['workingDay', 'Every working day'],
    5: ['weekly', 'Weekly'],
    6: ['fortnightly', 'Every two weeks'],
    7: ['monthly', 'Monthly'],
    8: ['quarterly', 'Quarterly'],
    9: ['onGain', 'When the result gains a record'],
  },
  { code: 15, name: 'minutes', label: 'Every so many minutes' },
)

export const limiter = table(
  'limiter',
  {
    0: ['none', 'All matches each time'],
    1: ['newMatches', 'New matches only'],
    2: ['oncePerRecord', 'Each record once'],
    3: ['oncePerDay', 'Each record once a day'],
    4: ['oncePerWeek', 'Each record once a week'],
    5: ['changedOnly', 'Records changed since the last time'],
    6: ['ifDifferent', 'Only if the list differs from the last one'],
  },
  { code: 10, name: 'cap', label: 'At most so many records in a message' },
)

export const placement = table('placement', {
  0: ['everywhere', 'Everywhere'],
  1: ['createForm', 'When an item is made'],
  2: ['editForm', 'When an item is edited'],
  3: ['attributes', 'Among the attributes of an item'],
  4: ['content', 'In the body of an item'],
  5: ['listColumn', 'As a column of lists'],
  6: ['boardCard', 'On cards'],
  7: ['portalForm', 'When a requester makes an item'],
  8: ['portalView', 'When a requester looks at an item'],
  9: ['quickAdd', 'When an item is made in a hurry'],
  10: ['print', 'In print and exports'],
  11: ['timeForm', 'When time is booked'],
  12: ['timesheet', 'In the timesheet'],
})

export const usage = table('usage', {
  0: ['item', 'Items'],
  1: ['ticket', 'Tickets'],
  2: ['time', 'Booked time'],
  3: ['container', 'Containers'],
  4: ['user', 'Users'],
  5: ['crm', 'Customers'],
  6: ['document', 'Documents'],
  7: ['plan', 'Planned work'],
  8: ['cycle', 'Cycles'],
  9: ['sku', 'Articles'],
  10: ['annotation', 'Annotations'],
})

const priority = table('priority', {
  0: ['none', 'None'],
  1: ['urgent', 'Urgent'],
  2: ['high', 'High'],
  3: ['medium', 'Medium'],
  4: ['low', 'Low'],
})

const containerKind = table('container.kind', {
  0: ['project', 'Project'],
  1: ['desk', 'Service desk'],
  2: ['product', 'Product'],
  3: ['internal', 'Internal'],
})

export const codeTables: readonly CodeTable[] = [
  listed('operator', operatorNames),
  listed('owner', ownerKinds.map(lowerFirst)),
  trigger,
  triggerEvent,
  actionType,
  placement,
  usage,
  interval,
  limiter,
  priority,
  containerKind,
  numbered('role', { none: 0, ...Object.fromEntries(Object.entries(roleCodes).map(([code, name]) => [name, +code])) }),
  numbered('screen.moment', momentCodes),
  listed('constraint.then.kind', demandKinds),
  numbered('setting.scope', scopes),
]

/** A list whose places are the codes. */
function listed(field: string, names: readonly string[]): CodeTable {
  return { field, meanings: names.map((name, code) => ({ code, name, label: spelledOut(name) })) }
}

function numbered(field: string, codes: Readonly<Record<string, number>>): CodeTable {
  return { field, meanings: Object.entries(codes).map(([name, code]) => ({ code, name, label: spelledOut(name) })) }
}

/** `greaterThan` → `Greater than`. */
function spelledOut(name: string): string {
  const words = name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1)
}

/** Whether the engine knows what to do with a code. */
export function knows({ meanings, from }: CodeTable, code: number): boolean {
  return (from !== undefined && code >= from.code) || meanings.some(meaning => meaning.code === code)
}

function table(field: string, names: Record<number, readonly [string, string]>, from?: CodeTable['from']): CodeTable {
  const meanings = Object.entries(names).map(([code, [name, label]]) => ({ code: Number(code), name, label }))
  return from ? { field, meanings, from } : { field, meanings }
}
