import { readdirSync, readFileSync } from 'node:fs'
import { openDataDirectory } from '../../server/src/platform/embedded-postgres/data-directory/data-directory.ts'
import { livePostmaster } from '../../server/src/platform/embedded-postgres/process/postmaster.ts'
import { parentOf, type Service } from '../service.ts'

/** The processes that are killed by SIGKILL. */
export type Victim = 'service' | 'database' | 'both' | 'service and guard'
/** The order of the victims: three times the service (once with the guard), twice the database, once both. */
export const victims: readonly Victim[] = ['service', 'database', 'service and guard', 'database', 'service', 'both']

export function kill(victim: Victim, service: Service): void {
  const postmaster = livePostmaster(openDataDirectory(service.dataDir).cluster)
  if (victim !== 'service' && postmaster === undefined) throw new Error('there is no PostgreSQL to kill')
  // The guard is killed first. Without it PostgreSQL outlives the service, and running statements may still commit.
  if (victim === 'service and guard' && postmaster !== undefined)
    for (const pid of guardOf(postmaster)) killProcess(pid)
  if (victim !== 'database') service.kill()
  if ((victim === 'database' || victim === 'both') && postmaster !== undefined) killProcess(postmaster)
}

/** The two guard processes: the shell that is the parent of PostgreSQL, and the one that watches the service. */
function guardOf(postmaster: number): number[] {
  const guard = parentOf(postmaster)
  if (guard === undefined || !commandOf(guard).includes('gantry-guard')) return []
  const children = readdirSync('/proc')
    .map(Number)
    .filter(pid => Number.isInteger(pid) && pid !== postmaster && parentOf(pid) === guard)
  return [...children.filter(pid => commandOf(pid).includes('gantry-guard')), guard]
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has ended already.
  }
}
