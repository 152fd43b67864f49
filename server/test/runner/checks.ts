import { spawn } from 'node:child_process'
import type { Report } from './report.ts'
import type { StatementCheck } from './statement-check.ts'

const checks = ['types', 'lint', 'boundaries']

/** Reports the statements that could not be sent to one node of a distributed PostgreSQL. */
export async function reportStatements(report: Report, statements: StatementCheck): Promise<void> {
  const count = await statements.finish()
  const { faulty } = statements
  if (faulty.size === 0) report.passed++
  else report.fail('statements', [...faulty].map(([text, faults]) => `${faults.join('\n')}\n  ${text}`).join('\n'))
  console.log(`\n${faulty.size === 0 ? '✔' : '✖'} ${count} statements`)
}

/** Runs types, lint and boundaries one after another, in parallel with the tests. A failing check fails the run. */
export async function runChecks(report: Report): Promise<void> {
  for (const check of checks) {
    const { code, said } = await npmRun(check)
    if (code === 0) report.passed++
    else report.fail(`npm run ${check}`, said)
    console.log(`\n${code === 0 ? '✔' : '✖'} ${check}${code === 0 ? '' : `\n${said}`}`)
  }
}

function npmRun(script: string): Promise<{ code: number | null; said: string }> {
  const child = spawn('npm', ['run', '--silent', script], { shell: process.platform === 'win32' })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', part => (said += part))
  return new Promise(resolve => child.once('close', code => resolve({ code, said })))
}
