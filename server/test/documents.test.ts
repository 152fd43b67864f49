import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { routes } from '../src/app/routes/routes.ts'
import { allKinds } from '../src/kernel/kinds.ts'
import { withEntityTable } from './support/entity-table.ts'

const documents = [...globSync('*.md'), ...globSync('docs/**/*.md')].filter(each => each !== 'CHANGELOG.md').sort()

/**
 * Finds the words in backticks that look like a path of the repository: with a slash, and either a folder or a file.
 */
const path = /^(?:server|bench|docs|[a-z-]+)\/[\w./-]*[\w/]$/

test('the table of kinds in the specification is what the declarations say', () => {
  const spec = readFileSync('docs/spec.md', 'utf8')
  // assert.equal would print both documents.
  assert.ok(withEntityTable(spec, allKinds(), routes) === spec, 'docs/spec.md is stale: npm run docs')
})

test('every path that a document names exists', () => {
  const rooms = new Set(globSync('server/src/*/').map(each => each.split('/')[2]))
  const missing: string[] = []
  for (const document of documents) {
    const text = readFileSync(document, 'utf8')
    for (const [, word = ''] of text.matchAll(/`([^`\n]+)`/g)) {
      const [first = ''] = word.split('/')
      if (!path.test(word) || !(rooms.has(first) || ['server', 'bench', 'docs'].includes(first))) continue
      if (!existsSync(word) && !existsSync(join('server/src', word))) missing.push(`${document}: ${word}`)
    }
    for (const [, target = ''] of text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g))
      if (!existsSync(join(dirname(document), target))) missing.push(`${document}: ${target}`)
  }
  assert.deepEqual(missing, [])
})

test('every function that the architecture names is in the code', () => {
  const code = globSync('server/src/**/*.ts')
    .map(each => readFileSync(each, 'utf8'))
    .join('\n')
  const words = new Set(code.match(/\w+/g))
  const named = readFileSync('ARCHITECTURE.md', 'utf8').matchAll(/`([A-Za-z][a-z]+[A-Z]\w*)`/g)
  const missing = [...named].map(([, word = '']) => word).filter(word => !words.has(word))
  assert.deepEqual(missing, [])
})
