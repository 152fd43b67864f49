import type { Database } from '../../kernel/database.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { sql } from '../../kernel/sql.ts'
import { leaseSql, milliseconds } from '../lease/lease.ts'
import type { RecurringJob } from './job-definition.ts'

/** A run that this node performs, with the token of its lease. */
export interface Claim {
  readonly job: RecurringJob
  readonly token: Id
}

/** The result of a run, and the time until the next one. */
interface RunResult {
  readonly error: string | undefined
  /** ms from now. */
  readonly nextIn: number
}

interface JobRowsOptions {
  database: Pick<Database, 'crossTenantSql'>
  /** The length of a lease; ms. */
  length: number
  /** How often nodes look for due jobs; ms. */
  poll: number
  /** For tests. Otherwise the clock of the database is used, because it is the one clock that all nodes share. */
  now: (() => Date) | undefined
}

/** The rows of the table `job`: one for each recurring job, leased by the node that runs it. */
export function openJobRows({ database: { crossTenantSql }, length, poll, now }: JobRowsOptions) {
  const at = () => (now ? sql`${now()}::timestamptz` : sql`now()`)
  const leaseBy = (token: Id) => leaseSql({ token, length, now: at() })

  return {
    /** Inserts rows for new jobs. Their first runs are spread, so that they do not all start at the same moment. */
    async introduce(jobs: readonly RecurringJob[]): Promise<void> {
      await crossTenantSql`insert into job (name, next_run)
        select name, ${at()} + random() * ${milliseconds(poll)} from unnest(${jobs.map(job => job.name)}::text[]) as name
        on conflict (name) do nothing`
    },

    /**
     * A row is due when its time has come, or when its time is so far ahead that the clock or the interval must have
     * changed.
     */
    async claimDue(idle: readonly RecurringJob[], most: number): Promise<Claim[]> {
      const token = newId()
      const lease = leaseBy(token)
      const rows = await crossTenantSql<{ name: string }>`
        with due as materialized (
          select job.name from job
          join unnest(${idle.map(job => job.name)}::text[], ${idle.map(job => job.every)}::float8[]) as known (name, every) on known.name = job.name
          where (next_run <= ${at()} or next_run > ${at()} + known.every * interval '2 milliseconds' + ${milliseconds(poll)})
            and ${lease.isFree}
          order by next_run limit ${most} for update of job skip locked)
        update job set ${lease.acquire} from due where job.name = due.name returning job.name`
      const names = new Set(rows.map(row => row.name))
      return idle.filter(job => names.has(job.name)).map(job => ({ job, token }))
    },

    /** Renews the leases of these runs and returns those that this node still held. */
    async renew(held: readonly Claim[]): Promise<Claim[]> {
      const rows = await crossTenantSql<{ name: string; token: Id }>`
        update job set leased_until = ${at()} + ${milliseconds(length)}
        from unnest(${held.map(each => each.job.name)}::text[], ${held.map(each => each.token)}::uuid[]) as held (name, token)
        where job.name = held.name and job.lease = held.token returning held.name, held.token`
      return held.filter(({ job, token }) => rows.some(row => row.name === job.name && row.token === token))
    },

    async finish({ job, token }: Claim, { error, nextIn }: RunResult): Promise<void> {
      const lease = leaseBy(token)
      await crossTenantSql`update job set ${lease.release}, next_run = ${at()} + ${milliseconds(nextIn)}, last_run = ${at()},
          last_error = ${error?.slice(0, 1000) ?? null} where name = ${job.name} and ${lease.isHeld}`
    },

    /** Returns an interrupted run: it stays due, as if it had not begun. */
    async giveBack({ job, token }: Claim): Promise<void> {
      const lease = leaseBy(token)
      await crossTenantSql`update job set ${lease.release} where name = ${job.name} and ${lease.isHeld}`
    },
  }
}
