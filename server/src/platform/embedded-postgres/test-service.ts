// A stand-in for the service in tests: starts on the data directory it is given, says its URL, and lives until it is killed.
import { startEmbeddedPostgres } from './embedded-postgres.ts'

const [dataDir = ''] = process.argv.slice(2)
try {
  const postgres = await startEmbeddedPostgres({ dataDir, log: line => console.error(line) })
  console.log(postgres.url)
  process.on('SIGINT', () => console.log('finishing')) // as a service does that still has work to end
  setInterval(() => {}, 60_000)
} catch (error) {
  console.log(error instanceof Error ? `${error.name}: ${error.message}` : error)
}
