import { resolve } from 'node:path'
import { buildWebApp } from '../../web/build.ts'
import { buildBundle } from '../bundle/build-bundle.ts'
import { findBundle } from '../bundle/find-bundle.ts'
import { affectedTests, changedFiles } from './runner/changed.ts'
import { reportStatements, runChecks } from './runner/checks.ts'
import { FileQueue } from './runner/file-queue.ts'
import { allTestFiles, longestFirst, rememberDurations } from './runner/files.ts'
import { Report } from './runner/report.ts'
import { StatementCheck } from './runner/statement-check.ts'
import { runFiles } from './runner/workers.ts'
import { testCluster } from './support/database/database.ts'

// Runs all checks in one command: types, lint, boundaries, and all tests on a real PostgreSQL. `npm test --
// server/src/items` runs the tests below a folder only, `npm test -- --changed` those that a change can break. With `--long`
// every proof tries all of its cases.

const began = Date.now()

// All processes of the run load the same modules, so they share one cache of compiled code.
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/gantry/compiled')

const words = process.argv.slice(2)
const folders = words.filter(word => !word.startsWith('--')).map(word => word.replace(/^\.\//, ''))
const changed = words.map(word => /^--changed(?:=(.+))?$/.exec(word)).find(Boolean)

const strange = words.filter(word => word.startsWith('--') && !word.startsWith('--changed') && word !== '--long')
if (strange.length > 0)
  throw new Error(`nobody knows ${strange.join(' ')}; there is --long, --changed and --changed=<revision>`)
if (words.includes('--long')) process.env.TEST_FORM = 'long'

const report = new Report()
const below = allTestFiles().filter(file => folders.length === 0 || folders.some(each => file.startsWith(each)))
const files = changed ? affectedTests(below, changedFiles(changed[1] ?? 'HEAD')) : below

// The checks need neither the bundle nor the pages.
const checks = folders.length === 0 ? runChecks(report) : undefined
// Many tests start the service as an operator does.
if (folders.length === 0 && !findBundle()) await buildBundle()
const [{ tenantTables }] = await Promise.all([
  testCluster(),
  files.some(file => file.startsWith('web/')) && buildWebApp(),
])

const statements = new StatementCheck(tenantTables)
const run = runFiles(new FileQueue(longestFirst(files)), {
  finished: result => report.add(result),
  sent: texts => statements.add(texts),
})
await Promise.all([run, checks])
await reportStatements(report, statements)
rememberDurations(report.durations)
process.exit(report.close(began) ? 0 : 1)
