import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Operation } from './operations.ts'
import type { Statement } from './statements.ts'

export const pgbenchMissing =
  'pgbench is not installed, so the limit of PostgreSQL is not measured. Install it with "apt-get install postgresql-contrib" on Debian and Ubuntu, or with the PostgreSQL client tools elsewhere.'

export function hasPgbench(): boolean {
  return spawnSync('pgbench', ['--version']).status === 0
}

export interface PgbenchOptions {
  url: string
  /** Options of the session, the same as those of the service. */
  session: string
  clients: number
  seconds: number
  /** The first number of an operation that writes. */
  from: number
}

/** Runs the statements of an operation with pgbench. Returns operations a second. */
export async function runPgbench(
  operation: Operation,
  statements: Statement[],
  options: PgbenchOptions,
): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'gantry-pgbench-'))
  try {
    const { script, variables } = scriptOf(operation, statements, options)
    const file = join(directory, 'script.sql')
    writeFileSync(file, script)
    const output = await run(
      [
        '--no-vacuum',
        '--protocol=prepared',
        `--client=${options.clients}`,
        '--jobs=2',
        `--time=${options.seconds}`,
        ...Object.entries(variables).map(([name, value]) => `--define=${name}=${value}`),
        `--file=${file}`,
        options.url,
      ],
      options.session,
    )
    const tps = Number(/^tps = ([\d.]+)/m.exec(output)?.[1])
    if (!(tps > 0) || !/failed transactions: 0 /.test(output)) throw new Error(`pgbench failed:\n${output}`)
    return tps
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Values become variables, which pgbench binds. PostgreSQL replaces `{n}` in them, because pgbench can only compute numbers. */
function scriptOf(operation: Operation, statements: Statement[], { from }: PgbenchOptions) {
  const variables: Record<string, string> = {}
  const lines: string[] = []
  if (operation.writes) {
    // Each client counts up its own twelve digits, so that index pages stay in memory, as with UUIDv7.
    variables.count = String(from)
    lines.push('\\set count :count + 1', '\\set n 100000000000 + :client_id * 1000000000 + :count')
  } else if (operation.numbers) lines.push(`\\set n random(${operation.numbers.join(', ')})`)
  for (const [s, { text, values, types }] of statements.entries()) {
    const places = values.map((value, i) => {
      if (value === null) return 'null'
      const variable = `v${s}_${i + 1}`
      variables[variable] = value
      return value.includes('{n}')
        ? `replace(:${variable}::text, '{n}', :n::text)::${types[i]}`
        : `:${variable}::${types[i]}`
    })
    lines.push(`${escapeColons(text).replace(/\$(\d+)/g, (_, i) => `(${places[Number(i) - 1]})`)};`)
  }
  return { script: `${lines.join('\n')}\n`, variables }
}

/** Writes the colons in text literals as escapes, because pgbench reads `:MI` as a variable even inside a literal. */
function escapeColons(text: string): string {
  return text.replace(/'((?:[^']|'')*)'/g, (literal, inner: string) =>
    /:[A-Za-z_]/.test(inner) ? `U&'${inner.replaceAll('\\', '\\\\').replaceAll(':', '\\003A')}'` : literal,
  )
}

function run(args: string[], session: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('pgbench', args, { env: { ...process.env, PGOPTIONS: session } })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => {
        output += chunk
      })
    child.once('error', reject)
    child.once('exit', code =>
      code === 0 ? resolve(output) : reject(new Error(`pgbench ended with ${code}:\n${output}`)),
    )
  })
}
