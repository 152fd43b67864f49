import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// The service consists of 2,600 files, its own and those of its dependencies. Bundled into a few, they load in
// half the time. The bundle is only a copy: after any change of the files it was made from, the service runs from its
// sources, until `npm ci` or `npm run bundle` makes a new one.

/** The folder of the service. */
export const server = fileURLToPath(new URL('..', import.meta.url))

export function bundlePaths(folder: string) {
  const dist = join(folder, 'dist')
  return { entry: join(folder, 'src/main.ts'), dist, start: join(dist, 'main.js'), stamp: join(dist, 'sources.sha256') }
}

/** Returns the file to start, if there is a bundle of the sources as they are. */
export function findBundle(folder = server): string | undefined {
  const { start, stamp } = bundlePaths(folder)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === stampOfSources(folder) ? start : undefined
}

/** A stamp of all files that the bundle depends on; the bundle has absolute paths, so their place counts too. */
export function stampOfSources(folder: string): string {
  const stamp = createHash('sha256')
  const sources = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map(file => join(folder, 'src', file))
  for (const file of [...sources.sort(), join(folder, '../package-lock.json')]) {
    const { size, mtimeMs } = statSync(file)
    stamp.update(`${file} ${size} ${mtimeMs}\n`)
  }
  return stamp.digest('hex')
}
