import { on } from 'node:events'
import { registerHooks } from 'node:module'
import { suite, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { RunnerMessage } from './messages.ts'
import { settingUp } from './node-test.ts'

// The one file that a worker's test runner loads: it runs each test file to its end. Each file is a suite, so that its hooks
// run at the end of the file and not at the end of the worker.

const watched = new URL('node-test.ts', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'node:test' && context.parentURL !== watched ? watched : specifier, context),
})

async function load(file: string): Promise<void> {
  await import(pathToFileURL(file).href)
  for (const suite of settingUp) await suite
  settingUp.length = 0
}

const given = on(process, 'message')

test('worker', async () => {
  for await (const message of given) {
    const [{ file }] = message as [RunnerMessage] // the runner sends no other message
    // Handles that a file left open must not delay the exit; all reports have been received by now.
    if (file === undefined) process.exit()
    await test(file, () => {
      suite('file', () => load(file))
    })
  }
})
