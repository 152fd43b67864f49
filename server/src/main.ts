import cluster from 'node:cluster'
import { DataDirectoryInUse, EmbeddedUnavailable } from './kernel/embedded-postgres/embedded-postgres.ts'
import { DatabaseUnfit } from './kernel/migrate.ts'
import { readSettings, WrongSettings } from './kernel/settings.ts'
import { operate, Usage } from './operator.ts'
import { say, serve, work } from './serve.ts'

const needed = 22
if (Number(process.versions.node.split('.')[0]) < needed) {
  say(
    `Gantry runs on Node ${needed} or newer, and this is ${process.version}. "npm ci" installs a suitable one: start it by "npm start".`,
  )
  process.exit(1)
}

/** Picks a role, nothing else. */
async function main([verb = 'serve', ...words]: string[]): Promise<void> {
  const settings = readSettings(process.env)
  if (verb !== 'serve') return await operate(settings, verb, words)
  await (cluster.isWorker ? work(settings) : serve(settings))
}

main(process.argv.slice(2)).catch(error => {
  const expected = [WrongSettings, DataDirectoryInUse, EmbeddedUnavailable, DatabaseUnfit, Usage].some(
    kind => error instanceof kind,
  )
  process.stderr.write(
    `${expected || process.env.DEBUG === undefined ? (error instanceof Error ? error.message : error) : error.stack}\n`,
  )
  process.exit(1)
})
