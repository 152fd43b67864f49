import { busyUser, containerPrefix, itemPrefix, type OperationName, operations, targetContainer } from './operations.ts'
import type { Statement, Statements } from './statements.ts'

// What somebody would write by hand for the substance of each answer: rows by their keys, without permissions, labels, sums,
// JSON or search words. The captured statements cannot show that they have become heavy themselves; these can.

/** The hand-written statements of each operation, in the form of the captured ones. */
export function plainStatements(tenantId: string): Statements {
  const ofTenant = (text: string, ...parameters: Parameter[]): Statement => {
    const all: Parameter[] = [[tenantId, 'uuid'], ...parameters]
    return { text, values: all.map(([value]) => value), types: all.map(([, type]) => type) }
  }
  const alone = (text: string): Statement => ({ text, values: [], types: [] })
  return {
    read: [ofTenant('select * from item where tenant_id = $1 and id = $2', [`${itemPrefix}{n}`, 'uuid'])],
    list: [
      ofTenant(
        `select * from item where tenant_id = $1 and container_id = $2 and not deleted and not archived and status = any($3)
          order by id desc limit 50`,
        [`${containerPrefix}{n}`, 'uuid'],
        ['{Open,In progress}', 'text[]'],
      ),
    ],
    timesheet: [
      ofTenant(
        `select * from time where tenant_id = $1 and user_id = $2 and date between $3 and $4 and not deleted order by date, created, id`,
        [busyUser, 'uuid'],
        ['2026-03-01', 'date'],
        ['2026-03-31', 'date'],
      ),
    ],
    create: [
      alone('begin'),
      ofTenant(
        insertItem,
        [newItem, 'uuid'],
        [busyUser, 'uuid'],
        [targetContainer, 'uuid'],
        ['{n}', 'bigint'],
        [title, 'text'],
        [description, 'text'],
      ),
      ofTenant(insertTimes, [newItem, 'uuid'], [busyUser, 'uuid'], [targetContainer, 'uuid'], ['{n}', 'bigint']),
      ofTenant(
        insertEvents,
        [newItem, 'uuid'],
        [busyUser, 'uuid'],
        ['{n}', 'bigint'],
        [title, 'text'],
        [description, 'text'],
      ),
      alone('commit'),
    ],
  } satisfies Record<OperationName, Statement[]>
}

type Parameter = readonly [value: string, type: string]

const newItem = '01c00000-0000-7000-8000-{n}'
const days = [1, 2, 3]
const newTime = (day: number, n: string) => `('01c00000-0000-7000-900${day}-' || ${n})::uuid`
const { title, description }: { title: string; description: string } = JSON.parse(operations.create.request().body)

const insertItem = `
  insert into item (tenant_id, id, created, created_by, updated, updated_by, container_id, number, key, title, description, status, status_category, priority, fields)
  values ($1, $2, now(), $3, now(), $3, $4, $5, 'TARGET-' || $5, $6, $7, 'Open', 1, 2, '{"severity": 3, "vendor": "Acme Printers"}')`

const insertTimes = `
  insert into time (tenant_id, id, created, created_by, updated, updated_by, user_id, item_id, container_id, date, seconds, note, timezone)
  values ${days
    .map(
      day =>
        `($1, ${newTime(day, '$5')}, now(), $3, now(), $3, $3, $2, $4, '2026-01-0${day}', ${900 * day}, 'Looked at it, day ${day}', 'UTC')`,
    )
    .join(', ')}`

const insertEvents = `
  insert into event (tenant_id, id, at, kind, entity, record_id, actor_id, actor_kind, change_set_id, changes)
  values ($1, $2, now(), 'item.created', 'Item', $2, $3, 'user', $2,
    jsonb_build_object('title', jsonb_build_object('to', $5::text), 'description', jsonb_build_object('to', $6::text), 'status', jsonb_build_object('to', 'Open'))),
  ${days
    .map(
      day =>
        `($1, ${newTime(day, '$4')}, now(), 'time.created', 'Time', ${newTime(day, '$4')}, $3, 'user', $2, jsonb_build_object('itemId', jsonb_build_object('to', $2::uuid), 'minutes', jsonb_build_object('to', ${15 * day})))`,
    )
    .join(', ')}`
