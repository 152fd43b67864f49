import { randomBytes } from 'node:crypto'
import type { Body, Builder } from './builder.ts'

type Seed = (builder: Builder, all: boolean, path: string) => Promise<Body> | Body

/** What no schema tells: values that must fit each other, or have a form of their own. By kind, or by path. */
export const seeds: Record<string, Seed> = {
  User: (b, all) => ({
    email: `${b.text()}@example.com`,
    ...(all ? { role: 3, locale: 'en', locked: '2020-01-01T00:00:00.000Z', workingHours: '' } : {}),
  }),
  AccessControl: async b => ({
    expiresAt: b.instant(),
    userId: (await b.one('User')).id,
    userGroupId: undefined,
    role: 3,
    owner: 1,
    ownerId: (await b.one('Container')).id,
  }),
  ApiKey: (_b, all) => (all ? { scopes: ['clock:read'], allowedIps: ['127.0.0.0/8'] } : {}),
  AppSetting: b => ({ key: b.text(), scope: 0, ownerId: undefined }),
  Container: async (b, all) => ({
    key: `C${randomBytes(4).toString('hex')}`.toUpperCase(),
    ...(all ? { processIds: [(await b.one('Process')).id], defaultProcessId: (await b.one('Process')).id } : {}),
  }),
  Field: (b, all, path) => ({
    ...(all ? { key: b.text(), pattern: '.*', min: 1, max: 2 } : {}),
    ...(all && !/\/field\/./.test(path) ? { fieldType: 'text' } : { fieldType: undefined }),
    ...(/select/i.test(path) ? { options: [{ label: b.text() }, { label: b.text() }] } : {}),
  }),
  Folder: (_b, all) => (all ? { parentId: undefined } : {}),
  Area: async b => ({ parentId: undefined, owner: 1, ownerId: (await b.one('Container')).id }),
  Item: async (b, all) =>
    all
      ? {
          visibility: 0,
          areaId: (await b.one('Area')).id,
          containerId: (await b.one('Container')).id,
          Field: [{ fieldId: (await b.one('Field')).id, value: b.text() }],
          Time: [{ userId: b.person.id, date: '2026-03-31', minutes: 45, note: b.text(), externalId: b.text() }],
        }
      : {},
  Time: async (b, all) => ({
    itemId: (await b.one('Item')).id,
    minutes: 30,
    note: b.text(),
    ...(all
      ? { userId: b.person.id, nonBillable: undefined, date: '2026-03-31', end: '2026-03-31T09:30:00.000Z' }
      : {}),
  }),
  Clock: (_b, all) => (all ? { nonWorkingDay: ['2026-12-25'] } : {}),
  Process: async (b, all) =>
    all
      ? {
          fields: [{ fieldId: (await b.one('Field')).id, order: 1, required: true }],
          workflow: [
            {
              id: b.text(),
              fieldId: (await b.one('Field')).id,
              value: b.text(),
              next: '',
              userGroup: [(await b.one('UserGroup')).id],
            },
          ],
        }
      : {},
  Rule: (b, all) =>
    all
      ? {
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
      : {},
  MailGeneral: b => ({ domainStopList: [`${b.text()}.example`] }),
  File: async (b, all) => ({
    ...(all ? { owner: 1, ownerId: (await b.one('Container')).id } : {}),
    file: `bytes of ${b.text()}`,
  }),
  '/item/bulk': async b => ({
    Field: [{ fieldId: (await b.one('Field')).id, value: b.text() }],
    Time: [{ userId: b.person.id, date: '2026-03-31', minutes: 45, note: b.text() }],
    areaId: (await b.one('Area')).id,
    containerId: (await b.one('Container')).id,
  }),
  '/insight/report/user-timesheet': b => ({ userId: b.person.id }),
  '/user/:id/password': b => ({ password: `${b.text()} and some more`, current: undefined }),
}
