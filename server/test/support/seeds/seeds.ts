import { randomBytes } from 'node:crypto'
import { billingSeeds, billingSubjects } from './billing.ts'
import { documentParameters, documentSeeds, documentSubjects } from './documents.ts'
import { costSplit, financeSeeds } from './finance.ts'
import { insightParameters, insightSeeds } from './insight.ts'
import { planParameters, planSeeds, planSubjects } from './plan.ts'
import type { Body, Seed, SeedBuilder } from './seed.ts'
import { timesheetParameters, timesheetSeeds, timesheetSubjects } from './time.ts'

export type { Body } from './seed.ts'

const inContainer = new WeakMap<SeedBuilder, Promise<Body>>()

/** Returns an item in the builder's container; the same one each time. */
function itemInContainer(b: SeedBuilder): Promise<Body> {
  const made = inContainer.get(b) ?? newItemInContainer(b)
  inContainer.set(b, made)
  return made
}

async function newItemInContainer(b: SeedBuilder): Promise<Body> {
  return await b.person.post('/item', { title: b.text(), containerId: (await b.one('Container')).id })
}

const queues = new WeakMap<SeedBuilder, Promise<Body>>()

/** Returns a group with a member; the same one each time. */
function queue(b: SeedBuilder): Promise<Body> {
  const made = queues.get(b) ?? b.person.post('/user-group', { name: b.text(), members: [b.person.id] })
  queues.set(b, made)
  return made
}

const providers = new WeakMap<SeedBuilder, Promise<Body>>()

/** Returns an identity provider with a redirect; the same one each time. */
function offeredProvider(b: SeedBuilder): Promise<Body> {
  const made = providers.get(b) ?? newProvider(b)
  providers.set(b, made)
  return made
}

async function newProvider(b: SeedBuilder): Promise<Body> {
  const known = await b.rich('EntraMeta')
  const issuer = `https://${b.text()}.invalid`
  return known.active
    ? known
    : await b.person.post('/entra-meta', { name: b.text(), provider: 'oidc', issuer, clientId: 'x', active: true })
}

const macros = new WeakMap<SeedBuilder, Promise<Body>>()

/** Returns a template that changes a ticket; the same one each time. */
function macro(b: SeedBuilder): Promise<Body> {
  const made = macros.get(b) ?? newMacro(b)
  macros.set(b, made)
  return made
}

async function newMacro(b: SeedBuilder): Promise<Body> {
  const ownerId = (await b.one('Container')).id
  return await b.person.post('/content-template', { name: b.text(), kind: 6, body: b.text(), owner: 1, ownerId })
}

/** A merge needs a target in the container; a split is sent without messages. */
async function forMerging(b: SeedBuilder, path: string): Promise<Body> {
  return path.endsWith('/merge') ? { into: (await itemInContainer(b)).id } : { annotationIds: undefined }
}

const emptyDocument = { document: { format: 'gantry-configuration', version: 1, kinds: {} } }

/** The consequences of an approval have an input format of their own. */
const nothingElse = { onApprove: undefined, onReject: undefined }

/** A rule that is run manually. */
const button = { active: true, trigger: 3 }

/** A picture of one pixel whose bytes are all ASCII. What follows it is ignored. */
const smallestGif = 'GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02L\x01\0;'

const holidays = { holidayCountry: 'DE-BY', holidayFeed: 'https://example.com/holidays.ics' }

/**
 * The values that no schema describes, because they must fit each other or have a special format. By kind, by path, or
 * by route.
 */
export const seeds: Record<string, Seed> = {
  ...documentSeeds,
  ...timesheetSeeds,
  ...billingSeeds,
  ...financeSeeds,
  ...planSeeds,
  User: async (b, all) => ({
    email: `${b.text()}@example.com`,
    ...(all ? { role: 3, locale: 'en', locked: '2020-01-01T00:00:00.000Z', workingHours: '' } : {}),
    ...(all ? { absence: [{ from: '2026-03-02', to: '2026-03-31', kind: 1, note: b.text() }] } : {}),
    ...(all ? { rates: [{ from: '2026-01-01', to: null, cost: '60.0000', bill: '120.0000', currency: '' }] } : {}),
    ...(all
      ? { capacity: [{ from: '2026-01-01', to: null, minutesPerWeekday: [8, 8, 8, 8, 8, 0, 0], clockId: '' }] }
      : {}),
    ...(all ? { split: await costSplit(b) } : {}),
  }),
  UserGroup: (_b, all) => (all ? { source: 0 } : {}), // a group from a directory can only be changed there
  '/user/:id/deactivate': b => ({ reassignTo: b.person.id }),
  'POST /item/:id/break-glass': b => ({ reason: b.text() }),
  AccessControl: async b => ({
    expiresAt: b.instant(),
    userId: (await b.one('User')).id,
    userGroupId: undefined,
    audience: undefined,
    role: 3,
    owner: 1,
    ownerId: (await b.one('Container')).id,
  }),
  ApiKey: (_b, all) => (all ? { scopes: ['clock:read'], allowedIps: ['127.0.0.0/8'] } : {}),
  EntraMeta: (b, all) =>
    all
      ? {
          provider: 'oidc',
          entraTenantId: crypto.randomUUID(),
          issuer: `https://${b.text()}.invalid/tenant`, // the host does not exist, so the request fails quickly
          clientSecret: undefined, // never returned as it was sent
          allowedDomains: [`${b.text()}.example`],
        }
      : {},
  Hook: b => ({ url: `https://${b.text()}.invalid/hook`, secret: undefined, headers: undefined }), // never returned as sent
  '/hook/:id/redeliver': b => ({ from: b.instant(), to: undefined, after: undefined }),
  '/user/me/identity/start': async b => ({ entraMetaId: (await offeredProvider(b)).id }),
  Tenant: b => ({ domains: [`${b.text()}.example`], slug: undefined }),
  AppSetting: (b, _all, path) =>
    path.endsWith('/revert') ? { version: 1 } : { key: b.text(), scope: 0, ownerId: undefined },
  '/config/plan': () => emptyDocument,
  '/config/apply': () => ({ ...emptyDocument, planHash: undefined, remove: false }),
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
  '/rule/dry-run': async b => ({
    rule: button,
    itemId: (await itemInContainer(b)).id,
    since: undefined,
    until: undefined,
  }),
  Folder: (_b, all) => (all ? { parentId: undefined } : {}),
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
  Item: async (b, all, path) =>
    path.startsWith('/chat/')
      ? { containerId: (await b.one('Container')).id }
      : /\/(merge|unmerge|split)$/.test(path)
        ? await forMerging(b, path)
        : path.endsWith('/rank')
          ? { before: undefined, after: (await itemInContainer(b)).id }
          : all
            ? {
                visibility: 0,
                archived: false, // only closed items can be archived
                areaId: (await b.one('Area')).id,
                containerId: (await b.one('Container')).id,
                Field: [{ fieldId: (await b.one('Field')).id, value: b.text() }],
                Time: [{ userId: b.person.id, date: '2026-03-31', minutes: 45, note: b.text(), externalId: b.text() }],
              }
            : {},
  Label: async (b, _all, path) => (path.endsWith('/merge') ? {} : { owner: 1, ownerId: (await b.one('Container')).id }),
  // A pair is linked only once, so each link has its own target item, or an external target.
  Link: async (b, all) => ({
    fromId: (await itemInContainer(b)).id,
    ...(all
      ? { toId: (await newItemInContainer(b)).id, external: undefined }
      : { external: { url: `https://example.com/${b.text()}` } }),
  }),
  Annotation: async (b, all, path) => {
    if (path.endsWith('/publish')) return { confirm: true }
    if (path.startsWith('/chat/')) return { kind: 0 }
    // About a container or, with all properties, about an item in it.
    return {
      kind: 0,
      ...(all
        ? {
            itemId: (await itemInContainer(b)).id,
            owner: undefined,
            ownerId: undefined,
            mail: { messageId: b.text(), to: [`${b.text()}@example.com`], cc: [`${b.text()}@example.com`] },
          }
        : { itemId: undefined, owner: 1, ownerId: (await b.one('Container')).id }),
      replyToId: undefined,
      attachments: undefined,
      timeId: undefined,
      restrictedTo: undefined,
    }
  },
  Ticket: async (b, all, path) => {
    if (/\/(reply|note)$/.test(path)) return { attachments: undefined, replyToId: undefined }
    if (path.endsWith('/snooze')) return { until: b.instant() }
    if (path.endsWith('/assign-next')) return { groupId: (await queue(b)).id }
    if (path.endsWith('/macro')) return { templateId: (await macro(b)).id }
    if (/\/(merge|unmerge|split)$/.test(path)) return await forMerging(b, path)
    if (!/^\/ticket(\/:id)?$/.test(path)) return {}
    await macro(b) // the macro is created now, so that no record is created later where nothing may change
    return {
      containerId: (await b.one('Container')).id,
      ...(all
        ? {
            queueGroupId: (await queue(b)).id,
            visibility: 0,
            archived: false,
            areaId: undefined,
            parentId: undefined,
            Time: undefined,
            Field: undefined,
          }
        : {}),
    }
  },
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
  // A personal one would be visible to its owner only.
  ContainerFilter: (_b, all) => (all ? { ownerUserId: undefined } : {}),
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
  ContentTemplate: (b, all) =>
    all ? { format: 'text', userGroup: [], locales: { de: { subject: b.text(), body: b.text() } } } : {},
  '/clock/:id/preview': () => ({
    nonWorkingDay: ['2026-12-25'],
    startFrom: 'created',
    targets: undefined,
    ...holidays,
  }),
  '/clock/:id/calc': () => ({ from: '2026-03-27T15:00:00.000Z', to: undefined, minutes: 240 }),
  '/content-template/preview': b => ({ templateId: undefined, template: { name: b.text(), body: b.text() } }),
  '/constraint/dry-run': b => ({ constraint: { name: b.text(), then: [{ kind: 0, field: 'dueDate' }] } }),
  ChatRoom: async b => ({
    topic: b.text(),
    kind: 0,
    members: undefined,
    owner: 3,
    ownerId: (await itemInContainer(b)).id,
  }),
  ChatMessage: () => ({ replyToId: undefined }),
  Watch: async b => ({
    userId: undefined,
    userGroupId: undefined,
    email: `${b.text()}@example.com`,
    owner: 1,
    ownerId: (await b.one('Container')).id,
  }),
  '/chat/:id/read': () => ({ messageId: undefined }),
  Notification: (_b, all) => (all ? { schedule: 'FREQ=DAILY', at: '08:00', groupBy: 'status' } : {}),
  '/notification/inbox/read': () => ({ ids: undefined, all: true }),
  '/notification/inbox/archive': () => ({ ids: undefined, all: true }),
  '/notification/inbox/snooze': b => ({ ids: undefined, all: true, until: b.instant() }),
  '/notification/preference': () => ({ events: [{ event: 'item.updated', inbox: true, mail: false }] }),
  MailGeneral: b => ({
    domainStopList: [`${b.text()}.example`],
    mailRecipientDomains: [`${b.text()}.example`],
    trustedSenders: [`${b.text()}.example`],
    allowedAttachmentTypes: ['image/*'],
    loopQuotas: [{ scope: 0, count: 10, minutes: 10 }],
  }),
  Mailbox: (b, all) => ({
    address: `${b.text()}@example.com`,
    ...(all
      ? {
          imap: { host: `${b.text()}.invalid`, port: 993, security: 0, user: b.text(), folder: b.text() },
          smtp: { host: `${b.text()}.invalid`, port: 465, security: 0, user: b.text() },
          password: undefined, // never returned as it was sent
          smtpPassword: undefined,
          clientSecret: undefined,
          refreshToken: undefined,
          dkimKey: undefined,
          defaults: { priority: 1 },
        }
      : {}),
  }),
  MailMessage: async (b, _all, path) =>
    path.endsWith('/release')
      ? {}
      : {
          mailboxId: (await b.one('Mailbox')).id,
          raw: `From: a@example.com\r\nSubject: ${b.text()}\r\n\r\n${b.text()}`,
        },
  MailSuppression: b => ({ address: `${b.text()}@example.com` }),
  File: async (b, all) => ({
    ...(all ? { owner: 1, ownerId: (await b.one('Container')).id } : {}),
    file: `${smallestGif}bytes of ${b.text()}`,
  }),
  '/item/bulk': async b => ({
    Field: [{ fieldId: (await b.one('Field')).id, value: b.text() }],
    Time: [{ userId: b.person.id, date: '2026-03-31', minutes: 45, note: b.text() }],
    archived: false,
    areaId: (await b.one('Area')).id,
    containerId: (await b.one('Container')).id,
  }),
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
  'PATCH /item': async b => ({
    conditionGroup: undefined,
    all: undefined,
    ids: [(await b.one('Item')).id],
    patch: { priority: 2 },
  }),
  '/item/move': async b => ({
    itemIds: [(await itemInContainer(b)).id],
    containerId: (await b.one('Container')).id,
    areaId: undefined,
    processId: undefined,
    status: undefined,
  }),
  '/item/delete': async b => ({ itemIds: [(await itemInContainer(b)).id] }),
  '/item/:id/move': async b => ({
    containerId: (await b.one('Container')).id,
    areaId: undefined,
    processId: undefined,
  }),
  '/item/:id/close-duplicates': () => ({}),
  '/item/:id/copy': () => ({ parentId: undefined }),
  '/item/:id/convert': () => ({ parentId: undefined }),
  '/container/:id/copy': () => ({ key: undefined }),
  '/item/:id/recurrence': () => ({ rule: 'FREQ=DAILY', mode: 0 }),
  '/container/:id/member': async b => ({ userId: (await b.one('User')).id, userGroupId: undefined, role: 3 }),
  '/item/search': async (b, all) =>
    all
      ? {
          q: b.text(),
          container: [(await b.one('Container')).id],
          conditionGroup: [{ condition: [{ leftSide: 'title', operator: 31, rightSide: b.text() }] }],
          sort: '-updated',
          fields: 'title',
          include: 'clock,can',
          cursor: undefined,
          count: 'exact',
        }
      : {},
  '/item/count': async (b, all) => ({
    queries: all ? [{ containerId: (await b.one('Container')).id, q: b.text() }] : [{}],
  }),
  '/insight/report/user-timesheet': b => ({ userId: b.person.id }),
  ...insightSeeds,
  '/user/:id/password': b => ({ password: `${b.text()} and some more`, current: undefined }),
}

async function recurring(b: SeedBuilder): Promise<Body> {
  const item = await newItemInContainer(b)
  await b.person.put(`/item/${item.id}/recurrence`, { rule: 'FREQ=DAILY' })
  return item
}

async function closedItem(b: SeedBuilder): Promise<Body> {
  const containerId = (await b.one('Container')).id
  return await b.person.post('/item', { title: b.text(), containerId, status: 'Closed', statusCategory: 4 })
}

/** Returns an item with an approval for a group whose only member is the caller. */
async function askedItem(b: SeedBuilder): Promise<Body> {
  const item = await newItemInContainer(b)
  await b.person.post('/approval', { itemId: item.id, groupId: (await queue(b)).id })
  return item
}

/** Returns a user whom no other test needs. */
async function newUser(b: SeedBuilder): Promise<Body> {
  return await b.person.post('/user', { name: b.text(), email: `${b.text()}@example.com` })
}

/** Returns a cycle of the builder's container in the given state. */
async function turnedCycle(b: SeedBuilder, ...verbs: string[]): Promise<Body> {
  const containerId = (await b.one('Container')).id
  const cycle = await b.person.post('/cycle', { name: b.text(), containerId, parallel: true })
  for (const verb of verbs) await b.person.post(`/cycle/${cycle.id}/${verb}`, {})
  return cycle
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

/** Path parameters that name something else than a record. By path. */
export const parameters: Record<string, (builder: SeedBuilder) => Promise<string>> = {
  ...timesheetParameters,
  '/audit/:id': async b => (await b.person.get('/audit?limit=1'))[0].id,
  '/hook/delivery/:id': async b => (await b.person.post(`/hook/${(await b.one('Hook')).id}/test`, {})).id,
  '/mail/outbound/:id': async b =>
    (await b.person.post(`/mail/mailbox/${(await b.one('Mailbox')).id}/send-test`, undefined)).id,
  '/meta/entity/:name': async () => 'Item',
  ...insightParameters,
  ...planParameters,
  ...documentParameters,
  '/user/:id/session/:sessionId': async () => crypto.randomUUID(), // only a browser makes one
  '/session/:id': async () => crypto.randomUUID(),
  '/user/me/passkey/:id': async () => crypto.randomUUID(), // only a device makes one
  '/change/:id': async b => {
    const item = await b.person.post('/item', { title: b.text() })
    const { headers } = await b.person.ask('PUT', `/item/${item.id}`, { body: { title: b.text() } })
    return headers.get('change-set') ?? ''
  },
}

/** Records in the state that an operation needs: for example, only a started one can be finished. By route. */
export const subjects: Record<string, (builder: SeedBuilder) => Promise<Body>> = {
  ...billingSubjects,
  ...timesheetSubjects,
  'GET /item/:id/recurrence': recurring,
  'DELETE /item/:id/recurrence': recurring,
  'DELETE /container/:id/member/:userId': async b => {
    const container = await b.one('Container')
    await b.person.put(`/container/${container.id}/member`, { userId: (await b.one('User')).id, role: 3 })
    return container
  },
  'POST /cycle/:id/finish': b => turnedCycle(b, 'start'),
  'POST /item/:id/archive': closedItem,
  'POST /item/:id/approve': askedItem,
  'POST /item/:id/reject': askedItem,
  'POST /user/:id/deactivate': b => newUser(b),
  'POST /user/:id/anonymise': b => newUser(b),
  'POST /user/:id/invite': b => newUser(b),
  ...planSubjects,
  ...documentSubjects,
  'POST /cycle/:id/reopen': b => turnedCycle(b, 'start', 'finish'),
}

/** The operations that need what no seed has: a password or a code of the caller, or a session. Their own tests cover them. */
export const beyondSeeds: ReadonlySet<string> = new Set([
  'POST /user/me/second-factor',
  'POST /user/me/second-factor/confirm',
  'POST /user/me/second-factor/recovery-codes',
  'POST /user/me/second-factor/remove',
  'DELETE /user/:id/session/:sessionId',
  'DELETE /session/:id',
  'POST /user/me/passkey',
  'POST /user/me/passkey/options',
  'DELETE /user/me/passkey/:id',
  // Somebody else must have proposed it.
  'POST /finance/budget/:budgetId/entry/:entryId/approve',
  'POST /finance/budget/:budgetId/entry/:entryId/reject',
  // A user has one timer, which the others start and end.
  'PATCH /time/timer',
  'DELETE /time/timer',
  'POST /time/timer/start',
  'POST /time/timer/stop',
])
