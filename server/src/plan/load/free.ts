import { operation } from '../../kernel/operation.ts'
import { readWhole } from '../../kernel/schema/whole-number.ts'
import { allocations } from '../allocation/allocation.ts'
import { subjectDays } from '../allocation/subject-days.ts'
import { maxDays, periodOf, periodQuery } from '../capacity/period.ts'
import { rowsFor, scenarioQuery } from '../scenario/scenario.ts'
import { loadUsers } from './load-subjects.ts'
import { ofUsers, plannedIn, secondsOf } from './planned.ts'

const usualDays = 28
const maxMinutes = 1_000_000

/** Finds the people who have time. */
export const free = operation({
  permission: allocations.permissions.read,
  mode: 'read',
  summary: 'List the people who are free',
  description: `The people with a job role or skills by the seconds that are not firmly planned in a period, most first. At most ${maxDays} days.`,
  query: {
    ...periodQuery(usualDays),
    jobRoleId: { type: 'string', description: 'Only users who have this job role.' },
    skills: { type: 'string', description: 'Only users who have all these skills, separated by commas.' },
    ...scenarioQuery,
    minutes: {
      type: 'integer',
      minimum: 0,
      maximum: maxMinutes,
      description: 'Only users who have at least this many minutes.',
    },
  },
  reply: {
    status: 200,
    schema: {
      type: 'array',
      items: {
        type: 'object',
        title: 'FreeUser',
        properties: {
          userId: { type: 'string' },
          name: { type: 'string' },
          capacity: { type: 'integer' },
          firm: { type: 'integer' },
          free: { type: 'integer', description: '`capacity − firm`, in seconds.' },
        },
        required: ['userId', 'name', 'capacity', 'firm', 'free'],
      },
    },
    description: 'The people.',
  },
  refusals: [422],
  async run(ctx, { query }) {
    const days = periodOf(ctx.now, query, usualDays)
    const minutes = readWhole('minutes', query.minutes, 0, maxMinutes) ?? 0
    const skills = String(query.skills ?? '')
      .split(',')
      .map(each => each.trim().toLowerCase())
      .filter(Boolean)
    const role = String(query.jobRoleId ?? '').toLowerCase()
    const users = (await loadUsers(ctx, {})).filter(each => {
      const has = new Set(each.skills.map(skill => skill.toLowerCase()))
      return (role === '' || each.jobRoleId === role) && skills.every(skill => has.has(skill))
    })
    const period = { from: days[0]?.date ?? '', to: days.at(-1)?.date ?? '' }
    const userIds = users.map(each => each.id)
    const rows = await rowsFor(ctx, query.scenario)
    const work = (await plannedIn(ctx, period, ofUsers(userIds), rows)).filter(each => each.firm)
    const subjects = await subjectDays(ctx, work, { userIds, ...period, rows })
    const firm = new Map<string, number>()
    for (const each of work)
      for (const [, planned] of secondsOf(each, subjects, period))
        firm.set(each.userId, (firm.get(each.userId) ?? 0) + planned)
    const people = users.map(({ id, name }) => {
      const capacity = (subjects.users.get(id) ?? [])
        .filter(({ date }) => date >= period.from && date <= period.to)
        .reduce((sum, each) => sum + each.capacity, 0)
      const planned = firm.get(id) ?? 0
      return { userId: id, name, capacity, firm: planned, free: capacity - planned }
    })
    return { body: people.filter(each => each.free >= minutes * 60).sort((a, b) => b.free - a.free) }
  },
})
