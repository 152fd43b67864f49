import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ensureDataDir } from './data-dir.ts'

test('the data directory is created with its parents, and nothing is left in it', t => {
  const root = mkdtempSync(join(tmpdir(), 'gantry-test-data-'))
  t.after(() => rmSync(root, { recursive: true }))
  const directory = join(root, 'a', 'b')
  for (const _ of ['created', 'found']) ensureDataDir(directory)
  assert.deepEqual(readdirSync(directory), [])
})

test('a data directory that cannot be created or written to is refused at once, with the reason', t => {
  const root = mkdtempSync(join(tmpdir(), 'gantry-test-data-'))
  t.after(() => rmSync(root, { recursive: true }))
  writeFileSync(join(root, 'file'), '')
  const impossible = [
    join(root, 'file'),
    join(root, 'file', 'below'),
    ...(existsSync('/proc') ? ['/proc/x', '/proc'] : []),
  ]
  for (const directory of impossible)
    assert.throws(
      () => ensureDataDir(directory),
      /^Error: The data directory .* cannot be written to \(E.*Set DATA_DIR/,
    )
})
