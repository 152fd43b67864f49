import type { Question } from './measure.ts'
import { containerCount, containerId } from './seed.ts'

/** The requests of `--reports`: queries and reports, of one container and of the whole tenant. */
export function reportQuestions({ mark }: { mark: string }): Question[] {
  const container = (i: number) => containerId(mark, 1 + (i % (containerCount - 1)))
  const month = (i: number) => ({
    startDate: `2025-01-${String(1 + (i % 9)).padStart(2, '0')}T00:00:00Z`,
    endDate: '2025-01-31T00:00:00Z',
    timezone: 'UTC',
  })
  const post = (title: string, path: string, body: (i: number) => object): Question => ({
    title,
    repetitions: 10,
    request: i => ({ method: 'POST', path, body: body(i) }),
  })
  const report = (name: string, body: (i: number) => object) => [
    post(`${name}, of a container`, `/insight/report/${name}`, i => ({ ...body(i), containerIds: [container(i)] })),
    post(`${name}, of all`, `/insight/report/${name}`, body),
  ]
  const inContainer = (i: number) => [
    { condition: [{ leftSide: 'containerId', operator: 0, rightSide: container(i) }] },
  ]
  const byStatus = { entity: 'Item', groupBy: [{ field: 'status' }] }
  return [
    post('query: by status, of a container', '/insight/query', i => ({ ...byStatus, conditionGroup: inContainer(i) })),
    post('query: by status, of all', '/insight/query', () => byStatus),
    post('query: by month and priority, of all', '/insight/query', () => ({
      entity: 'Item',
      groupBy: [{ field: 'created', bucket: 'month' }, { field: 'priority' }],
      measures: [{ op: 'count' }, { op: 'percentile', field: 'estimateMinutes', p: 0.85, as: 'p85' }],
    })),
    ...report('lead-time', month),
    ...report('cycle-time', month),
    ...report('time-in-status', month),
    ...report('cumulative-flow', month),
    ...report('backlog-age', () => ({})),
  ]
}
