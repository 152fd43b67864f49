import { forMerging, itemInContainer, newItemInContainer } from './made-once.ts'
import type { Body, Seed, SeedBuilder } from './seed.ts'

/** The seeds of items and links; see `seeds`. */
export const itemsSeeds: Record<string, Seed> = {
  'POST /item/:id/break-glass': b => ({ reason: b.text() }),
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
  // A pair is linked only once, so each link has its own target item, or an external target.
  Link: async (b, all) => ({
    fromId: (await itemInContainer(b)).id,
    ...(all
      ? { toId: (await newItemInContainer(b)).id, external: undefined }
      : { external: { url: `https://example.com/${b.text()}` } }),
  }),
  '/item/bulk': async b => ({
    Field: [{ fieldId: (await b.one('Field')).id, value: b.text() }],
    Time: [{ userId: b.person.id, date: '2026-03-31', minutes: 45, note: b.text() }],
    archived: false,
    areaId: (await b.one('Area')).id,
    containerId: (await b.one('Container')).id,
  }),
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
  '/item/:id/recurrence': () => ({ rule: 'FREQ=DAILY', mode: 0 }),
  '/item/similar': async (b, all) =>
    all ? { title: b.text(), containerId: (await b.one('Container')).id, limit: 3 } : { title: b.text() },
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
          asOf: undefined,
          count: 'exact',
        }
      : {},
  '/item/compare': async (b, all) => {
    const { id, created } = await b.one('Container')
    return {
      from: created,
      to: undefined,
      cursor: undefined,
      filterId: undefined,
      ...(all
        ? {
            container: [id],
            conditionGroup: [{ condition: [{ leftSide: 'title', operator: 0, rightSide: b.text() }] }],
          }
        : {}),
    }
  },
  '/item/count': async (b, all) => ({
    queries: all ? [{ containerId: (await b.one('Container')).id, q: b.text() }] : [{}],
  }),
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

/** Path parameters that name something else than a record; see `parameters`. */
export const itemsParameters: Record<string, (builder: SeedBuilder) => Promise<string>> = {
  '/change/:id': async b => {
    const item = await b.person.post('/item', { title: b.text() })
    const { headers } = await b.person.ask('PUT', `/item/${item.id}`, { body: { title: b.text() } })
    return headers.get('change-set') ?? ''
  },
}

/** Records in the state that an operation needs; see `subjects`. */
export const itemsSubjects: Record<string, (builder: SeedBuilder) => Promise<Body>> = {
  'GET /item/:id/recurrence': recurring,
  'DELETE /item/:id/recurrence': recurring,
  'POST /item/:id/archive': closedItem,
}
