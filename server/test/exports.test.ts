import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const exported = /^export (?:async )?(?:abstract )?(?:const|function\*?|class|interface|type|enum) ([\w$]+)/gm
const named = /\b(?:import|export) (?:type )?(?:\w+, )?\{([^}]*)\} from '(\.[^']+)'/g
/** A file of which another takes everything: by a namespace, or when it is loaded later. */
const whole = /(?:\* as \w+ from |\bimport\()'(\.[^']+)'/g
/** Rooms add members to an interface of a lower layer, without an import of its name. */
const augmented = /declare module '(\.[^']+)' \{\s+interface (\w+)/g

test('what a file exports is used by another', () => {
  const folders = ['server', 'bench', 'sdk', 'web']
  const files = folders.flatMap(each =>
    globSync(`${each}/**/*.{ts,tsx,js}`, { exclude: path => /(^|\/)(node_modules|dist)(\/|$)/.test(path) }),
  )
  const used = new Set<string>()
  const takenWhole = new Set<string>()
  const texts = new Map(files.map(file => [file, readFileSync(file, 'utf8')]))
  for (const [file, text] of texts) {
    const at = (path: string) => join(dirname(file), path)
    for (const [, names = '', path = ''] of text.matchAll(named))
      for (const name of names.split(',')) used.add(`${at(path)} ${name.trim().replace(/^type | as .*$/g, '')}`)
    for (const [, path = '', name] of text.matchAll(augmented)) used.add(`${at(path)} ${name}`)
    for (const [, path = ''] of text.matchAll(whole)) takenWhole.add(at(path))
  }
  const unused = [...texts]
    .filter(([file]) => file.startsWith('server/src/') && !file.endsWith('.d.ts') && !takenWhole.has(file))
    .flatMap(([file, text]) => [...text.matchAll(exported)].map(([, name]) => `${file} ${name}`))
    .filter(each => !used.has(each))
  assert.deepEqual(unused, [])
})
