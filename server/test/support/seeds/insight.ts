import type { Seed, SeedBuilder } from './seed.ts'

const reports = [
  'lead-time',
  'cycle-time',
  'time-in-status',
  'cumulative-flow',
  'backlog-age',
  'sla-attainment',
  'first-response',
  'satisfaction',
]

const ofReport: Seed = async (b, all) =>
  all
    ? { conditionGroup: [], groupBy: undefined, cycleId: undefined, containerIds: [(await b.one('Container')).id] }
    : {}

const march = { startDate: '2026-03-01T00:00:00Z', endDate: '2026-03-31T00:00:00Z' }

/** Bodies of queries and reports, by path, and of the kinds of the room. */
export const insightSeeds: Record<string, Seed> = {
  '/insight/report/user-timesheet': b => ({ userId: b.person.id }),
  SavedReport: (b, all) => ({
    report: '',
    input: undefined,
    period: undefined,
    query: { entity: 'Item', groupBy: [{ field: 'status' }] },
    ...(all ? { shared: [b.person.id] } : {}),
  }),
  '/insight/report/burn': async (b, all, path) => ({ ...march, ...(await ofReport(b, all, path)) }),
  '/insight/report/knowledge': () => ({ conditionGroup: [], groupBy: undefined }),
  '/insight/report/audit': () => ({ conditionGroup: [], groupBy: undefined, userIds: undefined }),
  '/insight/report/team-timesheet': () => ({ userIds: undefined, containerIds: undefined }),
  '/insight/report/utilisation': () => ({ userIds: undefined, groupBy: undefined }),
  '/insight/report/realisation': () => ({ groupBy: undefined }),
  '/insight/report/profitability': () => ({ groupBy: undefined }),
  '/insight/report/budget': () => ({ at: undefined, budgetIds: undefined, containerIds: undefined }),
  '/insight/report/cost-centers': () => ({
    conditionGroup: [],
    groupBy: undefined,
    userIds: undefined,
    containerIds: undefined,
  }),
  '/insight/report/workload': () => ({ userIds: undefined, containerIds: undefined }),
  ...Object.fromEntries(reports.map(name => [`/insight/report/${name}`, ofReport])),
  '/insight/query': (b, all) => ({
    entity: 'Item',
    ...(all
      ? {
          conditionGroup: [{ condition: [{ leftSide: 'title', operator: 0, rightSide: b.text() }] }],
          groupBy: [{ field: 'status' }, { field: 'created', bucket: 'month' }],
          measures: [{ op: 'percentile', field: 'points', p: 0.5, as: 'median' }],
          sort: '-median',
          archived: 'include',
        }
      : {}),
  }),
}

/** Tokens of rows. */
export const insightParameters = {
  '/insight/drill/:token': async (b: SeedBuilder): Promise<string> => {
    await b.one('Item')
    return (await b.person.post('/insight/query', { entity: 'Item' })).rows[0].drill
  },
}
