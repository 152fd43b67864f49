import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Builder } from '../../server/test/support/builder.ts'
import { Findings } from '../../server/test/support/findings.ts'
import { casesOf } from '../../server/test/support/form.ts'
import { fill, kinds } from '../../server/test/support/operations.ts'
import { sharedTestService } from '../../server/test/support/people.ts'
import { operationsOf, readDocument } from '../generate/document.ts'
import { generate } from '../generate/generate.ts'
import { named } from '../generate/names.ts'
import { SdkPerson } from './sdk-person.ts'

const src = new URL('../src/', import.meta.url).pathname
const operations = named(operationsOf(readDocument()))

test('the generated files are those of the routes; otherwise npm run sdk writes them', () => {
  const expected = generate()
  for (const [path, text] of expected) assert.equal(readFileSync(join(src, path), 'utf8'), text, path)
  const found = ['generated', 'areas'].flatMap(folder =>
    readdirSync(join(src, folder), { recursive: true, encoding: 'utf8' }).map(each => join(folder, each)),
  )
  assert.deepEqual(found.filter(each => each.endsWith('.ts')).sort(), [...expected.keys()].sort())
})

test('every operation has a function, but for a PUT beside a PATCH', () => {
  const without = operations.filter(each => each.name === undefined)
  assert.deepEqual(
    without.filter(each => each.method !== 'PUT').map(each => each.route),
    [],
  )
  assert.ok(operations.length - without.length > 600)
})

test('records of every kind are created, read, listed, changed and deleted by the functions', async () => {
  const { ada } = await sharedTestService()
  const person = new SdkPerson(ada, operations)
  const builder = new Builder(person)
  const found = new Findings()
  const tried = casesOf(kinds, 4)
  for (const kind of tried)
    await found.step(kind.base, async () => {
      const { record, params } = await builder.make(kind, { all: false })
      const base = fill(kind.base, params)
      found.same((await person.get(`${base}/${record.id}`)).id, record.id, 'get')
      if (kind.list) {
        const list: { id: string }[] = await person.get(`${base}?sort=-created`)
        found.expect(
          list.some(each => each.id === record.id),
          'list',
        )
      }
      if (kind.update) {
        const { status, body } = await person.ask('PATCH', `${base}/${record.id}`, { body: {} })
        found.expect(status === 200, `update: ${status} ${JSON.stringify(body)}`)
      }
      if (kind.remove) {
        const { status } = await person.ask('DELETE', `${base}/${record.id}`)
        found.expect(status === 204 || status === 422, `remove: ${status}`)
      }
    })
  found.expect(person.called.size > 3 * tried.length, `${person.called.size} routes were called`)
  found.finish()
})
