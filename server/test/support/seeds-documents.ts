/** The seeds of documents and files: see `seeds` in `seeds.ts`. */
export const documentSeeds = {
  'POST /docs/content/:docId/restore': () => ({ version: 1 }),
}
