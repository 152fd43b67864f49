import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findBundle } from '../bundle/find-bundle.ts'

const server = fileURLToPath(new URL('..', import.meta.url))

/** The files and parts of Node that are loaded with the code of a process that answers requests. */
function loadedAtStart(): string[] {
  const program = `
    import { registerHooks } from 'node:module'
    const files = new Set()
    registerHooks({ load: (url, context, next) => (files.add(url), next(url, context)) })
    await import('./src/commands/http-process.ts')
    process.stdout.write([...files, ...process.moduleLoadList].join('\\n'), () => process.exit())`
  return execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: server,
    encoding: 'utf8',
  }).split('\n')
}

const loaded = loadedAtStart()

test('libraries that few processes use are loaded at their first use', () => {
  const packages = new Set(loaded.map(file => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]))
  assert.ok(packages.has('fastify') && packages.has('pg'))
  for (const name of ['imapflow', 'nodemailer', 'mailparser', 'mailauth', 'oidc-provider', 'date-holidays', 'ical.js'])
    assert.ok(!packages.has(name), `${name} takes memory and time of every start`)
})

test('the HTTP client of Node is not loaded, because the service has its own', () => {
  assert.ok(loaded.includes('NativeModule http'))
  assert.ok(!loaded.includes('NativeModule internal/deps/undici/undici'), 'a module is imported from node:http as such')
})

test('the text of the bundled service takes one byte for a character', () => {
  if (!findBundle()) return // the runner makes one when it runs all tests
  for (const file of globSync(`${server}/dist/*.js`))
    assert.match(readFileSync(file, 'utf8'), /^\p{ASCII}+$/u, `${file} has a character beyond ASCII`)
})
