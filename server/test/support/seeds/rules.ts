import { itemInContainer, newItemInContainer, queue } from './made-once.ts'
import type { Body, Seed, SeedBuilder } from './seed.ts'

/** The consequences of an approval have an input format of their own. */
const nothingElse = { onApprove: undefined, onReject: undefined }

/** A rule that is run manually. */
const button = { active: true, trigger: 3 }

const triedOverPeriod = { rule: { name: 'Tried', triggerEvent: 1 }, since: '2026-01-01T00:00:00.000Z' }

const holidays = { holidayCountry: 'DE-BY', holidayFeed: 'https://example.com/holidays.ics' }

/** The seeds of processes, rules, approvals and clocks; see `seeds`. */
export const rulesSeeds: Record<string, Seed> = {
  '/rule/dry-run': async b => ({
    rule: button,
    itemId: (await itemInContainer(b)).id,
    since: undefined,
    until: undefined,
  }),
  '/rule/dry-run/job': () => ({ ...triedOverPeriod, until: undefined }),
  Clock: (_b, all) => (all ? { nonWorkingDay: ['2026-12-25'], startFrom: 'created', ...holidays } : {}),
  Process: async (b, all) =>
    all
      ? {
          fields: [
            {
              fieldId: (await b.one('Field')).id,
              order: 1,
              required: true,
              requiredAt: [],
              readOnlyFor: [(await b.one('UserGroup')).id],
              hiddenFor: ['@requesters'],
              default: b.text(),
            },
          ],
          workflow: [
            {
              id: b.text(),
              fieldId: (await b.one('Field')).id,
              value: b.text(),
              next: '',
              userGroup: [(await b.one('UserGroup')).id],
              name: b.text(),
              color: '#336699',
              category: 1,
              initial: false,
              requires: ['title'],
              conditionGroup: [],
              pausesClock: true,
              screenId: b.text(),
            },
          ],
        }
      : {},
  Rule: (b, all) =>
    all
      ? {
          ...button,
          actionEndpoint: [
            {
              actionType: 40,
              url: `https://example.com/${b.text()}`,
              httpHeader: [`X-Token: ${b.text()}`],
              id: b.text(),
              active: true,
            },
          ],
        }
      : button,
  '/clock/:id/preview': () => ({
    nonWorkingDay: ['2026-12-25'],
    startFrom: 'created',
    targets: undefined,
    ...holidays,
  }),
  '/clock/:id/calc': () => ({ from: '2026-03-27T15:00:00.000Z', to: undefined, minutes: 240 }),
  Approval: async b => ({
    itemId: (await itemInContainer(b)).id,
    groupId: (await queue(b)).id,
    quorum: 1,
    text: b.text(),
    until: b.instant(),
    ...nothingElse,
  }),
  'POST /item/:id/approve': () => ({ approvalId: undefined }),
  'POST /item/:id/reject': () => ({ approvalId: undefined }),
}

/** Returns an item with an approval for a group whose only member is the caller. */
async function askedItem(b: SeedBuilder): Promise<Body> {
  const item = await newItemInContainer(b)
  await b.person.post('/approval', { itemId: item.id, groupId: (await queue(b)).id })
  return item
}

/** Path parameters that name something else than a record; see `parameters`. */
export const rulesParameters: Record<string, (builder: SeedBuilder) => Promise<string>> = {
  // A user has one job at a time, so that it must not go on; a suite that tries everything may have begun one.
  '/rule/dry-run/job/:id': async b => {
    const [begun] = await b.person.get('/rule/dry-run/job')
    const { id } = begun ?? (await b.person.post('/rule/dry-run/job', triedOverPeriod))
    await b.person.ask('POST', `/rule/dry-run/job/${id}/cancel`, { body: {} })
    return id
  },
}

/** Records in the state that an operation needs; see `subjects`. */
export const rulesSubjects: Record<string, (builder: SeedBuilder) => Promise<Body>> = {
  'POST /item/:id/approve': askedItem,
  'POST /item/:id/reject': askedItem,
}
