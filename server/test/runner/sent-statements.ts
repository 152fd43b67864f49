import pg from 'pg'
import { withoutComparisons } from '../support/isolation/tenant-isolation.ts'

type Sender = pg.Client & {
  user?: string
  namesGeneration?: number
  connectionParameters?: { application_name?: string }
}

/** The texts of the statements that services in this process have sent about the records of one tenant. */
const sent = new Set<string>()
let taken = 0

/** Returns those that were not returned before. */
export function takeStatements(): string[] {
  const more = [...sent].slice(taken)
  taken = sent.size
  return more
}

const query = pg.Client.prototype.query as (...given: unknown[]) => unknown
Object.assign(pg.Client.prototype, {
  query(this: Sender, statement: unknown, ...rest: unknown[]) {
    if (isOfService(this) && statement !== null && typeof statement === 'object' && 'text' in statement)
      remember(String(statement.text))
    return query.call(this, statement, ...rest)
  },
})

/** A test that shows what row level security hides says in its statement that it leaves the tenant out. */
function remember(text: string): void {
  if (!text.includes('/* of all tenants */')) sent.add(text)
}

/** Tests open connections of their own, too; and one suite changes the statements of a service. */
function isOfService({ user, namesGeneration, connectionParameters }: Sender): boolean {
  return (
    user === 'gantry_app' &&
    namesGeneration !== undefined &&
    connectionParameters?.application_name !== withoutComparisons
  )
}
