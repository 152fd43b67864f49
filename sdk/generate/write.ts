import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generate } from './generate.ts'

// npm run sdk: writes the generated files of the client.
const src = new URL('../src/', import.meta.url).pathname
for (const folder of ['generated', 'areas']) rmSync(join(src, folder), { recursive: true, force: true })
for (const [path, text] of generate()) {
  mkdirSync(dirname(join(src, path)), { recursive: true })
  writeFileSync(join(src, path), text)
}
