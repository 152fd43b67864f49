import { userAt, usersAt } from './seed.ts'
import { weekByHand } from './week-by-hand.ts'

/** A question to the service, and the same aggregation in SQL as somebody would write it who may see everything. */
export interface Subject {
  title: string
  repetitions: number
  request(i: number): { method: string; path: string; body?: object }
  sql(i: number): string
}

const day = (date: string) => `${date}T00:00:00Z`
const year = { startDate: day('2025-01-01'), endDate: day('2025-12-31') }
const quarter = { startDate: day('2025-01-01'), endDate: day('2025-03-31') }

/** What is measured of a tenant with so many time entries. */
export function subjects(tenantId: string, size: number): Subject[] {
  const users = usersAt(size)
  const user = (i: number) => userAt((i * 37) % users)
  const team = Array.from({ length: Math.min(200, users) }, (_, i) => userAt(i))
  const ofTime = `t.tenant_id = '${tenantId}' and not t.deleted and t.state <> 0`
  const ofUser = (i: number) => `${ofTime} and t.user_id = '${user(i)}'`
  const post = (path: string, body: object) => ({ method: 'POST', path: `/insight/${path}`, body })
  return [
    {
      title: 'week grid of a user',
      repetitions: 60,
      request: i => ({ method: 'GET', path: `/time/week/2025-03-10?userId=${user(i)}` }),
      sql: i => weekByHand(tenantId, user(i)),
    },
    {
      title: 'timesheet of a user, a year',
      repetitions: 60,
      request: i => post('report/user-timesheet', { userId: user(i), ...year }),
      sql: i => `select t.date, t.minutes, t.seconds, i.key || ' ' || i.title, t.id, t.item_id, t.note from time t
        left join item i on i.tenant_id = t.tenant_id and i.id = t.item_id
        where ${ofUser(i)} and t.date between '2025-01-01' and '2025-12-31' order by t.date, t.created, t.id`,
    },
    {
      title: `utilisation of ${team.length} people, a quarter`,
      repetitions: 20,
      request: () => post('report/utilisation', { userIds: team, ...quarter }),
      sql: () => `select t.user_id, sum(t.seconds), sum(t.seconds) filter (where c.billable) from time t
        left join container c on c.tenant_id = t.tenant_id and c.id = t.container_id
        where ${ofTime} and t.user_id = any('{${team}}'::uuid[]) and t.date between '2025-01-01' and '2025-03-31' group by 1`,
    },
    {
      title: 'cumulative flow of all, a year',
      repetitions: 5,
      request: () => post('report/cumulative-flow', { ...year, timezone: 'Europe/Berlin' }),
      sql: () => `with stay as (
          select s.category, s.from_at, s.to_at from item_stay s join item t on t.tenant_id = s.tenant_id and t.id = s.item_id where s.tenant_id = '${tenantId}' and not t.deleted
          union all select t.status_category, coalesce(l.to_at, t.created), null from item t
            left join (select item_id, max(to_at) as to_at from item_stay where tenant_id = '${tenantId}' group by 1) l on l.item_id = t.id
            where t.tenant_id = '${tenantId}' and not t.deleted)
        select (f.at at time zone 'Europe/Berlin')::date, f.category, sum(f.n) from (
          select from_at as at, category, 1 as n from stay union all select to_at, category, -1 from stay where to_at is not null) f group by 1, 2`,
    },
    {
      title: 'query: time by user and month',
      repetitions: 5,
      request: () =>
        post('query', {
          entity: 'Time',
          groupBy: [{ field: 'userId' }, { field: 'date', bucket: 'month' }],
          measures: [{ op: 'count' }, { op: 'sum', field: 'seconds', as: 'seconds' }],
        }),
      sql: () => `select t.user_id, date_trunc('month', t.date)::date, count(*), sum(t.seconds) from time t
        where t.tenant_id = '${tenantId}' and not t.deleted group by 1, 2`,
    },
  ]
}
