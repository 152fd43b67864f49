import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { sharedTestService } from '../../server/test/support/people.ts'

// The client is JavaScript without a dependency wherever fetch is: here in the Node that runs npm, which may be older than the one
// that runs the tests.

const entry = new URL('platform-program.ts', import.meta.url).pathname

test('the client works as one file of plain JavaScript, in the Node of the user', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-sdk-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const bundle = await rolldown({ input: entry, logLevel: 'silent' })
  const file = join(folder, 'program.mjs')
  await bundle.write({ file, format: 'esm' })
  const { ada } = await sharedTestService()
  const node = process.env.npm_node_execpath ?? process.execPath
  const { stdout } = await promisify(execFile)(node, [file, ada.base, ada.key])
  assert.match(stdout, /^INBOX-1 changed, 1 of 1, not-found, large\.bin 5000000\n$/)
})
