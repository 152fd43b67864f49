import type { Seed, SeedBuilder } from './seed.ts'

/** Bodies of queries, by path. */
export const insightSeeds: Record<string, Seed> = {
  '/insight/query': (b, all) => ({
    entity: 'Item',
    ...(all
      ? {
          conditionGroup: [{ condition: [{ leftSide: 'title', operator: 0, rightSide: b.text() }] }],
          groupBy: [{ field: 'status' }, { field: 'created', bucket: 'month' }],
          measures: [{ op: 'percentile', field: 'points', p: 0.5, as: 'median' }],
          sort: '-median',
          archived: 'include',
        }
      : {}),
  }),
}

/** Tokens of rows. */
export const insightParameters = {
  '/insight/drill/:token': async (b: SeedBuilder): Promise<string> => {
    await b.one('Item')
    return (await b.person.post('/insight/query', { entity: 'Item' })).rows[0].drill
  },
}
