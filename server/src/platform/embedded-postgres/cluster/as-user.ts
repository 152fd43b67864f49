import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DataDirectory } from '../data-directory/data-directory.ts'
import { EmbeddedUnavailable } from '../errors.ts'
import type { Binaries } from './binaries.ts'

/** The user that PostgreSQL runs as: it refuses root, and initdb refuses a user without a name. */
export interface AsUser {
  /** The words before the command. */
  prefix: readonly string[]
  /** The ids for spawn; empty when the user does not change. */
  ids: { uid: number; gid: number } | Record<string, never>
  /** The required owner of the cluster's files, as seen outside the namespace. */
  owner: { uid: number; gid: number } | undefined
}

const nobody = 65534

// Inside such a namespace the process is nobody, while outside the files still belong to us: nothing is chowned, and
// /root may stay closed.
const namespace = ['unshare', '-U', `--map-user=${nobody}`, `--map-group=${nobody}`]

/** Chooses the first method that works on this machine, by trying it. */
export function chooseUser(binaries: Binaries, directory: DataDirectory): AsUser {
  const direct: AsUser = { prefix: [], ids: {}, owner: undefined }
  if (process.platform === 'win32' || !process.getuid || !process.getgid) return direct
  const own = { uid: process.getuid(), gid: process.getgid() }

  const inNamespace: AsUser = { prefix: namespace, ids: {}, owner: own }
  if (own.uid !== 0) {
    const refusal = whyNotRunnable(direct, binaries, directory.root)
    if (!refusal || !whyNotRunnable(inNamespace, binaries, directory.root)) return refusal ? inNamespace : direct
    throw new EmbeddedUnavailable(
      `this user cannot run it (${refusal})`,
      'start Gantry as a user with a name who may execute the program and enter the data directory',
    )
  }

  const closed = whyNotRunnable(inNamespace, binaries, directory.root)
  if (!closed) return inNamespace
  const other = otherUser(directory)
  const refusal = whyNotRunnable(other, binaries, dirname(directory.root))
  if (!refusal) {
    allowTraversal(directory, other)
    return other
  }
  throw new EmbeddedUnavailable(
    `PostgreSQL does not run as root, a user namespace does not help (${closed}), and uid ${other.ids.uid} cannot run it (${refusal})`,
    'start Gantry as an ordinary user, or keep program and data on paths that every user can enter',
  )
}

/** Gives a directory to the user that PostgreSQL runs as, even if an earlier start chose another user. */
export function chownTo({ owner }: AsUser, path: string): void {
  if (!owner || statSync(path).uid === owner.uid) return
  const { status, stderr } = spawnSync('chown', ['-R', `${owner.uid}:${owner.gid}`, path], { encoding: 'utf8' })
  if (status !== 0)
    throw new EmbeddedUnavailable(`${path} cannot be changed to the owner uid ${owner.uid} (${stderr.trim()})`)
}

/** The environment for PostgreSQL, without our PG* variables, which refer to other databases. */
export function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name))
  return { ...Object.fromEntries(kept), LC_ALL: 'C' }
}

/** Returns the reason why this user cannot run PostgreSQL beside `path`, or undefined if it can. */
function whyNotRunnable(user: AsUser, { postgres }: Binaries, path: string): string | undefined {
  const script = 'cd "$1" && "$2" --version >/dev/null && id -un >/dev/null'
  const [program = 'sh', ...args] = [...user.prefix, 'sh', '-c', script, 'trial', path, postgres]
  const { status, error, stderr } = spawnSync(program, args, {
    cwd: '/',
    env: environment(),
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    ...user.ids,
  })
  return status === 0 ? undefined : (error?.message ?? stderr.trim())
}

/** Returns the owner of the data directory if that is not root, otherwise nobody. */
function otherUser({ root }: DataDirectory): AsUser {
  const { uid, gid } = statSync(root)
  const ids = uid === 0 ? { uid: nobody, gid: nobody } : { uid, gid }
  return { prefix: [], ids, owner: ids }
}

/** The group may traverse the directory but not list it: it needs no more than the path to its own directory. */
function allowTraversal({ root }: DataDirectory, { owner }: AsUser): void {
  const { uid, mode } = statSync(root)
  if (!owner || uid === owner.uid || mode & 0o001) return
  chownSync(root, uid, owner.gid)
  chmodSync(root, (mode & 0o777) | 0o010)
}
