import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { unauthenticatedRoutes } from '../../src/app/routes/unauthenticated-routes.ts'
import type { Answer } from '../support/answer.ts'
import { Builder, seedTenant } from '../support/builder.ts'
import { describedAt, document, resolved } from '../support/conformance/document.ts'
import { ajv, schemaFaults } from '../support/conformance/schema-faults.ts'
import { asOwner } from '../support/database/database.ts'
import { each, Findings } from '../support/findings.ts'
import { isLong } from '../support/form.ts'
import { fill, kinds, type Op, operations } from '../support/operations.ts'
import { sharedTestService } from '../support/people.ts'
import type { Body } from '../support/seeds/seeds.ts'
import { beyondSeeds, subjectOf } from '../support/seeds/seeds.ts'

// The published document is valid, complete, and matches the service. Each operation is called with the example of the
// document, or with a body built from its schema; in the long form with both.

const { ada, eve, nobody, databaseUrl } = await sharedTestService()
// The operator's operations need a tenant that is not their own.
await asOwner(databaseUrl, undefined, 'update tenant set operating = true where id = $1', [eve.tenantId])
// Break-glass access needs a confidential item that another user created.
const sealed = await eve.post('/item', { title: 'Sealed', visibility: 2 })
await asOwner(databaseUrl, undefined, 'update item set created_by = tenant_id where id = $1', [sealed.id])
const toOthers = /^(DELETE \/tenant\/:id|POST \/tenant\/:id\/\w+)$/
const builder = new Builder(eve)

before(async () => {
  await seedTenant(builder)
  for (const kind of kinds) await builder.spare(kind)
})

interface Described {
  route: string
  operation: Body
}

const described: Described[] = Object.entries<Body>(document.paths).flatMap(([path, item]) =>
  Object.entries<Body>(item).map(([method, operation]) => ({ route: `${method.toUpperCase()} ${path}`, operation })),
)

test('the document is valid OpenAPI 3.1, is labelled v1, and is what the service serves', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  assert.ok(valid, JSON.stringify(errors)?.slice(0, 2000))
  assert.equal(document.openapi, '3.1.0')
  assert.equal(document.info.version, 'v1')
  const served = await nobody.ask('GET', '//openapi/v1.json')
  assert.equal(served.status, 200)
  assert.deepEqual(served.body, document)
})

test('every operation is in it, and nothing else', () => {
  const all = [...operations.map(({ method, path }) => `${method} ${path}`), ...Object.keys(unauthenticatedRoutes)]
  const declared = all.map(route => route.replace(' ', ' /api').replace(/:(\w+)/g, '{$1}'))
  assert.deepEqual(described.map(one => one.route).sort(), declared.sort())
})

test('every operation says what it is for, who may, what it takes and how it refuses', () => {
  const found = new Findings()
  const ids = described.map(one => one.operation.operationId)
  found.same(ids.length, new Set(ids).size, 'operation ids are unique')
  for (const { route, operation } of described) {
    const { operationId, summary, description, responses, parameters, tags } = operation
    found.expect(/^[a-z][A-Za-z0-9]+$/.test(operationId), `${route} has the id ${operationId}`)
    found.expect(summary?.length > 5 && summary.length < 80 && !summary.endsWith('.'), `${route}: summary ${summary}`)
    found.expect(description?.length > 20, `${route}: description`)
    found.expect(tags?.length === 1, `${route}: tags`)
    const open = operation.security?.length === 0
    found.expect(
      open ||
        (/^[a-z]\w*(\.[a-z]\w*){1,2}$/i.test(operation['x-permission'] ?? '') && Array.isArray(operation['x-roles'])),
      `${route}: permission`,
    )
    found.expect(
      open || description.includes(`\`${operation['x-permission']}\``),
      `${route}: the description does not name its permission`,
    )
    for (const status of open ? ['400', '429', '503'] : ['400', '401', '403', '429', '503'])
      found.expect(status in responses, `${route}: no ${status}`)
    found.expect(Object.keys(responses).filter(status => /^2/.test(status)).length >= 1, `${route}: no success`)
    if (/\{/.test(route)) found.expect('404' in responses, `${route}: no 404`)
    if (operation.requestBody)
      for (const status of ['413', '415']) found.expect(status in responses, `${route}: no ${status}`)
    for (const [status, response] of Object.entries<Body>(responses))
      found.expect(resolved(response)?.description?.length > 5, `${route}: ${status} is not described`)
    const inPath = parameters.filter((one: Body) => one.in === 'path').map((one: Body) => one.name)
    found.same(
      inPath,
      [...route.matchAll(/\{(\w+)\}/g)].map(match => match[1]),
      `${route}: path parameters`,
    )
    const names = parameters.map((one: Body) => `${one.in} ${one.name}`)
    found.same(names.length, new Set(names).size, `${route}: a parameter is there twice`)
  }
  found.finish()
})

test('every schema in it is a schema, and every reference leads somewhere', () => {
  const found = new Findings()
  const walk = (value: unknown, at: string): void => {
    if (value === null || typeof value !== 'object') return
    const { $ref, schema } = value as Body
    if (typeof $ref === 'string') found.expect(resolved(value) !== undefined, `${at} leads nowhere: ${$ref}`)
    if (schema) found.expect(ajv.validateSchema(schema) === true, `${at} is no schema: ${ajv.errorsText()}`)
    for (const [key, content] of Object.entries(value)) walk(content, `${at}/${key}`)
  }
  walk(document, '')
  for (const [name, schema] of Object.entries<Body>(document.components.schemas)) {
    found.expect(ajv.validateSchema(schema) === true, `${name} is no schema: ${ajv.errorsText()}`)
    found.expect(!/"(x-ref|x-column|nullable|~\w+)":/.test(JSON.stringify(schema)), `${name} holds keywords of our own`)
  }
  found.finish()
})

test('no reply is promised to hold addresses: arrived mail contains anything', () => {
  const schemas = Object.entries<Body>(document.components.schemas)
  const promising = schemas.filter(([, schema]) => JSON.stringify(schema).includes('"format":"email"'))
  assert.deepEqual(
    promising.map(([name]) => name),
    [],
  )
})

test('no answer contains a property that can only be written', () => {
  const found = new Findings()
  const walk = (value: unknown, at: string, inside: string[] = []): void => {
    if (value === null || typeof value !== 'object') return
    const { $ref, writeOnly } = value as Body
    found.expect(writeOnly !== true, `${at} is write-only`)
    if (typeof $ref === 'string' && !inside.includes($ref)) walk(resolved(value), $ref, [...inside, $ref])
    for (const [key, content] of Object.entries(value)) walk(content, `${at}/${key}`, inside)
  }
  const schemas = new Set(
    described.flatMap(({ operation }) => Object.values<Body>(operation.responses)).map(each => JSON.stringify(each)),
  )
  for (const each of schemas) walk(JSON.parse(each), each.slice(0, 80))
  found.finish()
})

async function ask(op: Op, body: unknown): Promise<Answer> {
  const kind = builder.kindAt(op) ?? kinds.find(one => one.updateByBody === op)
  const params = await builder.params(op)
  const subject = await subjectOf(builder, op.route)
  if (kind && op.params.includes(kind.idName)) params[kind.idName] = (subject ?? (await builder.spare(kind))).id
  else if (subject) params.id = subject.id
  const whole = kind && op === kind.updateByBody ? { ...(body as Body), id: (await builder.spare(kind)).id } : body
  if (toOthers.test(op.route)) params.id = ada.tenantId
  if (op.route === 'POST /item/:id/break-glass') params.id = sealed.id
  if (op.route === 'POST /tenant/import') {
    const path = `${op.path}?slug=come&email=eve@example.com&dryRun=true`
    return await builder.send({ ...op, path }, params, await builder.person.get('/tenant/export'))
  }
  const usual = op.operation.mode === 'read' ? '' : 'dryRun=true'
  const own: Readonly<Record<string, string>> = {
    'GET /admin/setting/effective': 'key=desk.greeting',
    'DELETE /time': 'ids=01890000-0000-7000-8000-000000000000',
    'DELETE /user': 'ids=01890000-0000-7000-8000-000000000000',
    'DELETE /label': 'ids=01890000-0000-7000-8000-000000000000',
    'DELETE /container': 'ids=01890000-0000-7000-8000-000000000000',
    'DELETE /link': 'ids=01890000-0000-7000-8000-000000000000',
    'DELETE /annotation': 'ids=01890000-0000-7000-8000-000000000000',
  }
  const query = own[op.route] ?? usual
  return await builder.send({ ...op, path: `${op.path}?${query}` }, params, whole, { 'if-match': '*' })
}

/** The operations whose example the service has taken. */
const exemplary = new Set<Op>()

test('every example is one that its schema accepts and the service takes', async t => {
  const found = new Findings()
  await each(operations, async op => {
    const content = describedAt(`/api${op.path.replaceAll(/:(\w+)/g, '$1')}`)?.[op.method.toLowerCase()]
    if (!op.operation.body) return
    const shown = content?.requestBody?.content['application/json']
    const own = op.operation.body.example
    const example = own ?? shown?.example
    found.expect(example !== undefined && Object.keys(example as object).length > 0, `${op.route} has no example`)
    if (shown) {
      if (own !== undefined) found.same(shown.example, JSON.parse(JSON.stringify(own)), `${op.route} shows its example`)
      found.same(schemaFaults(shown.schema, example), [], `${op.route}: its example`)
    }
    // An example that contains the id of a record refers to no existing record here.
    if (/[0-9a-f]{8}-[0-9a-f]{4}-/.test(JSON.stringify(example)) || beyondSeeds.has(op.route)) return
    const { status, body } = await ask(op, example)
    exemplary.add(op)
    found.expect(
      status < 300,
      `${op.route}: its example is answered ${status} ${JSON.stringify(body?.Fields ?? body).slice(0, 300)}`,
    )
  })
  t.diagnostic(`${exemplary.size} examples executed`)
  found.finish()
})

test('every operation succeeds, and its answer is as described', async () => {
  const found = new Findings()
  const possible = operations.filter(op => !beyondSeeds.has(op.route) && (isLong || !exemplary.has(op)))
  await each(possible, async op => {
    await found.step(op.route, async () => {
      const takes = op.operation.body || op.operation.form
      // Most patches may be empty; required properties are filled in.
      const demands = op.method === 'POST' || (op.operation.body?.schema.required ?? []).length > 0
      const body = takes ? (demands ? await builder.bodyOf(op) : {}) : undefined
      const { status, body: answer } = await ask(op, body)
      found.expect(
        status < 300,
        `${op.route} answered ${status} ${JSON.stringify(answer?.Fields?.length ? answer.Fields : answer)?.slice(0, 300)}`,
      )
    })
  })
  found.finish()
})

// The suites of bodies and queries get the other refusals of every operation, which are compared with the document, too.
test('every operation about a record refuses one that is not there as described', async () => {
  const found = new Findings()
  const about = operations.filter(({ operation, params }) => !operation.body && !operation.form && params.length > 0)
  await each(about, async op => {
    const path = fill(op.path, Object.fromEntries(op.params.map(name => [name, crypto.randomUUID()])))
    found.same((await eve.ask(op.method, path)).status, 404, op.route)
  })
  found.finish()
})

test('all endpoints of the seed are there', () => {
  const seed =
    `POST /api/admin/api-key, DELETE /api/admin/setting/{id}, PUT /api/process/{id}, DELETE /api/process/{id},
    PUT /api/container/{containerId}/filter/{filterId}, PUT /api/field/time, POST /api/user, PUT /api/clock/{id}, DELETE /api/clock/{id},
    POST /api/docs/doc, PUT /api/finance/crm, PUT /api/finance/non-billable/{id}, POST /api/insight/report/user-timesheet, GET /api/rule,
    PUT /api/rule, DELETE /api/rule/{id}, GET /api/area, GET /api/area/{id}, DELETE /api/area/{id}, GET /api/mail/general,
    DELETE /api/time/{id}, GET /api/file/download/{fileId}, POST /api/notification, PUT /api/notification, GET /api/notification/{id},
    POST /api/item`.split(/,\s+/)
  const there = new Set(described.map(one => one.route))
  assert.equal(seed.length, 26)
  assert.deepEqual(
    seed.filter(route => !there.has(route)),
    [],
  )
})
