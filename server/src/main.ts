import cluster from 'node:cluster'
import { readSettings } from './platform/settings.ts'

/** Picks a role, nothing else. Each loads only what it needs. */
async function main([verb = 'serve', ...words]: string[]): Promise<void> {
  const settings = readSettings(process.env)
  if (verb === 'work') await (await import('./commands/work.ts')).runEngines(settings)
  else if (verb !== 'serve')
    await (await import('./commands/operator/operator.ts')).runOperatorCommand(settings, verb, words)
  else if (cluster.isPrimary) await (await import('./commands/serve.ts')).serve(settings)
  else {
    const [{ serveHttp }, { welcome }, { runAsWorker }] = await Promise.all([
      import('./commands/http-process.ts'),
      import('./commands/welcome.ts'),
      import('./commands/worker-process.ts'),
    ])
    runAsWorker({ welcome: url => welcome(settings, url), answer: url => serveHttp(settings, url) })
  }
}

function giveUp(error: unknown): never {
  const message = error instanceof Error ? (process.env.DEBUG ? error.stack : error.message) : String(error)
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

process.on('unhandledRejection', giveUp)
main(process.argv.slice(2)).catch(giveUp)
