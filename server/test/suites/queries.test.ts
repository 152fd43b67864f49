import { test } from 'node:test'
import { each, Findings } from '../support/findings.ts'
import { type Op, operations } from '../support/operations.ts'
import { sharedTestService } from '../support/people.ts'

// No operation ignores a parameter. Every operation gets an unknown parameter, and every parameter with a fixed set of
// values gets other values and is repeated. The query is read before the body and the record, so neither exists here.

const { ada } = await sharedTestService()
const nowhere = '01890000-0000-7000-8000-000000000000'

const address = ({ path }: Op) => path.replaceAll(/:\w+/g, nowhere)
const { query: listQuery = {} } = operations.find(({ route }) => route === 'GET /clock')?.operation ?? {}

/** The faults of the query, as `400 Field Code`. */
async function refusal({ method, ...op }: Op, query: string): Promise<string> {
  const { status, body } = await ada.ask(method, `${address({ method, ...op })}?${query}`)
  return [status, body?.Fields?.[0]?.Field, body?.Fields?.[0]?.Code].join(' ')
}

/** A list answers 404 before it reads its filters if the record in its path does not exist. */
const readsRecordFirst = ({ operation, params }: Op) => operation.filters === true && params.length > 0

test('an unknown parameter is refused by every operation', async () => {
  const found = new Findings()
  await each(
    operations.filter(op => !readsRecordFirst(op)),
    async op => void found.same(await refusal(op, 'unheardOf=1'), '400 unheardOf unknown', op.route),
  )
  for (const path of ['/config', '/entra/meta', '/meta', '/meta/limits'])
    found.same((await ada.ask('GET', `${path}?unheardOf=1`)).status, 400, path)
  found.finish()
})

test('a misspelt parameter is refused with the nearest name', async () => {
  const found = new Findings()
  for (const [method, path, near] of [
    ['PUT', `/clock/${nowhere}?dryrun=true`, 'dryRun'],
    ['DELETE', `/process/${nowhere}?purgeValue=true`, 'purgeValues'],
    ['GET', '/clock?limt=3', 'limit'],
    ['GET', '/clock?timezon=UTC', 'timezone'],
    ['GET', '/item?asignees=@me', 'assignees'],
    ['GET', '/item?render=html', ''],
  ] as const) {
    const { status, body } = await ada.ask(method, path)
    found.same(status, 400, path)
    const message = String(body?.Fields?.[0]?.Message)
    found.expect(near === '' ? !message.includes('did you mean') : message.endsWith(`did you mean ${near}?`), message)
  }
  found.finish()
})

test('a boolean or enumerated parameter takes its own values only, and only once', async () => {
  const found = new Findings()
  const cases = operations.flatMap(op => {
    const { query = {}, mode } = op.operation
    const named = Object.entries(query).flatMap(([name, schema]) =>
      schema.enum && listQuery[name] !== schema ? [{ op, name, value: String(schema.enum[0]) }] : [],
    )
    return mode === 'read' ? named : [...named, { op, name: 'dryRun', value: 'true' }]
  })
  found.expect(cases.length > 300, `${cases.length} parameters`)
  await each(cases, async ({ op, name, value }) => {
    for (const wrong of [value.toUpperCase(), '1', 'yes', ''].filter(each => each !== value))
      found.same(await refusal(op, `${name}=${wrong}`), `400 ${name} enum`, `${op.route} ${name}=${wrong}`)
    const twice = await refusal(op, `${name}=${value}&${name}=${value}`)
    found.same(twice, `400 ${name} duplicate`, `${op.route} ${name} twice`)
  })
  found.finish()
})

test('a dry run that is misspelt writes nothing', async () => {
  for (const query of ['dryRun=True', 'dryRun=1', 'dryRun=yes', 'dryRun=true&dryRun=true', 'dryrun=true', 'dryRun'])
    await ada.ask('POST', `/finance/non-billable?${query}`, { body: { code: 'DRY', name: query } })
  const found = new Findings()
  found.same(await ada.get('/finance/non-billable?code=DRY'), [], 'nothing was written')
  found.finish()
})
