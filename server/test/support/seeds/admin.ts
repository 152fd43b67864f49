import { costSplit } from './finance.ts'
import { madeOnce } from './made-once.ts'
import type { Body, Seed, SeedBuilder } from './seed.ts'

/** An identity provider with a redirect. */
const offeredProvider = madeOnce(async b => {
  const known = await b.rich('EntraMeta')
  const issuer = `https://${b.text()}.invalid`
  return known.active
    ? known
    : await b.person.post('/entra-meta', { name: b.text(), provider: 'oidc', issuer, clientId: 'x', active: true })
})

const emptyDocument = { document: { format: 'gantry-configuration', version: 1, kinds: {} } }

/** The seeds of people, rights and settings; see `seeds`. */
export const adminSeeds: Record<string, Seed> = {
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
  OAuthClient: (b, all) => ({
    redirectUris: [`https://${b.text()}.invalid/callback`],
    kind: 1, // only a confidential one has a secret
    ...(all ? { homepage: 'https://program.invalid', scopes: ['item:read'] } : {}),
  }),
  '/oauth-client/:id/secret': () => ({ graceMinutes: 5 }),
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
  '/user/me/identity/start': async b => ({ entraMetaId: (await offeredProvider(b)).id }),
  Tenant: b => ({ domains: [`${b.text()}.example`], slug: undefined }),
  AppSetting: (b, _all, path) =>
    path.endsWith('/revert') ? { version: 1 } : { key: b.text(), scope: 0, ownerId: undefined },
  '/config/plan': () => emptyDocument,
  '/config/apply': () => ({ ...emptyDocument, planHash: undefined, remove: false }),
  '/user/:id/password': b => ({ password: `${b.text()} and some more`, current: undefined }),
}

/** A user whom no other test needs. */
async function newUser(b: SeedBuilder): Promise<Body> {
  return await b.person.post('/user', { name: b.text(), email: `${b.text()}@example.com` })
}

/** Path parameters that name something else than a record; see `parameters`. */
export const adminParameters: Record<string, (builder: SeedBuilder) => Promise<string>> = {
  '/audit/:id': async b => (await b.person.get('/audit?limit=1'))[0].id,
  '/user/:id/session/:sessionId': async () => crypto.randomUUID(), // only a browser makes one
  '/session/:id': async () => crypto.randomUUID(),
  '/user/:id/consent/:consentId': async () => crypto.randomUUID(), // only a browser makes one
  '/user/me/passkey/:id': async () => crypto.randomUUID(), // only a device makes one
}

/** Records in the state that an operation needs; see `subjects`. */
export const adminSubjects: Record<string, (builder: SeedBuilder) => Promise<Body>> = {
  'POST /user/:id/deactivate': newUser,
  'POST /user/:id/anonymise': newUser,
  'POST /user/:id/invite': newUser,
}
