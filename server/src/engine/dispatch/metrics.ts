import { Counter, Gauge, type Metric } from 'prom-client'
import type { Database } from '../../kernel/database.ts'

/** Metrics for operators: how far the engines are behind, and the outcomes of the jobs. */
export function openDispatchMetrics({ crossTenantSql }: Database) {
  const jobs = new Counter({
    name: 'gantry_jobs_total',
    help: 'Attempts at jobs, by outcome.',
    labelNames: ['task', 'outcome'],
    registers: [],
  })
  // Every process sees the same log and the same queue, so these values are not summed over processes.
  const undispatched = new Gauge({
    name: 'gantry_events_undispatched',
    help: 'Events that are not dispatched yet; at most 10000 are counted.',
    aggregator: 'max',
    registers: [],
    async collect() {
      const [row] = await crossTenantSql<{ count: number; age: number }>`
        select count(*)::int as count, coalesce(extract(epoch from now() - min(b.at)), 0)::float8 as age
        from (select e.at from dispatch d cross join lateral (
          select at from event where (xact, id) > (d.xact, d.id) order by xact, id limit 10000) e where d.name = 'log') b`
      this.set(row?.count ?? 0)
      oldest.set(row?.age ?? 0)
    },
  })
  const oldest = new Gauge({
    name: 'gantry_events_undispatched_seconds',
    help: 'Age of the oldest event that is not dispatched yet.',
    aggregator: 'max',
    registers: [],
  })
  const due = new Gauge({
    name: 'gantry_jobs_due',
    help: 'Jobs that are due; at most 10000 of a tenant are counted.',
    aggregator: 'max',
    registers: [],
    async collect() {
      const [row] = await crossTenantSql<{ count: number }>`select count(*)::int as count from (
        select 1 from tenant t cross join lateral (
          select 1 from queued_job j where j.tenant_id = t.tenant_id and j.run_at <= now() limit 10000) e) b`
      this.set(row?.count ?? 0)
    },
  })
  const all: Metric[] = [jobs, undispatched, oldest, due]
  return {
    all,
    count: (task: string, outcome: 'done' | 'failed' | 'gaveUp') => jobs.inc({ task, outcome }),
  }
}
