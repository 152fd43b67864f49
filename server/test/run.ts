import { runChecks } from './runner/checks.ts'
import { Report } from './runner/report.ts'
import { allTestFiles, rememberDurations, unitsOf } from './runner/units.ts'
import { runUnits } from './runner/workers.ts'

// Everything that must hold, in one command: types, lint, boundaries, and all tests on a real PostgreSQL.
// `npm test -- server/src/items` runs the tests below a folder only.

const began = Date.now()
const only = process.argv.slice(2)
const report = new Report()
const files = allTestFiles().filter(
  file => only.length === 0 || only.some(each => file.startsWith(each.replace(/^\.\//, ''))),
)

await Promise.all([
  only.length === 0 ? runChecks(report) : undefined,
  runUnits(unitsOf(files), result => report.add(result)),
])
rememberDurations(report.durations)
process.exit(report.close(began) ? 0 : 1)
