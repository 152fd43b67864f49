/**
 * The substance of a week in SQL, as somebody would write it by hand who may see everything: statements that are sent together, in one round trip.
 * The sums of the entries alone would be a small part of the answer, which also has rows of what is planned, was booked lately or was
 * changed in this week, with their names, and what decides about the days: contract, leave, calendar, timesheet and the last closed day.
 */
export function weekByHand(tenantId: string, userId: string): string {
  const [from, to] = [`date '2025-03-10'`, `date '2025-03-16'`]
  const of = (alias: string) => `${alias}.tenant_id = '${tenantId}'`
  const ofUser = (alias: string) => `${of(alias)} and ${alias}.user_id = '${userId}'`
  const names = `left join item i on i.tenant_id = t.tenant_id and i.id = t.item_id
    left join non_billable n on n.tenant_id = t.tenant_id and n.id = t.non_billable`
  const name = `coalesce(i.key || ' ' || i.title, n.code || ' ' || n.name)`
  const statements = [
    `select u.timezone, u.working_hours, u.capacity, o.timezone, o.week_start from "user" u
      join tenant o on o.tenant_id = u.tenant_id where ${of('u')} and u.id = '${userId}'`,
    `select c.kind, c.week_start, c.grace_days from time_calendar c
      join user_group_member m on m.tenant_id = c.tenant_id and m.group_id = any(c.user_groups)
      where ${of('c')} and m.user_id = '${userId}' and not c.deleted order by c."order" limit 1`,
    `select t.id, t.item_id, t.non_billable, t.billable, t.date, t.seconds, t.state, t.corrects_id, ${name}, i.container_id from time t ${names}
      where ${ofUser('t')} and t.date between ${from} and ${to} and not t.deleted and t.state <> 0 order by t.date, t.created`,
    `select t.item_id, t.non_billable, t.billable, ${name}, i.container_id from time t ${names}
      where ${ofUser('t')} and t.date between ${from} - 14 and ${from} - 1 and not t.deleted and t.state <> 0
      group by 1, 2, 3, 4, 5 order by max(t.date) desc, max(t.created) desc limit 50`,
    `select coalesce(a.item_id, e.record_id), max(e.at) from event e
      left join annotation a on a.tenant_id = e.tenant_id and e.entity = 'Annotation' and a.id = e.record_id
      where ${of('e')} and e.actor_id = '${userId}' and e.at >= ${from} and e.at < ${to} + 1
        and e.entity in ('Item', 'Annotation') and e.kind <> 'item.created' group by 1 order by 2 desc limit 20`,
    `select p.owner, p.owner_id, p.non_billable, p."from", p."to", p.unit, p.amount, p.recurrence from plan p
      where ${ofUser('p')} and not p.deleted and p."to" >= ${from} and p."from" <= ${to}`,
    `select l."from", l."to", l.from_half, l.to_half from leave l
      where ${ofUser('l')} and l.state = 1 and not l.deleted and l."from" <= ${to} and (l."to" is null or l."to" >= ${from})`,
    `select t.date, sum(t.seconds) from time t join non_billable n on n.tenant_id = t.tenant_id and n.id = t.non_billable
      where ${ofUser('t')} and t.date between ${from} and ${to} and not t.deleted and t.state <> 0 and n.kind in (1, 2, 3) group by 1`,
    `select s.* from timesheet s where ${ofUser('s')} and s."to" >= ${from} and s."from" <= ${to}`,
    `select c.until from time_closing c where ${of('c')}`,
  ]
  return statements.join(';\n')
}
