import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { buildBundle } from '../bundle/build-bundle.ts'
import { findBundle } from '../bundle/find-bundle.ts'

const root = mkdtempSync(join(tmpdir(), 'gantry-bundle-'))
after(() => rmSync(root, { recursive: true, force: true }))

test('a bundle runs like its sources, and only while they stay the same', async () => {
  const folder = join(root, 'server')
  mkdirSync(join(folder, 'src/words'), { recursive: true })
  const write = (file: string, text: string) => writeFileSync(join(root, file), text)
  write('package-lock.json', '{}')
  write('server/package.json', '{"type":"module"}')
  write(
    'server/src/main.ts',
    `import { word } from './words/word.ts'\n// An operator’s comment\nconsole.log(word satisfies string, 'für “alle”')`,
  )
  write(
    'server/src/words/word.ts',
    `import { readFileSync } from 'node:fs'\nexport const word = readFileSync(new URL('word.txt', import.meta.url), 'utf8')`,
  )
  write('server/src/words/word.txt', 'found beside its module')
  assert.equal(findBundle(folder), undefined)

  await buildBundle(folder)
  const bundle = findBundle(folder)
  assert.ok(bundle)
  assert.equal(
    execFileSync(process.execPath, [bundle], { encoding: 'utf8' }).trim(),
    'found beside its module für “alle”',
  )
  // One character beyond ASCII would double the memory that the text of the code takes in every process.
  assert.match(readFileSync(bundle, 'utf8'), /^\p{ASCII}+$/u)

  for (const file of ['server/src/words/word.ts', 'package-lock.json']) {
    await buildBundle(folder)
    assert.ok(findBundle(folder))
    utimesSync(join(root, file), new Date(), new Date(Date.now() + 5000))
    assert.equal(findBundle(folder), undefined, file)
  }
})
