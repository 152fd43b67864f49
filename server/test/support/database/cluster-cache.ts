import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

// To create a cluster and to migrate a database takes longer than most test files, so the result is kept between runs.
// Everything that determines it is in its name.

const sources = ['server/migrations', 'server/src/platform', 'server/test/support', 'package-lock.json']
const cache = resolve('node_modules/.cache/gantry')
const day = 24 * 3600_000

/** Returns a stopped cluster that `create` has made, now or in an earlier run. It must be copied, not used. */
export async function cachedCluster(create: () => Promise<string>): Promise<string> {
  const place = join(cache, `cluster-${fingerprint()}`)
  if (existsSync(place)) return place
  mkdirSync(cache, { recursive: true })
  forgetOldClusters()
  const dataDir = await create()
  const copy = `${place}.${process.pid}`
  cpSync(dataDir, copy, { recursive: true })
  rmSync(dataDir, { recursive: true, force: true })
  try {
    renameSync(copy, place)
  } catch (error) {
    rmSync(copy, { recursive: true, force: true })
    if (!existsSync(place)) throw error // otherwise another run was faster
  }
  return place
}

function fingerprint(): string {
  const hash = createHash('sha256').update(process.env.TEST_POSTGRES ?? '')
  for (const source of sources) {
    const files = statSync(source).isDirectory() ? filesBelow(source) : [source]
    for (const file of files) hash.update(file).update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 16)
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
}

/** A run that began with another cluster may still copy it, so that only those of other days go. */
function forgetOldClusters(): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name)
    if (name.startsWith('cluster-') && Date.now() - statSync(path).mtimeMs > day)
      rmSync(path, { recursive: true, force: true })
  }
}
