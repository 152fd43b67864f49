import { on } from 'node:events'
import { suite, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { RunnerMessage } from './messages.ts'
import { nameOf } from './units.ts'

// The one file that a worker's test runner loads: it runs each unit that the worker is given to its end. Each file is a
// suite of its own, so that its hooks run when it is through and not when the worker is.

const given = on(process, 'message')

test('worker', async () => {
  for await (const message of given) {
    const [{ unit }] = message as [RunnerMessage] // the runner sends nothing else
    // Whatever a file has left open keeps nobody waiting, and all that was to be told has been received.
    if (!unit) process.exit()
    const url = pathToFileURL(unit.file)
    if (unit.share) url.searchParams.set('share', unit.share)
    await test(nameOf(unit), () => {
      suite('file', async () => void (await import(url.href)))
    })
  }
})
