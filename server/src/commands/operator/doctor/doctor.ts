import { existsSync } from 'node:fs'
import pg from 'pg'
import { findRunningPostgres } from '../../../platform/embedded-postgres/embedded-postgres.ts'
import type { Settings } from '../../../platform/settings.ts'
import { proveLogs } from '../audit-command.ts'
import { type OfflineInput, onDatabase, options, withDatabaseUrl } from '../command-input.ts'
import { archiveCheck, backupCheck } from './backup-checks.ts'
import { databaseChecks } from './database-checks.ts'
import { type CheckResult, ok, problem, warning } from './finding.ts'
import { machineChecks, messageOf } from './machine-checks.ts'

/** All checks. A new one is one line here or in these lists. */
const checks = { machine: [...machineChecks, backupCheck], database: [...databaseChecks, archiveCheck] }

/** Checks what an installation needs, says what to do, and changes nothing. With a problem the exit code is 1. */
export async function doctor({ settings, words }: OfflineInput): Promise<string> {
  const { audit, heads } = options(words, { audit: { type: 'boolean' }, heads: { type: 'string' } })
  if (audit)
    return await withDatabaseUrl(settings, url => onDatabase(url, database => proveLogs(database, settings, heads)))
  const { text, problems } = await examine(settings)
  if (problems > 0) process.exitCode = 1
  return text
}

/** Runs all checks and describes what they found. */
export async function examine(settings: Settings): Promise<{ text: string; problems: number }> {
  const lines: string[] = []
  const count = { ok: 0, warning: 0, problem: 0 }
  const report = async (name: string, findings: Promise<CheckResult[]>) => {
    for (const { state, text, advice } of await findings) {
      count[state]++
      lines.push(`${state.padEnd(8)} ${name.padEnd(11)} ${text}${advice ? `\n${' '.repeat(21)}→ ${advice}` : ''}`)
    }
  }
  for (const { name, run } of checks.machine)
    await report(
      name,
      examined(() => run(settings)),
    )
  await withReadOnly(settings, async database => {
    await report('database', Promise.resolve([database.finding]))
    const { client, url } = database
    if (!client || !url) return
    for (const { name, run } of checks.database)
      await report(
        name,
        examined(() => run(settings, { client, url })),
      )
  })
  return { text: [...lines, summary(count)].join('\n'), problems: count.problem }
}

/** A check that fails is a finding, and the others go on. */
async function examined(check: () => Promise<CheckResult[]> | CheckResult[]): Promise<CheckResult[]> {
  try {
    return await check()
  } catch (error) {
    return [problem(`cannot be checked: ${messageOf(error)}`, 'look at the message')]
  }
}

interface Reached {
  finding: CheckResult
  client?: pg.Client
  url?: string
}

/** A session that can only read. A database that does not run is not started, because a start writes. */
async function withReadOnly(settings: Settings, work: (reached: Reached) => Promise<void>): Promise<void> {
  const { databaseUrl, dataDir } = settings
  const url = databaseUrl ?? (existsSync(dataDir) ? findRunningPostgres(dataDir)?.url : undefined)
  if (!url)
    return await work({
      finding: warning(
        'the service does not run in this DATA_DIR, so its database was not checked',
        'start it, and ask again',
      ),
    })
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, statement_timeout: 60_000 })
  client.on('error', () => {}) // a connection lost while idle; the statement reports it
  try {
    await client.connect()
    await client.query('set default_transaction_read_only = on')
  } catch (error) {
    return await work({ finding: problem(messageOf(error), 'correct DATABASE_URL, or start the database') })
  }
  try {
    await work({ finding: ok('answers'), client, url })
  } finally {
    await client.end()
  }
}

function summary({ warning, problem }: Record<CheckResult['state'], number>): string {
  const warnings = warning > 0 ? `, ${warning} ${warning === 1 ? 'warning' : 'warnings'}` : ''
  return problem > 0 ? `${problem} ${problem === 1 ? 'problem' : 'problems'}${warnings}` : `no problem found${warnings}`
}
