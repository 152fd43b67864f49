import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { buildWebApp } from '../../build.ts'

interface Chunk {
  file: string
  imports?: string[]
  css?: string[]
  isDynamicEntry?: boolean
}

const dist = join(import.meta.dirname, '../../dist')
const kB = 1000

await buildWebApp()
const chunks: Record<string, Chunk> = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'))
const bytes = (file: string) => readFileSync(join(dist, `${file}.gz`)).length

/** What the browser has to fetch before it can run a chunk. */
function closure(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  for (const each of chunks[name]?.imports ?? []) closure(each, found)
  return found
}

const sizeOf = (names: Iterable<string>) => [...names].reduce((sum, name) => sum + bytes(chunks[name]?.file ?? ''), 0)

const first = closure('src/items/my-work/my-work.tsx', closure('index.html'))
const editor = 'src/kit/editor/rich-editor.tsx'

test('the shell and my work are at most 180 kB', () => {
  const size = sizeOf(first)
  assert.ok(size <= 180 * kB, `${size} bytes`)
})

test('every other part is at most 65 kB more, and the editor 185 kB', () => {
  const parts = Object.keys(chunks).filter(name => chunks[name]?.isDynamicEntry)
  assert.ok(parts.includes(editor) && parts.includes('src/planning/container-page/container-page.tsx'))
  for (const name of parts) {
    const size = sizeOf([...closure(name)].filter(each => !first.has(each)))
    assert.ok(size <= (name === editor ? 185 : 65) * kB, `${name}: ${size} bytes`)
  }
})

test('no part needs more than 15 files before it is shown', () => {
  for (const name of Object.keys(chunks).filter(each => chunks[each]?.isDynamicEntry)) {
    const files = closure(name, closure('index.html'))
    assert.ok(files.size <= 15, `${name}: ${files.size} files`)
  }
})

test('the stylesheets are at most 30 kB', () => {
  const files = new Set(Object.values(chunks).flatMap(({ css = [] }) => css))
  assert.ok(files.size > 0)
  const size = [...files].reduce((sum, file) => sum + bytes(file), 0)
  assert.ok(size <= 30 * kB, `${size} bytes`)
})
