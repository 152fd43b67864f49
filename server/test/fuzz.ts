import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { startTestPostgres } from './support/database/database.ts'
import { cases } from './support/fuzz/cases.ts'
import { openFuzzWorld } from './support/fuzz/fuzz-world.ts'
import { FuzzReport, fuzz } from './support/fuzz/fuzzer.ts'
import { openOperations } from './support/fuzz/open-operations.ts'
import { operations } from './support/operations.ts'
import { createPeople, openTestService } from './support/people.ts'

// npm run fuzz: sends generated requests to every operation, as users of several roles and of two tenants, and compares
// every answer with the OpenAPI document. It ends with counts, and with 1 if anything was wrong. `--seed` repeats a run.

/** After so many requests two new tenants begin, because hostile changes add up until most requests are refused. */
const roundLength = 4000
const shownFindings = 40

const { values: given } = parseArgs({
  options: { requests: { type: 'string', default: '100000' }, seed: { type: 'string' } },
})
const requests = wholeNumber('--requests', given.requests)
const seed = given.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : wholeNumber('--seed', given.seed)
console.log(`seed ${seed}, ${requests} requests`)

const postgres = await startTestPostgres()
process.env.GANTRY_TEST_POSTGRES = postgres.url
const report = new FuzzReport()
try {
  const service = await openTestService()
  try {
    for (let round = 0; report.requests < requests; round++) {
      const world = await openFuzzWorld(round === 0 ? service : await createPeople(service.base, service.database))
      const numRuns = Math.min(roundLength, requests - report.requests)
      const known = report.findings.length
      await fuzz(world, fc.sample(cases, { numRuns, seed: seed + round }), report)
      for (const each of report.findings.slice(known, Math.max(known, shownFindings))) console.log(each)
      console.log(`${report.requests} requests, ${report.findings.length} findings`)
    }
  } finally {
    await service.close()
  }
} finally {
  await postgres.stop()
}
summarize(report)
process.exit(report.isGood ? 0 : 1)

function wholeNumber(option: string, text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text)
  throw new Error(`${option} ${text} is not a whole number`)
}

function summarize({ statuses, counts, succeeded, findings }: FuzzReport): void {
  const all = [...statuses].sort(([a], [b]) => a - b)
  const ofClass = (digit: number) => all.filter(([status]) => Math.floor(status / 100) === digit)
  const sum = (some: [number, number][]) => some.reduce((total, [, count]) => total + count, 0)
  console.log(`seed ${seed}: ${report.requests} requests, ${findings.length} findings`)
  for (const digit of [2, 3, 4, 5]) {
    const single = ofClass(digit).map(([status, count]) => `${count} × ${status}`)
    console.log(`  ${digit}xx: ${sum(ofClass(digit))}${single.length > 0 ? ` (${single.join(', ')})` : ''}`)
  }
  console.log(`  contradictions of the document: ${counts.contradiction}`)
  console.log(
    `  without an answer: ${counts.silence}, overtaken by too many: ${counts.delay}, revealing: ${counts.exposure}`,
  )
  console.log(
    `  operations that succeeded at least once: ${succeeded.size} of ${operations.length + openOperations.length}`,
  )
}
