import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findBundle } from '../bundle/find-bundle.ts'

const server = fileURLToPath(new URL('..', import.meta.url))

/** The packages that are loaded with the code of a process that answers requests. */
function packagesAtStart(): Set<string> {
  const program = `
    import { registerHooks } from 'node:module'
    const files = new Set()
    registerHooks({ load: (url, context, next) => (files.add(url), next(url, context)) })
    await import('./src/commands/http-process.ts')
    process.stdout.write([...files].join('\\n'), () => process.exit())`
  const files = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: server,
    encoding: 'utf8',
  })
  const names = files.split('\n').map(file => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? '')
  return new Set(names)
}

test('libraries that few processes use are loaded at their first use', () => {
  const loaded = packagesAtStart()
  assert.ok(loaded.has('fastify') && loaded.has('pg'))
  for (const name of ['imapflow', 'nodemailer', 'mailparser', 'mailauth', 'oidc-provider', 'date-holidays', 'ical.js'])
    assert.ok(!loaded.has(name), `${name} takes memory and time of every start`)
})

test('the text of the bundled service takes one byte for a character', () => {
  if (!findBundle()) return // the runner makes one when it runs all tests
  for (const file of globSync(`${server}/dist/*.js`))
    assert.match(readFileSync(file, 'utf8'), /^\p{ASCII}+$/u, `${file} has a character beyond ASCII`)
})
