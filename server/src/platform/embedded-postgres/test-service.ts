// A substitute for the service in tests: starts on the given data directory, prints its URL, and runs until it is
// killed.
import { startEmbeddedPostgres } from './embedded-postgres.ts'

const [dataDir = ''] = process.argv.slice(2)
try {
  const postgres = await startEmbeddedPostgres({ dataDir, log: line => console.error(line) })
  // Like a service that still has work to finish. Whoever reads the URL may interrupt at once.
  process.on('SIGINT', () => console.log('finishing'))
  console.log(postgres.url)
  setInterval(() => {}, 60_000)
} catch (error) {
  console.log(error instanceof Error ? `${error.name}: ${error.message}` : error)
}
