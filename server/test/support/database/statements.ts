import pg from 'pg'

/** Counts the statements that the services of this process send to PostgreSQL during some work. */
export async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const { query } = pg.Client.prototype
  let count = 0
  Object.assign(pg.Client.prototype, {
    query(this: pg.Client, ...given: unknown[]) {
      count++
      return Reflect.apply(query, this, given)
    },
  })
  try {
    await work()
  } finally {
    Object.assign(pg.Client.prototype, { query })
  }
  return count
}
