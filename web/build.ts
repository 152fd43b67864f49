import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const here = import.meta.dirname
const dist = join(here, 'dist')
const stamp = join(dist, 'stamp')

const sources = [
  'web/{src,public}/**/*.*',
  'web/{index.html,build.ts,chunks.ts,vite.config.ts}',
  'sdk/src/**/*.ts',
  'package-lock.json',
]

function digest() {
  const hash = createHash('sha256')
  for (const file of globSync(sources, { cwd: join(here, '..') }).sort())
    hash.update(file).update(readFileSync(join(here, '..', file)))
  return hash.digest('hex')
}

/** The files are sent compressed as they are stored: a request costs no CPU time. */
function compress() {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } } // 11 takes fourteen times as long
  for (const file of globSync('**/*.{js,css,html,svg}', { cwd: dist })) {
    const content = readFileSync(join(dist, file))
    writeFileSync(join(dist, `${file}.gz`), gzipSync(content))
    writeFileSync(join(dist, `${file}.br`), brotliCompressSync(content, quality))
  }
}

/** Builds the web app if its sources have changed since the last build. `npm start` and `npm test` call it. */
export async function buildWebApp(): Promise<void> {
  const current = digest()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === current) return
  const { build } = await import('vite')
  await build({ root: here, configFile: join(here, 'vite.config.ts'), logLevel: 'warn' })
  compress()
  mkdirSync(dist, { recursive: true })
  writeFileSync(stamp, current)
}
