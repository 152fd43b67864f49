import type { Seed, SeedBuilder } from './seed.ts'

/** The seeds of notifications and webhooks; see `seeds`. */
export const notifySeeds: Record<string, Seed> = {
  Hook: b => ({ url: `https://${b.text()}.invalid/hook`, secret: undefined, headers: undefined }), // never returned as sent
  '/hook/:id/redeliver': b => ({ from: b.instant(), to: undefined, after: undefined }),
  Watch: async b => ({
    userId: undefined,
    userGroupId: undefined,
    email: `${b.text()}@example.com`,
    owner: 1,
    ownerId: (await b.one('Container')).id,
  }),
  Notification: (_b, all) => (all ? { schedule: 'FREQ=DAILY', at: '08:00', groupBy: 'status' } : {}),
  '/notification/preview': b => ({ notification: { name: b.text(), schedule: 'FREQ=DAILY' } }),
  '/notification/inbox/read': () => ({ ids: undefined, all: true }),
  '/notification/inbox/archive': () => ({ ids: undefined, all: true }),
  '/notification/inbox/snooze': b => ({ ids: undefined, all: true, until: b.instant() }),
  '/notification/preference': () => ({ events: [{ event: 'item.updated', inbox: true, mail: false }] }),
}

/** Path parameters that name something else than a record; see `parameters`. */
export const notifyParameters: Record<string, (builder: SeedBuilder) => Promise<string>> = {
  '/hook/delivery/:id': async b => (await b.person.post(`/hook/${(await b.one('Hook')).id}/test`, {})).id,
}
