import { randomBytes } from 'node:crypto'
import { costSplit } from './finance.ts'
import { itemInContainer } from './made-once.ts'
import type { Body, Seed, SeedBuilder } from './seed.ts'

/** The seeds of containers and what they define; see `seeds`. */
export const containersSeeds: Record<string, Seed> = {
  Container: async (b, all) => ({
    key: `C${randomBytes(4).toString('hex')}`.toUpperCase(),
    kind: 1, // a desk accepts everything that other containers do, and tickets
    ...(all ? { split: await costSplit(b) } : {}),
    ...(all ? { budget: { minutes: 600, amount: 1000, currency: 'EUR', resetPeriod: 2, alertAt: [80] } } : {}),
    ...(all ? { processIds: [(await b.one('Process')).id], defaultProcessId: (await b.one('Process')).id } : {}),
  }),
  Field: (b, all, path) => ({
    ...(all
      ? {
          key: b.text(),
          pattern: '.*',
          min: 1,
          max: 2,
          precision: 2,
          currency: 'EUR',
          unique: false,
          rollup: undefined,
          options: [{ label: b.text() }],
          formula: undefined,
        }
      : {}),
    ...(all && !/\/field\/./.test(path) ? { fieldType: 'text' } : { fieldType: undefined }),
    ...(/select|cascade/i.test(path) ? { options: [{ label: b.text() }, { label: b.text() }] } : {}),
    ...(/formula/.test(path) ? { formula: 'points * 2 + estimateMinutes' } : {}),
    ...(/rollup/.test(path) ? { rollup: { source: 'children', field: 'points', function: 'sum' } } : {}),
  }),
  Area: async b => ({ parentId: undefined, owner: 1, ownerId: (await b.one('Container')).id }),
  Cycle: async (b, all, path) =>
    path.endsWith('/finish')
      ? { rollover: 1, toCycleId: undefined }
      : { containerId: (await b.one('Container')).id, userGroupId: undefined, ...(all ? { parallel: true } : {}) },
  '/cycle/:id/items': async b => ({ add: [(await itemInContainer(b)).id], remove: undefined }),
  '/board/:id/move': async b => ({
    itemId: (await itemInContainer(b)).id,
    itemIds: undefined,
    column: 'In progress',
    before: undefined,
    after: undefined,
    swimlane: undefined,
  }),
  // Every item of its container is then a card on it.
  Board: async (b, all) =>
    all
      ? {
          containerIds: [(await b.one('Container')).id],
          criteria: {
            conditionGroup: [{ condition: [{ id: b.text(), leftSide: 'title', operator: 9, rightSide: b.text() }] }],
          },
          columnField: 'status',
          columns: [
            {
              id: 'In progress',
              name: b.text(),
              values: ['In progress'],
              wip: 0,
              wipMode: 1,
              wipPolicy: 1,
              collapsed: true,
            },
          ],
        }
      : {},
  Label: async (b, _all, path) => (path.endsWith('/merge') ? {} : { owner: 1, ownerId: (await b.one('Container')).id }),
  // A personal one would be visible to its owner only.
  ContainerFilter: (_b, all) => (all ? { ownerUserId: undefined } : {}),
  ContentTemplate: (b, all) =>
    all ? { format: 'text', userGroup: [], locales: { de: { subject: b.text(), body: b.text() } } } : {},
  '/content-template/preview': b => ({ templateId: undefined, template: { name: b.text(), body: b.text() } }),
  '/constraint/dry-run': b => ({ constraint: { name: b.text(), then: [{ kind: 0, field: 'dueDate' }] } }),
  '/container/:id/copy': () => ({ key: undefined }),
  '/container/:id/member': async b => ({ userId: (await b.one('User')).id, userGroupId: undefined, role: 3 }),
}

/** Returns a cycle of the builder's container in the given state. */
async function turnedCycle(b: SeedBuilder, ...verbs: string[]): Promise<Body> {
  const containerId = (await b.one('Container')).id
  const cycle = await b.person.post('/cycle', { name: b.text(), containerId, parallel: true })
  for (const verb of verbs) await b.person.post(`/cycle/${cycle.id}/${verb}`, {})
  return cycle
}

/** Records in the state that an operation needs; see `subjects`. */
export const containersSubjects: Record<string, (builder: SeedBuilder) => Promise<Body>> = {
  'DELETE /container/:id/member/:userId': async b => {
    const container = await b.one('Container')
    await b.person.put(`/container/${container.id}/member`, { userId: (await b.one('User')).id, role: 3 })
    return container
  },
  'POST /cycle/:id/finish': b => turnedCycle(b, 'start'),
  'POST /cycle/:id/reopen': b => turnedCycle(b, 'start', 'finish'),
}
