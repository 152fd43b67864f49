import { madeOnce } from './made-once.ts'
import type { Body, Seed, SeedBuilder } from './seed.ts'

/** A picture of one pixel whose bytes are all ASCII. What follows it is ignored. */
const smallestGif = 'GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02L\x01\0;'

/** The seeds of documents and files: see `seeds` in `seeds.ts`. */
export const documentSeeds: Record<string, Seed> = {
  Folder: (_b, all) => (all ? { parentId: undefined } : {}),
  File: async (b, all) => ({
    ...(all ? { owner: 1, ownerId: (await b.one('Container')).id } : {}),
    file: `${smallestGif}bytes of ${b.text()}`,
  }),
  OutboundStorage: (b, all, path) =>
    all && !path.endsWith('/test')
      ? {
          kind: 1,
          endpoint: `https://${b.text()}.invalid`,
          region: 'eu-central-1',
          bucket: 'gantry-files',
          prefix: 'a/b',
          secretKey: undefined, // never returned as it was sent
          encryption: 1,
          default: undefined, // one of them all is
        }
      : { kind: 0 },
  'POST /docs/content/:docId/restore': () => ({ version: 1 }),
  '/docs/article/suggest': (_b, all) => (all ? { session: undefined } : {}), // a session that is not one begins another
  '/docs/article/:id/reading': () => ({ session: undefined }),
}

/** The headers that uploads in several requests need. By route. */
export const documentHeaders: Record<string, Record<string, string>> = {
  'POST /file/upload': { 'upload-length': '1000000' },
  'PATCH /file/upload/:id': { 'upload-offset': '0' },
}

/** An upload that waits for its bytes. */
async function fileUpload(b: SeedBuilder): Promise<Body> {
  return await b.person.must('POST', '/file/upload', { headers: documentHeaders['POST /file/upload'] ?? {} })
}

async function migration(b: SeedBuilder): Promise<Body> {
  return await b.person.post(`/outbound-storage/${(await b.one('OutboundStorage')).id}/migrate`, undefined)
}

async function cancelledMigration(b: SeedBuilder): Promise<Body> {
  const { id } = await migration(b)
  return await b.person.post(`/outbound-storage/migration/${id}/cancel`, undefined)
}

/** A document that requesters read. */
const article = madeOnce(b => b.person.post('/docs/doc', { name: b.text(), state: 2 }))

/** Path parameters of documents and files. By path. */
export const documentParameters: Record<string, (builder: SeedBuilder) => Promise<string>> = {
  '/docs/article/:id': async b => (await article(b)).id,
  '/file/upload/:id': async b => (await fileUpload(b)).id,
  '/outbound-storage/migration/:id': async b => (await migration(b)).id,
}

/** Records in the state that an operation needs. By route. */
export const documentSubjects: Record<string, (builder: SeedBuilder) => Promise<Body>> = {
  'POST /outbound-storage/migration/:id/cancel': migration,
  'POST /outbound-storage/migration/:id/resume': cancelledMigration,
}
