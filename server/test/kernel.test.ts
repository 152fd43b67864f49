import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { routes } from '../src/app/routes/routes.ts'
import { allKinds } from '../src/kernel/kinds.ts'

test('the kernel names no kind of record, neither by its name nor by its table', () => {
  assert.ok(Object.keys(routes).length > 0)
  const kinds = allKinds()
  assert.ok(kinds.length > 40)
  for (const file of globSync('server/src/kernel/**/*.ts').filter(each => !each.endsWith('.test.ts'))) {
    const code = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|(?<=\s)\/\/.*$/gm, '')
    // A fault names its property in `Field`, which is not a kind of record here.
    for (const { entity, table } of kinds.filter(each => each.entity !== 'Field')) {
      assert.doesNotMatch(code, new RegExp(`['"]${entity}['"]`), `${file} names ${entity}`)
      assert.doesNotMatch(code, new RegExp(`\\b(from|join|into|update)\\s+"?${table}"?\\b`), `${file} reads ${table}`)
    }
  }
})
