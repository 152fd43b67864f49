import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { action } from '../../src/containers/action/action.ts'
import { templateKind } from '../../src/containers/content-template/content-template.ts'
import { grantEffect } from '../../src/identity/grant-effect.ts'
import { operator } from '../../src/language/conditions/operators/operators.ts'
import { Builder, seedTenant } from '../support/builder.ts'
import { each, Findings } from '../support/findings.ts'
import { isLong } from '../support/form.ts'
import {
  askAbout,
  logAnswers,
  onePersonPerRole,
  type RoleName,
  reading,
  Secrets,
} from '../support/isolation/leak-search.ts'
import { kindOf, type Op, operations } from '../support/operations.ts'
import { type Person, sharedTestService } from '../support/people.ts'
import type { Body } from '../support/seeds/seeds.ts'

// Writes unique texts (canaries) into four fields of every item: a custom and a standard field that a grant denies, and a custom and a
// standard field that the process of the items hides. Every operation that reads, and the dry run of every operation that may answer with
// content of items, is called by every role, in the short form by two roles by turns. No answer may contain a canary.

const home = await sharedTestService()
const { ada } = home
const builder = new Builder(ada, 'hidden')
const secrets = new Secrets(['hidden'])
let people = new Map<RoleName, Person>()
/** The change sets that wrote the canaries; the second one conflicts with an undo of the first. */
const changeSets: string[] = []
/** The bodies and queries with which an operation is asked for the hidden fields. */
const asked: Record<string, { body?: Body; query?: string }> = {}

const paths = { denied: ['field.wage', 'description'], limited: ['field.margin', 'resolution'] }
const allPaths = [...paths.denied, ...paths.limited]
const template = allPaths.map(path => `{{ ${path.includes('.') ? path : `item.${path}`} }}`).join(' ')
const on = (leftSide: string) => [{ condition: [{ leftSide, operator: operator.notEquals, rightSide: 'nothing' }] }]

before(async () => {
  people = await onePersonPerRole(home)
  await seedTenant(builder)
  const process = await hideFields()
  await writeCanaries(process)
  await writeCanaries(process)
  await useFields()
  await writeCanaries(process) // so that another run of the rule changes them
  asked['GET /search'] = { query: `q=${[...secrets.all].findLast(([, { where }]) => where === 'description')?.[0]}` }
  await ada.post('/access-control', {
    audience: '@everyone',
    effect: grantEffect.deny,
    permissions: ['field.wage.*', 'field.description.*'],
  })
})

/** Lets a process hide fields from everybody but super admins, whom nothing binds. */
async function hideFields(): Promise<string> {
  for (const key of ['wage', 'margin']) await ada.post('/field', { name: key, key })
  const { id } = await builder.one('Process')
  const [wage, margin] = ['wage', 'margin'].map(fieldId => ({ fieldId }))
  const hiddenFor = ['@everyone']
  await ada.put(`/process/${id}`, {
    fields: [wage, { ...margin, hiddenFor }, { fieldId: 'resolution', hiddenFor }, { fieldId: 'description' }],
  })
  return id
}

/** Writes new canaries into all items, which the requester has requested. */
async function writeCanaries(processId: string): Promise<void> {
  const canary = (where: string) => {
    const text = builder.text()
    secrets.keep(text, where, new Set(['readOnly', 'requester', 'member', 'manager', 'admin']))
    return text
  }
  const patch = {
    processId,
    requesterId: people.get('requester')?.id,
    ...{ description: canary('description'), resolution: canary('resolution') },
    Field: ['wage', 'margin'].map(key => ({ key, value: canary(key) })),
  }
  const { status, headers, body } = await ada.ask('PATCH', '/item', { body: { all: true, patch } })
  assert.equal(status, 200, JSON.stringify(body))
  assert.ok(body.filter((one: Body) => one.outcome === 'updated').length > 5, JSON.stringify(body))
  changeSets.push(headers.get('change-set') ?? '')
}

/** Makes rules, templates and the like that use the fields, and lets them act once. */
async function useFields(): Promise<void> {
  const more = async (entity: string, values: Body) => {
    const kind = kindOf(entity)
    assert.ok(kind)
    return (await builder.make(kind, { more: values })).record
  }
  const item = await builder.rich('Item')
  const text = [...secrets.all.keys()].at(-1)
  const actionValue = allPaths.map(field => ({ actionType: action.setField, field, value: `${text} ${field}` }))
  const conditionGroup = on('field.wage')
  const rule = await more('Rule', {
    conditionGroup,
    actionValue,
    actionEndpoint: [],
    container: [],
    quietHours: undefined,
    runAs: '',
    owner: 0,
    ownerId: '',
    debounce: '',
    maxPerHour: 0,
    oncePerRecord: false,
  })
  const ran = await ada.post(`/rule/${rule.id}/run`, { itemId: item.id })
  assert.match(JSON.stringify(ran.actions), /hidden/, JSON.stringify(ran))
  const reply = await more('ContentTemplate', {
    kind: templateKind.macro,
    body: template,
    locales: {},
    actions: [],
    owner: 0,
    ownerId: '',
  })
  await more('Notification', {
    conditionGroup: [],
    container: [],
    groupBy: 'resolution',
    templateId: undefined,
    savedReportId: undefined,
  })
  await more('Board', {
    criteria: {},
    columnField: 'status',
    swimlaneField: 'resolution',
    cardFields: ['description', 'margin'],
  })
  await more('ContainerFilter', { criteria: {} })
  const itemId = item.id
  Object.assign(asked, {
    'POST /content-template/preview': { body: { template: { name: 'x', body: template, format: 'text' }, itemId } },
    'POST /content-template/:id/render': { body: { itemId, locale: 'en' } },
    'POST /rule/:id/run': { body: { itemId } },
    'POST /rule/dry-run': { body: { rule: { name: 'x', trigger: 3, actionValue }, itemId } },
    'POST /ticket/:id/macro': { body: { templateId: reply.id } },
    'GET /rule/log': { query: `itemId=${itemId}` },
    'GET /container/:containerId/filter/:filterId/groups': { query: 'by=resolution&first=3' },
    'POST /item/search': { body: { conditionGroup: on('title') } },
    'POST /constraint/dry-run': {
      body: { constraint: { name: 'x', then: [{ kind: 3, field: 'field.wage', value: ['x'] }] } },
    },
    'PATCH /item': { body: { ids: [itemId], patch: { points: 7 } } },
  })
}

/** The writes whose answers may have content of items. */
const answering = operations.filter(
  ({ route, operation }) =>
    operation.mode !== 'read' &&
    /item|ticket|rule|board|cycle|template|constraint|approval|notification|filter|link/.test(route) &&
    !/^DELETE|password|break-glass|\/restore|merge|unmerge|split/.test(route),
)

async function ask(op: Op, who: Person) {
  const { body, query = '' } = asked[op.route] ?? {}
  const dry = op.operation.mode === 'read' ? '' : 'dryRun=true'
  const search = [query, dry].filter(Boolean).join('&')
  return await askAbout(search ? { ...op, path: `${op.path}?${search}` } : op, builder, who, body)
}

async function findLeaks(list: readonly Op[], roles: readonly RoleName[]): Promise<void> {
  const found = new Findings()
  await each([...list.entries()], async ([number, op]) => {
    for (const role of isLong ? roles : twoOf(roles, number)) {
      const who = people.get(role)
      const shown = who ? secrets.leaks(await ask(op, who), role) : []
      found.expect(shown.length === 0, `${op.route}: ${role} reads ${shown.slice(0, 5).join(', ')}`)
    }
  })
  found.finish(100)
}

function twoOf(roles: readonly RoleName[], number: number): RoleName[] {
  return [...roles, ...roles].slice(number % roles.length).slice(0, 2)
}

test('no operation that reads shows a hidden field', async () => {
  await findLeaks(reading, ['readOnly', 'requester', 'member', 'manager', 'admin'])
})

test('no dry run of a write shows a hidden field', async () => {
  await findLeaks(answering, ['admin', 'requester'])
})

test('neither change sets, their undo, the log nor the stream show a hidden field', async () => {
  const found = new Findings()
  for (const path of [`/change/${changeSets[0]}`, '/event?limit=1000'])
    found.expect(secrets.tokens(await ada.get(path)).length > 0, path)
  const conflicts = await ada.ask('POST', `/change/${changeSets[0]}/undo`)
  found.expect(conflicts.status === 409 && secrets.tokens(conflicts.body).length > 0, 'the undo conflicts')
  for (const role of ['admin', 'member', 'requester'] as const) {
    const who = people.get(role)
    assert.ok(who)
    for (const id of changeSets)
      for (const [method, path] of [
        ['GET', `/change/${id}`],
        ['POST', `/change/${id}/undo?dryRun=true`],
      ] as const) {
        const shown = secrets.leaks(await who.ask(method, path), role)
        found.expect(shown.length === 0, `${method} ${path}: ${role} reads ${shown.slice(0, 5).join(', ')}`)
      }
    for await (const [path, answer] of logAnswers(who)) {
      const shown = secrets.leaks(answer, role)
      found.expect(shown.length === 0, `GET ${path}: ${role} reads ${shown.slice(0, 5).join(', ')}`)
    }
  }
  found.finish(100)
})

test('self-test: super admins read the fields in the answers that can have them, so that a leak would be found', async t => {
  const reached = new Set<string>()
  const all = new Set<string>()
  await each([...reading, ...answering], async op => {
    const tokens = secrets.tokens((await ask(op, ada)).body).filter(token => secrets.all.has(token))
    if (tokens.length > 0) reached.add(op.route)
    for (const token of tokens) all.add(token)
  })
  t.diagnostic(
    `${reading.length} reads and ${answering.length} dry runs; ${reached.size} show the fields to super admins`,
  )
  assert.deepEqual(
    [...secrets.all.keys()].filter(token => !all.has(token)),
    [],
  )
  const expected = [
    ...[
      'GET /item',
      'GET /item/:id',
      'GET /item/:id/history',
      'GET /ticket/:id',
      'GET /rule/:id',
      'GET /rule/:id/log',
      'GET /rule/log',
    ],
    ...[
      'POST /content-template/preview',
      'POST /content-template/:id/render',
      'POST /rule/:id/run',
      'POST /rule/dry-run',
    ],
    ...['POST /item/search', 'GET /search', 'PATCH /item/:id', 'POST /ticket/:id/macro', 'GET /board/:id/cards'],
  ]
  assert.deepEqual(
    expected.filter(route => !reached.has(route)),
    [],
    [...reached].join('\n'),
  )
})
