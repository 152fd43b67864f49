import { test } from 'node:test'
import { plainDefault } from '../../src/kernel/record/columns.ts'
import type { Schema } from '../../src/kernel/schema/shape.ts'
import { Builder, type Made } from '../support/builder.ts'
import { Findings } from '../support/findings.ts'
import { casesOf } from '../support/form.ts'
import { fill, type KindAddress, kindOf, kinds } from '../support/operations.ts'
import { sharedTestService } from '../support/people.ts'
import type { Body } from '../support/seeds/seeds.ts'

// The guarantees of every operation, whatever its kind. Only the exceptions name a kind. Each kind passes two life
// cycles: in the first, at each of its addresses (in the short form at its usual one, and some kinds at others), a record is
// created, read, changed, deleted and restored, with one call for each guarantee. In the second, at its usual address, it is
// created as a dry run, with a brief answer, and twice under one idempotency key.

const { ada } = await sharedTestService()
const builder = new Builder(ada)

const common = ['entity', 'tenantId', 'id', 'created', 'createdBy', 'updated', 'updatedBy', 'deleted']
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The properties that are shown only when a record is created. */
const onceOnly = ['RawKey', 'RawSecret', 'warnings']

/** The properties that describe a change and therefore change with it. */
const moving: Record<string, readonly string[]> = { ChatMessage: ['editedAt'], Annotation: ['edited'] }

/** The event kinds of creation that are not called `created`. */
const begunBy: Record<string, string> = { Approval: 'requested' }

/** The values that `null` becomes where it is not the plain default, with the reason. */
const clearedTo: Record<string, string> = {
  'Time.userId': 'time without a user is the caller’s',
  'Time.date': 'time without a day is on the day it started',
  'Time.seconds': 'a length is worked out, or stays',
  'Time.minutes': 'a length is worked out, or stays',
  'Time.start': 'a start that goes takes the length along',
  'Container.key': 'a container keeps its key',
  'Field.key': 'a field keeps its key for ever',
  'Field.fieldType': 'on the path of one type it is that type',
  'User.initials': 'they are made from the name',
  'ContainerFilter.containerId': 'it is the one in the path',
  'Item.containerId': 'an item keeps its container',
  'Item.statusCategory': 'it follows from the status',
}

/** Some records can be reached at several addresses. */
const isUsual = (kind: KindAddress) => kindOf(kind.entity) === kind
const others = kinds.filter(kind => !isUsual(kind))

for (const kind of [...kinds.filter(isUsual), ...casesOf(others, 4)]) {
  const address = (made: Made, more = '') => `${fill(kind.base, made.params)}/${made.record.id}${more}`

  test(`${kind.base} is made, read, changed, deleted and restored`, async () => {
    const found = new Findings()
    const made = await builder.make(kind)
    await found.step('create', async () => createdWell(found, kind, made))
    const change = changeOf(kind, made.record)
    const changeSets = [made.answer.headers.get('change-set')]

    await found.step('get', async () => {
      const { body, headers } = await ada.ask('GET', address(made))
      const shown = Object.fromEntries(
        Object.entries(shownLater(kind, made.record)).filter(([key]) => !onceOnly.includes(key)),
      )
      found.same(body, shown, 'get shows what create showed')
      found.same(headers.get('etag'), '"v1"', 'the ETag of a get')
      const unchanged = await ada.ask('GET', address(made), { headers: { 'if-none-match': '"v1"' } })
      found.same([unchanged.status, unchanged.body], [304, undefined], 'If-None-Match')
      const head = await ada.ask('HEAD', address(made))
      found.same([head.status, head.body, head.headers.get('etag')], [200, undefined, '"v1"'], 'HEAD')
    })

    if (kind.list)
      await found.step('list', async () => {
        const list = await ada.get(fill(kind.base, made.params))
        found.expect(Array.isArray(list), 'a list is a bare array')
        found.same(list.find((one: Body) => one.id === made.record.id)?.version, 1, 'the list contains what was made')
      })

    if (kind.update)
      await found.step('update', async () => {
        const [property, value] = change
        const answer = await ada.ask('PUT', address(made), { body: { [property.toUpperCase()]: value } })
        changeSets.push(answer.headers.get('change-set'))
        found.same(answer.status, 200, 'an update, with its property in capitals')
        found.same(answer.headers.get('etag'), '"v2"', 'the ETag moves')
        const { updated: _, version: __, check: ___, ...rest } = answer.body
        const { updated: ____, version: _____, check: ______, ...before } = shownLater(kind, made.record)
        for (const each of [...onceOnly, ...(moving[kind.entity] ?? [])]) delete before[each]
        for (const each of [...onceOnly, ...(moving[kind.entity] ?? [])]) delete rest[each]
        found.same(rest, { ...before, [property]: value }, 'one property changes, the rest stay')
        const again = await ada.ask('PUT', address(made), { body: answer.body })
        found.same([again.status, again.body?.version], [200, 2], 'the whole record sent back changes nothing')
        const patched = await ada.ask('PATCH', address(made), { body: { [property]: value } })
        found.same([patched.status, patched.body?.version], [200, 2], 'PATCH, changing nothing')
      })

    if (kind.update)
      await found.step('the id in the body', async () => {
        const [property, value] = change
        const other = await ada.ask('PUT', address(made), { body: { id: crypto.randomUUID(), [property]: value } })
        found.same([other.status, other.body?.Fields?.[0]?.Pointer], [400, '/id'], 'another id in the body')
        const same = await ada.ask('PUT', address(made), { body: { ID: made.record.id.toUpperCase() } })
        found.same(same.status, 200, 'the same id in the body, in capitals')
        if (!kind.updateByBody) return
        const path = fill(kind.base, made.params)
        const byBody = await ada.ask('PUT', path, { body: { id: made.record.id, [property]: value } })
        found.same([byBody.status, byBody.body?.id], [200, made.record.id], 'PUT with the id in the body')
        const none = await ada.ask('PUT', path, { body: { [property]: value } })
        found.same([none.status, none.body?.Fields?.[0]?.Field], [400, 'id'], 'PUT without any id')
        const absent = await ada.ask('PUT', path, { body: { id: crypto.randomUUID(), [property]: value } })
        found.same(absent.status, 404, 'PUT with an id that never was')
      })

    if (kind.update)
      await found.step('If-Match', async () => {
        const [property] = change
        const stale = await ada.ask('PUT', address(made), {
          body: { [property]: otherThan(kind, property, change[1]) },
          headers: { 'if-match': '"v1"' },
        })
        found.same([stale.status, stale.body?.current?.version], [412, 2], 'a stale update')
        found.same(stale.headers.get('etag'), '"v2"', 'a stale update returns the ETag')
        const right = await ada.ask('PUT', `${address(made)}?dryRun=true`, {
          body: { [property]: otherThan(kind, property, change[1]) },
          headers: { 'if-match': '"v2"' },
        })
        found.same(right.status, 200, 'an update of the version that was read')
        if (!kind.remove) return
        const gone = await ada.ask('DELETE', address(made), { headers: { 'if-match': '"v1"' } })
        found.same([gone.status, gone.body?.current?.version], [412, 2], 'a stale deletion')
      })

    if (kind.update) await found.step('null', () => clears(found, kind, address(made)))

    if (kind.remove)
      await found.step('delete', async () => {
        const gone = await ada.ask('DELETE', address(made))
        changeSets.push(gone.headers.get('change-set'))
        found.same([gone.status, gone.body], [204, undefined], 'a deletion')
        for (const method of ['GET', ...(kind.update ? ['PUT', 'PATCH'] : []), 'DELETE']) {
          const body = method === 'PUT' || method === 'PATCH' ? { body: { [change[0]]: change[1] } } : {}
          found.same((await ada.ask(method, address(made), body)).status, 404, `${method} of a deleted record`)
        }
        const shown = await ada.ask('GET', address(made, '?deleted=include'))
        found.same([shown.status, shown.body?.deleted], [200, true], 'deleted=include shows it')
        if (!kind.list) return
        const has = async (query: string) => {
          const list: Body[] = await ada.get(fill(kind.base, made.params) + query)
          return list.some(one => one.id === made.record.id)
        }
        found.same(
          [await has(''), await has('?deleted=only'), await has('?deleted=include')],
          [false, true, true],
          'lists',
        )
      })

    if (kind.restore)
      await found.step('restore', async () => {
        const back = await ada.ask('POST', address(made, '/restore'))
        changeSets.push(back.headers.get('change-set'))
        found.same([back.status, back.body?.deleted], [200, false], 'a restoration')
        found.same((await ada.ask('GET', address(made))).status, 200, 'a restored record is back')
        const again = await ada.ask('POST', address(made, '/restore'))
        found.same([again.status, again.body?.version], [200, back.body.version], 'restoring twice')
      })

    if (kind.history)
      await found.step('history', async () => {
        const history: Body[] = await ada.get(address(made, '/history'))
        const happened = [
          begunBy[kind.entity] ?? 'created',
          ...(kind.update ? ['updated'] : []),
          ...(kind.remove ? ['deleted'] : []),
          ...(kind.restore ? ['restored'] : []),
        ]
        found.same(
          history.map(event => event.type.split('.')[1]),
          happened,
          'history has each change, and only those',
        )
        found.same(
          history.map(event => event.changeSetId),
          changeSets,
          'one change set a request',
        )
        const [property, value] = change
        const update = history.find(event => event.type.endsWith('.updated'))
        if (update) found.same(update.changes[property], { from: made.record[property], to: value }, 'from and to')
        found.expect(
          history.every(event => event.actor.id === ada.id && event.recordId === made.record.id),
          'history names who and what',
        )
      })

    found.finish()
  })

  if (!isUsual(kind)) continue
  test(`${kind.base} supports idempotency keys, dry runs and minimal answers`, async () => {
    const found = new Findings()
    const params = await builder.params(kind.create)
    const path = fill(kind.base, params)
    const { operation } = kind.create
    const fresh = () => builder.bodyOf(kind.create, { all: false, params })
    const count = async () => (await ada.ask('GET', `${path}?limit=1&count=exact`)).headers.get('x-total-count')
    await found.step('dryRun', async () => {
      const before = kind.list && (await count())
      const dryRun = await builder.send({ ...kind.create, path: `${kind.base}?dryRun=true` }, params, await fresh())
      found.same([dryRun.status, dryRun.body?.would?.entity], [200, kind.entity], 'a dry run')
      if (!kind.list) return
      found.same(await count(), before, 'a dry run stores nothing')
      const { id } = dryRun.body.would
      found.same((await ada.ask('GET', `${path}/${id}`)).status, 404, 'the record of a dry run does not exist')
    })
    await found.step('return=minimal', async () => {
      const brief = await builder.send(kind.create, params, await fresh(), { prefer: 'return=minimal' })
      found.same([brief.status, brief.body], [operation.reply.status, undefined], 'a minimal answer')
      found.same(brief.headers.get('preference-applied'), 'return=minimal', 'Preference-Applied')
    })
    await found.step('Idempotency-Key', async () => {
      const key = { 'idempotency-key': crypto.randomUUID() }
      const body = await fresh()
      const first = await builder.send(kind.create, params, body, key)
      const again = await builder.send(kind.create, params, body, key)
      found.same(first.status, operation.reply.status, 'the first of two')
      if (operation.unrepeatable) found.same([again.status, again.body?.code], [409, 'not-repeatable'], 'a repetition')
      else {
        found.same([again.status, again.body], [first.status, first.body], 'a repetition')
        found.same(again.headers.get('idempotency-replayed'), 'true', 'Idempotency-Replayed')
        for (const name of ['location', 'etag', 'change-set'])
          found.same(again.headers.get(name), first.headers.get(name), `${name} of a repetition`)
      }
      const other = await builder.send(kind.create, params, await fresh(), key)
      found.same([other.status, other.body?.code], [422, 'idempotency-key-reused'], 'the same key with another body')
    })
    found.finish()
  })
}

/** The record after its creation, whose reply may show a generated secret once. */
function shownLater({ create }: KindAddress, record: Body): Body {
  const { properties = {} } = create.operation.body?.schema ?? {}
  const secrets = Object.keys(record).filter(each => properties[each]?.writeOnly && record[each])
  return { ...record, ...Object.fromEntries(secrets.map(each => [each, '***'])) }
}

function createdWell(found: Findings, kind: KindAddress, { answer, record, body }: Made): void {
  const { operation, path } = kind.create
  found.same(answer.status, operation.reply.status, 'the status of a creation')
  for (const each of common) found.expect(each in record, `${each} is missing`)
  found.same(record.entity, kind.entity, 'entity')
  found.same([record.tenantId, record.createdBy, record.updatedBy], [ada.tenantId, ada.id, ada.id], 'whose it is')
  found.same([record.deleted, record.version], [false, 1], 'deleted and version')
  found.same(answer.headers.get('etag'), '"v1"', 'ETag')
  found.expect(uuid.test(answer.headers.get('change-set') ?? ''), 'Change-Set is missing')
  if (answer.status === 201) {
    const location = answer.headers.get('location') ?? ''
    found.expect(
      location.endsWith(`/${record.id}`) && location.startsWith('/api/'),
      `Location of ${path} is ${location}`,
    )
  }
  for (const [property, value] of Object.entries(body))
    if (['string', 'number', 'boolean'].includes(typeof value) && property in record && property !== 'file')
      found.same(record[property], value, `${property} as it was sent`)
}

/** `null` resets to the plain default, or is refused by a rule that names the property. */
async function clears(found: Findings, kind: KindAddress, address: string): Promise<void> {
  const { properties = {} } = kind.update?.operation.body?.schema ?? {}
  for (const [property, schema] of Object.entries(properties)) {
    const column = kind.resource.byProperty.get(property)
    if (!schema.nullable || !column || `${kind.entity}.${property}` in clearedTo) continue
    const { status, body } = await ada.ask('PUT', `${address}?dryRun=true`, { body: { [property]: null } })
    if (status === 200) found.same(body.would[property], plainDefault(column), `${property} cleared`)
    else
      found.expect(
        (status === 400 || status === 422) && JSON.stringify(body.Fields).includes(property),
        `${property}: null answered ${status} ${JSON.stringify(body).slice(0, 300)}`,
      )
  }
}

/** One property that can be changed freely, and a new value for it. */
function changeOf(kind: KindAddress, record: Body): [string, unknown] {
  const properties = Object.entries(kind.update?.operation.body?.schema.properties ?? {})
  const free = (schema: Schema) => schema.type === 'string' && !schema.format && !schema['x-ref'] && !schema.enum
  const [property] =
    properties.find(([name]) => ['name', 'title', 'description', 'note'].includes(name)) ??
    properties.find(([name, schema]) => free(schema) && !/^(key|owner|ownerId)$/.test(name)) ??
    properties.find(([name]) => /^(expiresAt|until)$/.test(name)) ??
    []
  if (property === undefined) return ['', '']
  return [property, otherThan(kind, property, record[property])]
}

function otherThan(kind: KindAddress, property: string, value: unknown): unknown {
  const schema = kind.update?.operation.body?.schema.properties?.[property]
  if (schema?.format === 'date-time')
    return value === '2998-01-01T00:00:00.000Z' ? '2997-01-01T00:00:00.000Z' : '2998-01-01T00:00:00.000Z'
  return builder.text().slice(-Number(schema?.maxLength ?? 100))
}
