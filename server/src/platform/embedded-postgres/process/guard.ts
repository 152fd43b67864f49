import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type AsUser, environment } from '../cluster/as-user.ts'

/** A command that ends on request, and also when this process dies. */
export interface Guarded {
  /** Resolves when the command has ended, with a description of how. */
  ended: Promise<{ ok: boolean; how: string }>
  /** Lets this process end while the command runs; the guard then stops the command. */
  unref(): void
  /** Requests the end: SIGINT first, stronger signals if that has no effect. */
  stop(): void
}

// The script is read here and passed by value, because the guard may run as a user that cannot enter our directory.
const script = readFileSync(new URL('guard.sh', import.meta.url), 'utf8')
const windowsGuard = fileURLToPath(new URL('guard-windows.ts', import.meta.url))

/** Runs a command under a guard; its output goes to the open file `output`. */
export function runGuarded(user: AsUser, command: readonly string[], output: number): Guarded {
  const [program = '', ...args] = command
  if (process.platform === 'win32')
    return watched(spawn(program, args, { windowsHide: true, stdio: ['pipe', output, output] }))
  return watched(
    spawn('sh', ['-c', script, 'gantry-guard', ...user.prefix, ...command], {
      cwd: '/',
      // A separate session, so that ctrl-C reaches the service only.
      detached: true,
      env: environment(),
      stdio: ['pipe', output, output],
      ...user.ids,
    }),
  )
}

/** The variant for Windows, where only pg_ctl can start PostgreSQL for an administrator and there are no signals. */
export function runGuardedOnWindows(pgCtl: string, cluster: string, log: string): Guarded {
  return watched(
    spawn(process.execPath, [windowsGuard, pgCtl, cluster, log], {
      detached: true,
      windowsHide: true,
      env: environment(),
      stdio: ['pipe', 'ignore', 'ignore'],
    }),
  )
}

function watched(child: ChildProcess): Guarded {
  const { promise: ended, resolve } = Promise.withResolvers<{ ok: boolean; how: string }>()
  child.once('error', error => resolve({ ok: false, how: error.message }))
  child.once('exit', (code, signal) => {
    child.stdin?.destroy()
    resolve({ ok: code === 0, how: signal ?? `code ${code}` })
  })
  child.stdin?.on('error', () => {}) // the guard has ended, which `exit` reports
  return {
    ended,
    unref() {
      child.unref()
      if (child.stdin instanceof Socket) child.stdin.unref()
    },
    stop() {
      child.ref()
      child.stdin?.end()
    },
  }
}
