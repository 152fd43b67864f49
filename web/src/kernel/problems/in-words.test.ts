import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { faultTexts } from './fault-texts.de.ts'
import { inWords } from './in-words.ts'
import { problemTexts } from './problem-texts.de.ts'

const server = join(import.meta.dirname, '../../../../server/src')

/** Rooms whose operations the web app does not call. */
const elsewhere = /^(finance|insight|notify|plan)\//

/** A rule that refuses a change says why in the words of who wrote it. */
const saidByPeople = ['vetoed']

/** The codes that the rooms of the service write into problems, as their source says. */
function codesIn(...patterns: RegExp[]): string[] {
  const files = globSync('**/*.ts', { cwd: server }).filter(each => !/\.test\.ts$/.test(each) && !elsewhere.test(each))
  const sources = files.map(each => readFileSync(join(server, each), 'utf8'))
  const found = sources.flatMap(text => patterns.flatMap(pattern => [...text.matchAll(pattern)]))
  return [...new Set(found.map(([, code = '']) => code))].sort()
}

test('problems and faults that the service can answer to the web app have German texts', () => {
  const problems = codesIn(
    /new (?:RuleBroken|Conflict)\(\s*'([a-z-]+)'/g,
    /new Refusal\(\s*\d+,\s*'([a-z-]+)'/g,
    /super\(\s*\d+,\s*'([a-z-]+)'/g,
  )
  const faults = codesIn(/\bfault\(\s*(?:\[[^\]]*\]|\w+),\s*'([a-z-]+)'/g)
  assert.ok(problems.length > 150 && faults.length > 100, `${problems.length} problems, ${faults.length} faults`)
  const missing = [...new Set([...problems, ...faults])].filter(code => !problemTexts[code] && !faultTexts[code])
  assert.deepEqual(missing, saidByPeople)
})

test('a refusal is a sentence, in German for people who read German if its code is known', async () => {
  const body = {
    code: 'wip-limit',
    detail: 'the column is full',
    Fields: [{ Code: 'required', Message: 'is missing' }],
    refused: [{ code: 'never-heard-of', detail: 'is new', Fields: [] }],
  }
  const refusal = () => Response.json(body, { status: 422, headers: { 'content-type': 'application/problem+json' } })
  assert.deepEqual(await (await inWords(refusal(), 'en')).json(), {
    code: 'wip-limit',
    detail: 'The column is full',
    Fields: [{ Code: 'required', Message: 'Is missing' }],
    refused: [{ code: 'never-heard-of', detail: 'Is new', Fields: [] }],
  })
  const said = await inWords(refusal(), 'de')
  assert.equal(said.status, 422)
  assert.deepEqual(await said.json(), {
    code: 'wip-limit',
    detail: 'Die Spalte ist voll.',
    Fields: [{ Code: 'required', Message: 'Das fehlt noch.' }],
    refused: [{ code: 'never-heard-of', detail: 'Is new', Fields: [] }],
  })
})

test('what people of the tenant wrote is shown as they wrote it', async () => {
  const problem = (body: object) =>
    Response.json(body, { status: 422, headers: { 'content-type': 'application/problem+json' } })
  const reason = { Code: 'required', Message: 'Dringendes braucht eine Frist' }
  const broken = await inWords(problem({ code: 'constraint-broken', detail: '1 constraint', Fields: [reason] }), 'de')
  assert.deepEqual((await broken.json()).Fields, [reason])
  const vetoed = await inWords(problem({ code: 'vetoed', detail: 'Erst nach der Inventur', Fields: [] }), 'de')
  assert.equal((await vetoed.json()).detail, 'Erst nach der Inventur')
})
