import { type Sql, sql } from '../../kernel/sql.ts'

/** The number of a weekday that is given by its English name, its first two letters or 1 to 7; otherwise `fallback`. */
function weekday(text: Sql, fallback: number): Sql {
  return sql`coalesce(case when ${text} ~ '^[1-7]$' then ${text}::int else array_position(array['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su'], left(lower(${text}), 2)) end, ${fallback}::int)`
}

/**
 * Whether an instant is in the working time of a clock, in the time zone of the clock. A shift that ends at or before its
 * start runs over midnight and belongs to the day it starts on, so yesterday's shift is checked, too. Exceptions for a
 * date take precedence over days off, these over the schedule of a weekday, and this over the hours of every day. Of a
 * clock with regions the hours of their clocks count.
 */
export function inWorkingTime(tenantId: string, instant: Sql, clockId: Sql): Sql {
  const first = weekday(sql`k.week_start`, 1)
  const last = weekday(sql`k.week_end`, 7)
  const worked = sql`case when ${first} <= ${last} then shift.weekday between ${first} and ${last} else shift.weekday >= ${first} or shift.weekday <= ${last} end`
  return sql`exists (
    select 1 from clock k
      cross join lateral (select ${instant} at time zone coalesce(nullif(k.timezone, ''), 'UTC') as moment) wall
      cross join lateral (select d::date as day, extract(isodow from d)::int as weekday from unnest(array[wall.moment::date, wall.moment::date - 1]) d) shift
      cross join lateral (select
        (select x -> 'intervals' from jsonb_array_elements(k.exceptions) x where x ->> 'date' = shift.day::text limit 1) as exception,
        exists (select 1 from jsonb_array_elements(k.exceptions) x where x ->> 'date' = shift.day::text) as excepted,
        exists (select 1 from unnest(k.non_working_day) off where case
          when off like '--%' then off = to_char(shift.day, '"--"MM-DD')
          when off like '%/%' then shift.day::text between split_part(off, '/', 1) and split_part(off, '/', 2)
          else off = shift.day::text end) or k.holidays @> jsonb_build_array(jsonb_build_object('date', shift.day::text)) as off) of_date
      cross join lateral (
        select coalesce(nullif(i ->> 'start', ''), '00:00')::time as opens, coalesce(nullif(i ->> 'end', ''), '24:00')::time as closes
          from jsonb_array_elements(coalesce(of_date.exception, '[]')) i where of_date.excepted
        union all select coalesce(nullif(i ->> 'start', ''), '00:00')::time, coalesce(nullif(i ->> 'end', ''), '24:00')::time
          from jsonb_array_elements(k.schedule) s cross join jsonb_array_elements(coalesce(s -> 'intervals', '[]')) i
          where not of_date.excepted and not of_date.off and (s ->> 'day')::int = shift.weekday
        union all select coalesce(nullif(k.day_start, ''), '00:00')::time, coalesce(nullif(k.day_end, ''), '24:00')::time
          where not of_date.excepted and not of_date.off and k.schedule = '[]' and ${worked}) hours
    where k.tenant_id = ${tenantId} and not k.deleted and k.id = any(coalesce((select array_agg((r ->> 'clockId')::uuid) from clock sun
        cross join jsonb_array_elements(sun.regions) r where sun.tenant_id = ${tenantId} and sun.id = ${clockId} and not sun.deleted), array[${clockId}]))
      and wall.moment >= shift.day + hours.opens
      and wall.moment < shift.day + hours.closes + case when hours.closes <= hours.opens then interval '1 day' else interval '0' end)`
}
