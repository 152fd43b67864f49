import type { Seed } from './seed.ts'

/** The seeds of documents and files: see `seeds` in `seeds.ts`. */
export const documentSeeds: Record<string, Seed> = {
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
}
