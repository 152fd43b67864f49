import { name, ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { recordOf } from '../../records/references/keys-of.ts'
import { type Bucket, bucketOf, buckets } from './period.ts'
import type { DimensionOf } from './report-declaration.ts'

// The values by which reports group items (`t`).

/** A reference to another record, with its name. */
export const reference =
  (table: string, key: Sql, reveals?: string): DimensionOf =>
  () => ({ kind: 'id', value: key, label: nameOf(table), ...(reveals ? { reveals } : {}) })

const nameOf = (table: string) => (key: Sql) =>
  sql`(select o.name from ${name(table)} o where o.tenant_id = ${ownTenant} and o.id = ${key})`

const assignee: DimensionOf = () => ({
  kind: 'user',
  value: raw('assigned.id'),
  each: sql`left join lateral unnest(t.assignees) as assigned(id) on true`,
  label: nameOf('user'),
  reveals: 'assignees',
})

/** What every report on items can group by. */
export const itemDimensions: Readonly<Record<string, DimensionOf>> = {
  container: reference('container', raw('t.container_id'), 'containerId'),
  process: reference('process', raw('t.process_id'), 'processId'),
  area: reference('area', raw('t.area_id'), 'areaId'),
  customer: reference('crm', raw('t.crm_id'), 'crmId'),
  assignee,
  priority: () => ({ kind: 'number', value: raw('t.priority'), reveals: 'priority' }),
  severity: () => ({ kind: 'number', value: raw('t.severity'), reveals: 'severity' }),
}

/** The parts of the calendar that a moment or a day lies in. */
export function calendar(kind: 'instant' | 'date', value: (now: Date) => Sql): Readonly<Record<Bucket, DimensionOf>> {
  const of =
    (bucket: Bucket): DimensionOf =>
    ({ timezone }, { now }) => ({ kind: 'date', value: bucketOf(bucket, kind, value(now), timezone) })
  return recordOf(buckets, of)
}
