// The archive command of the embedded PostgreSQL: stores a finished segment of its log, compressed. Exit code 0 tells the
// server that the segment is safe, so it comes after the disk has it. A segment that is there already is never replaced.
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'

const [archive = '', segment = '', name = ''] = process.argv.slice(2)
const target = join(archive, `${name}.zst`)
const draft = `${target}.${process.pid}`
const bytes = readFileSync(segment)
try {
  writeFileSync(draft, zstdCompressSync(bytes), { mode: 0o600, flush: true })
  linkSync(draft, target)
  if (process.platform !== 'win32') {
    const folder = openSync(archive, 'r')
    fsyncSync(folder)
    closeSync(folder)
  }
} catch (error) {
  // The server archives a segment again if it was killed before it could note the success.
  const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST'
  if (!exists || !zstdDecompressSync(readFileSync(target)).equals(bytes)) throw error
} finally {
  rmSync(draft, { force: true })
}
