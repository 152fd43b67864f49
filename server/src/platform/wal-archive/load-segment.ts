// The restore command of the embedded PostgreSQL: brings a segment of the log back. The server asks also for segments that do not
// exist, to find the end of the log; exit code 1 says so.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'

const [archive = '', name = '', target = ''] = process.argv.slice(2)
const stored = join(archive, `${name}.zst`)
if (!existsSync(stored)) process.exit(1)
writeFileSync(target, zstdDecompressSync(readFileSync(stored)), { mode: 0o600, flush: true })
