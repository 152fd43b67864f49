import { madeOnce } from './made-once.ts'
import type { Body, Seed, SeedBuilder } from './seed.ts'

/** A calendar whose group holds the builder's person. */
const calendarOfPerson = madeOnce(async b => {
  const group = await b.person.post('/user-group', { name: b.text(), members: [b.person.id] })
  return await b.person.post('/time/calendar', {
    name: b.text(),
    userGroups: [group.id],
    approval: 1,
    selfApproval: true,
  })
})

const weeks = new Map<string, number>()

/** Returns a day in a week that no other record is in. */
async function freeDay(b: SeedBuilder): Promise<Body> {
  await calendarOfPerson(b)
  const week = (weeks.get(b.person.id) ?? 0) + 1
  weeks.set(b.person.id, week)
  return { userId: b.person.id, date: new Date(Date.UTC(2044, 0, 4 + 7 * week)).toISOString().slice(0, 10) }
}

/** Returns a new sheet after these verbs. */
async function sheetAfter(b: SeedBuilder, ...verbs: string[]): Promise<Body> {
  let sheet = await b.person.post('/time/sheet/day', await freeDay(b))
  for (const verb of verbs) sheet = await b.person.post(`/time/sheet/${sheet.id}/${verb}`, {})
  return sheet
}

/** The properties of an entry in a list of new ones that cannot be generated. */
const oneTime = {
  ...{ seconds: 60, minutes: 1, hours: undefined, start: undefined, end: undefined, state: 1, billRate: undefined },
  ...{ userId: undefined, nonBillable: undefined, jobRoleId: undefined, skuId: undefined, budgetReasonId: undefined },
}

/** Returns an approved entry in the builder's container. */
async function approvedTime(b: SeedBuilder): Promise<Body> {
  const day = await freeDay(b)
  const item = await b.person.post('/item', { title: b.text(), containerId: (await b.one('Container')).id })
  const entry = await b.person.post('/time', { ...day, itemId: item.id, seconds: 600 })
  const sheet = await b.person.post('/time/sheet/day', day)
  for (const verb of ['submit', 'approve']) await b.person.post(`/time/sheet/${sheet.id}/${verb}`, {})
  return entry
}

/** Sheets in the state that a verb needs; see `subjects`. */
export const timesheetSubjects: Record<string, (builder: SeedBuilder) => Promise<Body>> = {
  'POST /time/:id/correct': approvedTime,
  'POST /time/sheet/day': calendarOfPerson,
  'POST /time/sheet/:id/submit': b => sheetAfter(b),
  'POST /time/sheet/:id/recall': b => sheetAfter(b, 'submit'),
  'POST /time/sheet/:id/approve': b => sheetAfter(b, 'submit'),
  'POST /time/sheet/:id/reject': b => sheetAfter(b, 'submit'),
  'POST /time/sheet/:id/reopen': b => sheetAfter(b, 'submit', 'approve'),
  'POST /time/sheet/:id/lock': b => sheetAfter(b, 'submit', 'approve'),
  'POST /time/sheet/:id/unlock': b => sheetAfter(b, 'submit', 'approve', 'lock'),
}

/** The service makes sheets itself; see `parameters`. */
export const timesheetParameters: Record<string, (builder: SeedBuilder) => Promise<string>> = {
  '/time/sheet/:id': async b => (await sheetAfter(b)).id,
}

const timer: Seed = async b => ({
  itemId: (await b.one('Item')).id,
  nonBillable: undefined,
  startedAt: undefined,
})

/** The seeds of timers, calendars, timesheets and delegations; see `seeds`. */
export const timesheetSeeds: Record<string, Seed> = {
  Time: async (b, all) => ({
    itemId: (await b.one('Item')).id,
    seconds: 1800,
    minutes: 30,
    hours: 0.5,
    note: b.text(),
    ...(all
      ? {
          userId: b.person.id,
          nonBillable: undefined,
          date: '2026-03-31',
          start: '2026-03-31T09:00:00.000Z',
          end: '2026-03-31T09:30:00.000Z',
        }
      : {}),
  }),
  '/time/timer/start': timer,
  '/time/timer/switch': timer,
  '/time/timer': timer,
  '/time/timer/stop': () => ({ at: undefined }),
  '/time/week/:date': async b => ({
    userId: undefined,
    cells: [{ itemId: (await b.one('Item')).id, date: '2026-03-31', seconds: 60, note: b.text() }],
  }),
  TimeCalendar: (_b, all) => (all ? { kind: 3, dates: ['2990-01-01', '2990-02-01'] } : {}),
  TimeDelegation: async (b, all) => ({
    toUserId: (await b.one('User')).id,
    from: '2990-01-01',
    to: '2990-01-31',
    note: b.text(),
    ...(all ? { fromUserId: b.person.id } : {}),
  }),
  Timesheet: () => ({ containerIds: undefined }),
  '/time/sheet/day': freeDay,
  '/time/sheet/bulk': async b => ({ ids: [(await b.one('Timesheet')).id], verb: 'submit', comment: b.text() }),
  '/time/:id/correct': b => ({
    reason: b.text(),
    seconds: 60,
    ...{ minutes: undefined, hours: undefined, itemId: undefined, nonBillable: undefined, billable: undefined },
  }),
  '/time/bulk': async b => ({ ...oneTime, itemId: (await b.one('Item')).id, date: '2026-03-31', note: b.text() }),
  'PATCH /time': async b => ({ ids: [(await b.one('Time')).id], patch: { note: b.text() } }),
  '/time/close': b => ({ until: '1990-01-01', reason: b.text() }),
}
