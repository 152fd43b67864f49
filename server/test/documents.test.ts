import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { routes } from '../src/app.ts'
import { allKinds } from '../src/kernel/kinds.ts'
import { withEntityTable } from './support/entity-table.ts'

test('the table of kinds in the specification is what the declarations say', () => {
  const spec = readFileSync('docs/spec.md', 'utf8')
  assert.equal(withEntityTable(spec, allKinds(), routes), spec, 'npm run docs brings it up to date')
})
