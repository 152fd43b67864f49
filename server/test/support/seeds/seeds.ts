import { adminParameters, adminSeeds, adminSubjects } from './admin.ts'
import { billingSeeds, billingSubjects } from './billing.ts'
import { containersSeeds, containersSubjects } from './containers.ts'
import { deskSeeds, deskSubjects } from './desk.ts'
import { documentHeaders, documentParameters, documentSeeds, documentSubjects } from './documents.ts'
import { financeSeeds } from './finance.ts'
import { insightParameters, insightSeeds } from './insight.ts'
import { itemsParameters, itemsSeeds, itemsSubjects } from './items.ts'
import { mailParameters, mailSeeds } from './mail.ts'
import { notifyParameters, notifySeeds } from './notify.ts'
import { planParameters, planSeeds, planSubjects } from './plan.ts'
import { rulesParameters, rulesSeeds, rulesSubjects } from './rules.ts'
import type { Body, Seed, SeedBuilder } from './seed.ts'
import { timesheetParameters, timesheetSeeds, timesheetSubjects } from './time.ts'

export type { Body } from './seed.ts'

/**
 * The values that no schema describes, because they must fit each other or have a special format. By kind, by path, or
 * by route.
 */
export const seeds: Record<string, Seed> = {
  'POST /batch': () => ({ operations: [{ method: 'GET', path: '/item?limit=1' }] }),
  'PATCH /user': async b => ({ ids: [(await b.one('User')).id], patch: { name: b.text() } }),
  'PATCH /label': async b => ({ ids: [(await b.one('Label')).id], patch: { name: b.text() } }),
  'PATCH /container': async b => ({ ids: [(await b.one('Container')).id], patch: { name: b.text() } }),
  'PATCH /link': async b => ({ ids: [(await b.one('Link')).id], patch: { type: 'relates' } }),
  'PATCH /annotation': async b => ({ ids: [(await b.one('Annotation')).id], patch: { body: b.text() } }),
  '/user/bulk': newRow(adminSeeds.User),
  '/label/bulk': newRow(containersSeeds.Label),
  '/container/bulk': newRow(containersSeeds.Container),
  '/link/bulk': newRow(itemsSeeds.Link, { named: false }),
  '/annotation/bulk': newRow(deskSeeds.Annotation, { named: false }),
  ...adminSeeds,
  ...containersSeeds,
  ...itemsSeeds,
  ...deskSeeds,
  ...documentSeeds,
  ...timesheetSeeds,
  ...billingSeeds,
  ...financeSeeds,
  ...planSeeds,
  ...rulesSeeds,
  ...mailSeeds,
  ...notifySeeds,
  ...insightSeeds,
}

/** A row that creates a record: like the body of the creation, which requires a name of most kinds. */
function newRow(seed: Seed | undefined, { named = true } = {}): Seed {
  return async (b, all, path) => ({
    ...(named ? { name: b.text() } : {}),
    ...(await seed?.(b, all, path)),
    id: undefined,
  })
}

const known = new WeakMap<SeedBuilder, Map<string, Promise<Body>>>()

/** Returns the record for an operation that needs a certain state; the same one each time. */
export function subjectOf(b: SeedBuilder, route: string): Promise<Body> | undefined {
  const all = known.get(b) ?? new Map<string, Promise<Body>>()
  known.set(b, all)
  const made = all.get(route) ?? subjects[route]?.(b)
  if (made) all.set(route, made)
  return made
}

/** The headers that an operation requires. By route. */
export const requiredHeaders: Record<string, Record<string, string>> = documentHeaders

/** Path parameters that name something else than a record. By path. */
export const parameters: Record<string, (builder: SeedBuilder) => Promise<string>> = {
  '/meta/entity/:name': async () => 'Item',
  ...adminParameters,
  ...itemsParameters,
  ...documentParameters,
  ...timesheetParameters,
  ...planParameters,
  ...mailParameters,
  ...notifyParameters,
  ...insightParameters,
  ...rulesParameters,
}

/** Records in the state that an operation needs: for example, only a started one can be finished. By route. */
export const subjects: Record<string, (builder: SeedBuilder) => Promise<Body>> = {
  ...adminSubjects,
  ...containersSubjects,
  ...itemsSubjects,
  ...deskSubjects,
  ...documentSubjects,
  ...timesheetSubjects,
  ...billingSubjects,
  ...planSubjects,
  ...rulesSubjects,
}

/** The operations that need what no seed has: a password or a code of the caller, or a session. Their own tests cover them. */
export const beyondSeeds: ReadonlySet<string> = new Set([
  'POST /user/me/second-factor',
  'POST /user/me/second-factor/confirm',
  'POST /user/me/second-factor/recovery-codes',
  'POST /user/me/second-factor/remove',
  'DELETE /user/:id/session/:sessionId',
  'DELETE /user/:id/consent/:consentId',
  'DELETE /session/:id',
  'POST /user/me/passkey',
  'POST /user/me/passkey/options',
  'DELETE /user/me/passkey/:id',
  // Somebody else must have proposed it.
  'POST /finance/budget/:budgetId/entry/:entryId/approve',
  'POST /finance/budget/:budgetId/entry/:entryId/reject',
  // Only a visitor of the portal begins such a room.
  'POST /chat/:id/to-ticket',
  // A user has one timer, which the others start and end.
  'PATCH /time/timer',
  'DELETE /time/timer',
  'POST /time/timer/start',
  'POST /time/timer/stop',
])
