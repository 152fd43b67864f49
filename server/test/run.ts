import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { startTestPostgres } from './support/database.ts'

// Everything that must hold, in one command: types, lint, boundaries, then all tests on one real PostgreSQL.
// `npm test -- server/src/items` runs the tests below a folder only.

const began = Date.now()
const only = process.argv.slice(2)

if (only.length === 0) {
  for (const [what, command] of [
    ['types', 'types'],
    ['lint', 'lint'],
    ['boundaries', 'boundaries'],
  ] as const) {
    const { status } = spawnSync('npm', ['run', '--silent', command], {
      stdio: 'inherit',
      shell: process.platform === 'win32',
    })
    if (status !== 0) {
      console.log(`\n${what} do not hold; no test was run`)
      process.exit(1)
    }
  }
}

const files = globSync('server/{src,test}/**/*.test.ts')
  .filter(file => only.length === 0 || only.some(each => file.startsWith(each.replace(/^\.\//, ''))))
  .sort()
const postgres = await startTestPostgres()
process.env.GANTRY_TEST_POSTGRES = postgres.url

// One process for all files: starting one for each would take longer than the tests themselves.
let passed = 0
let failed = 0
let skipped = 0
const stream = run({ files, isolation: 'none', concurrency: true })
stream.on('test:pass', event => {
  if (event.details.type === 'suite') return
  if (event.skip !== undefined) skipped++
  else passed++
})
stream.on('test:fail', ({ details }) => {
  // A suite fails with its tests, which are counted; or by itself, and then none of them was run.
  if (details.type !== 'suite' || Reflect.get(details.error, 'failureType') !== 'subtestsFailed') failed++
})
for await (const line of stream.compose(spec)) process.stdout.write(line)
await postgres.stop()

console.log(`\nall of it took ${Math.round((Date.now() - began) / 1000)} s`)
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exit(failed === 0 && passed > 0 ? 0 : 1)
