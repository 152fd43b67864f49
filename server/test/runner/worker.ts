import { on } from 'node:events'
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { RunnerMessage, WorkerMessage } from './messages.ts'
import { scopeOf } from './node-test.ts'
import { runScope } from './run-scope.ts'
import { takeStatements } from './sent-statements.ts'

// A worker process: runs its files one after another and reports every test. The application is loaded once per worker,
// because loading it for each file would take longer than the tests.

const replacement = new URL('node-test.ts', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'node:test' && context.parentURL !== replacement ? replacement : specifier, context),
})

const tell = (message: WorkerMessage) => process.send?.(message)
process.on('disconnect', () => process.exit(1)) // the runner has ended

const given = on(process, 'message')
tell({ kind: 'next' })
for await (const message of given) {
  const [{ file }] = message as [RunnerMessage] // the runner sends no other message
  // Handles that a file left open must not delay the exit; all reports have been received by now.
  if (file === undefined) process.exit()
  await runScope(await scopeOf(file, () => import(pathToFileURL(file).href)), tell)
  tell({ kind: 'statements', texts: takeStatements() })
  tell({ kind: 'next' })
}
