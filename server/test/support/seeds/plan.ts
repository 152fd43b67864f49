import type { Body, Seed, SeedBuilder } from './seed.ts'

/** Each leave is in a month of its own, because two leaves of a user do not overlap. */
let months = 0

function nextMonth(): Body {
  const [year, month] = [2100 + Math.floor(months / 12), (months++ % 12) + 1]
  const first = `${year}-${String(month).padStart(2, '0')}`
  return { from: `${first}-01`, to: `${first}-03` }
}

/** An allowance is one for each year. */
let years = 2100

/** The seeds of leave and resource planning; see `seeds`. */
export const planSeeds: Record<string, Seed> = {
  Leave: async (b, all, path) => {
    if (/\/(approve|reject|cancel)$/.test(path)) return { comment: b.text() }
    const code = all && { nonBillable: (await b.person.post('/finance/non-billable', { name: b.text(), kind: 1 })).id }
    return { ...nextMonth(), userId: b.person.id, fromHalf: 0, toHalf: 0, kind: 0, ...code }
  },
  Plan: async (b, all) => ({
    ...nextMonth(),
    userId: (await b.one('User')).id,
    userGroupId: undefined,
    recurrence: undefined,
    ...(all ? { owner: 1, ownerId: (await b.one('Container')).id } : {}),
  }),
  '/plan/:id/assign': b => ({ userId: b.person.id }),
  '/plan/schedule': async b => ({ containerIds: [(await b.one('Container')).id], itemIds: undefined }),
  '/plan/scenario/:id/change': async b => ({
    entity: 'Item',
    recordId: (await b.one('Item')).id,
    op: 1,
    values: { estimateMinutes: 60 },
  }),
  '/plan/scenario/:id/merge': () => ({ resolve: undefined }),
  Baseline: async b => ({ containerIds: [(await b.one('Container')).id], at: undefined }),
  ItemTemplate: async (b, all) =>
    all
      ? {
          owner: 1,
          ownerId: (await b.one('Container')).id,
          variables: undefined,
          items: [
            { key: 'a', title: b.text(), description: b.text(), assignees: [b.person.id], start: { days: 1 } },
            {
              key: 'b',
              parentKey: 'a',
              title: b.text(),
              processId: (await b.one('Process')).id,
              checklist: [b.text()],
              checklistBy: [{ entry: 0, userId: b.person.id }],
              watchers: [b.person.id],
            },
          ],
          // Links would be left without their items, when a test clears these alone.
          links: [],
        }
      : {},
  '/item-template/:id/create': async b => ({
    containerId: (await b.one('Container')).id,
    anchor: '2030-01-01',
    variables: {},
    parentId: undefined,
    people: {},
  }),
  '/item/:id/template': () => ({ owner: 0, ownerId: undefined, anchor: undefined }),
  LeaveAllowance: () => ({ year: years++, carriedUntil: undefined }),
}

async function leave(b: SeedBuilder, ...verbs: string[]): Promise<Body> {
  const made = await b.person.post('/time/leave', { ...nextMonth(), userId: b.person.id, note: b.text() })
  for (const verb of verbs) await b.person.post(`/time/leave/${made.id}/${verb}`, { comment: b.text() })
  return made
}

/** Path parameters that name something else than a record; see `parameters`. */
export const planParameters: Record<string, (builder: SeedBuilder) => Promise<string>> = {
  '/plan/scenario/:id/change/:recordId': async b => (await b.one('Item')).id,
  '/user/me/calendar-feed/:feedId': async b => (await b.person.post('/user/me/calendar-feed', { name: b.text() })).id,
}

/** The records in the state that an operation on a plan needs; see `subjects`. */
export const planSubjects: Record<string, (builder: SeedBuilder) => Promise<Body>> = {
  'POST /time/leave/:id/approve': b => leave(b, 'reject'),
  'POST /time/leave/:id/reject': b => leave(b),
  'POST /time/leave/:id/cancel': b => leave(b),
  'DELETE /plan/scenario/:id/change/:recordId': async b => {
    const made = await b.person.post('/plan/scenario', { name: b.text() })
    const values = { estimateMinutes: 90 }
    const change = { entity: 'Item', recordId: (await b.one('Item')).id, op: 1, values }
    await b.person.post(`/plan/scenario/${made.id}/change`, change)
    return made
  },
  'POST /plan/scenario/:id/merge': b => b.person.post('/plan/scenario', { name: b.text() }),
  'POST /plan/scenario/:id/drop': b => b.person.post('/plan/scenario', { name: b.text() }),
  'POST /plan/scenario/:id/reopen': b => b.person.post('/plan/scenario', { name: b.text() }),
}
