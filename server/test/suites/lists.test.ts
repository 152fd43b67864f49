import { test } from 'node:test'
import type { Column } from '../../src/kernel/record/columns.ts'
import { Builder } from '../support/builder.ts'
import { each, Findings } from '../support/findings.ts'
import { isLong } from '../support/form.ts'
import { fill, type KindAddress, kindOf, kinds } from '../support/operations.ts'
import { sharedTestService } from '../support/people.ts'
import type { Body } from '../support/seeds/seeds.ts'

// Every list returns all records, or pages that miss none and show none twice, while records are created and deleted.
// For each kind, at one of its addresses: 13 records in pages of 5 give a first, a middle and a last page, two of
// which begin at a cursor. Paging is tried by one property of each type in both directions, because a cursor is
// compared by the type. Every property is filtered by an existing value; the comparisons (ne, gte) are implemented once
// per type and tried once per type. Every kind of invalid query is sent once. In the short form a list has a third of the
// orders, properties and invalid queries, the next list the next third.

const { ada } = await sharedTestService()
const builder = new Builder(ada)
const records = 13
const pageSize = 5
const lists = kinds.filter(kind => kind.list && kindOf(kind.entity) === kind)

/** What a list tries of these cases. */
function turnOf<Case>(kind: KindAddress, all: readonly Case[]): readonly Case[] {
  return isLong ? all : all.filter((_, i) => i % 3 === lists.indexOf(kind) % 3)
}

for (const kind of lists)
  test(`${kind.base} pages through everything once, in any order, while records come and go`, async () => {
    const found = new Findings()
    const path = fill(kind.base, await builder.params(kind.create))
    const made = new Set<string>()
    await each([...Array(records).keys()], async i => {
      const { record } = await builder.make(kind, { all: i % 2 === 0 })
      made.add(record.id)
    })
    for (const order of turnOf(kind, orders(kind)))
      await found.step(`sort=${order}`, async () => {
        const query = `sort=${encodeURIComponent(order)}`
        const before = ids(await ada.get(`${path}?${query}`))
        const { seen, sizes } = await walk(`${path}?limit=${pageSize}&${query}`)
        found.expect(before.length >= records, 'all records are in the list')
        found.expect(sizes.slice(0, -1).every(size => size === pageSize) && sizes.length > 2, `pages of ${sizes}`)
        found.same(seen, before, `sort=${order} in pages and in one`)
      })
    await found.step('records come and go', () => comeAndGo(found, kind, path, made))
    await found.step('queries', () => queries(found, kind, path))
    found.finish()
  })

const ids = (list: Body[]): string[] => list.map(one => one.id)

/** Follows the pages to the end; `between` is called after each page. */
async function walk(address: string, between: (page: string[]) => Promise<void> = async () => {}) {
  const seen: string[] = []
  const sizes: number[] = []
  for (let next: string | null = address; next !== null; ) {
    const { status, body, headers } = await ada.ask('GET', next)
    if (status !== 200) throw new Error(`${next} answered ${status} ${JSON.stringify(body)}`)
    sizes.push(body.length)
    seen.push(...ids(body))
    await between(ids(body))
    const link: string | undefined = /<\/api([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    const cursor: string | null = headers.get('x-next-cursor')
    if ((link === undefined) !== (cursor === null)) throw new Error('Link and X-Next-Cursor do not agree')
    next = cursor === null ? null : `${address}&cursor=${cursor}`
  }
  return { seen, sizes }
}

/** The default order, and one sortable property of each type in both directions. */
function orders({ resource }: KindAddress): string[] {
  const byType = new Map<string, Column>()
  for (const column of resource.columns)
    if (column.type !== 'jsonb' && !column.type.endsWith('[]')) byType.set(column.type, column)
  const [first, ...rest] = [...byType.values()].map(column => column.property)
  return ['', '-created', ...rest, ...(first ? [`-${first}`, `${first},-updated`] : [])]
}

/** Only records of `made` are deleted, because other lists refer to those that the builder made by itself. */
async function comeAndGo(found: Findings, kind: KindAddress, path: string, made: ReadonlySet<string>): Promise<void> {
  if (!kind.remove) return
  const all = ids(await ada.get(`${path}?sort=created`))
  const isMade = (id: string) => made.has(id)
  const goes = {
    seen: all.slice(0, pageSize - 1).findLast(isMade) ?? '',
    last: all.slice(pageSize - 1, pageSize).find(isMade) ?? '',
    unseen: all.slice(pageSize + 1).find(isMade) ?? '',
  }
  const gone = new Set<string>()
  const remove = async (id: string) => {
    if (id === '') return
    const { status } = await ada.ask('DELETE', `${path}/${id}`)
    if (status === 204) gone.add(id)
  }
  let page = 0
  const { seen } = await walk(`${path}?limit=${pageSize}&sort=created`, async () => {
    if (page++ !== 0) return
    await builder.make(kind, { all: false })
    await remove(goes.seen)
    await remove(goes.unseen)
    await remove(goes.last) // the record at the cursor
  })
  found.expect(new Set(seen).size === seen.length, 'nothing is shown twice')
  const missed = all.filter(id => !gone.has(id) && !seen.includes(id))
  found.same(missed, [], 'nothing that stays is missed')
  found.expect(gone.size > 0, 'something went')
}

async function queries(found: Findings, kind: KindAddress, path: string): Promise<void> {
  const [column = 'created'] = kind.resource.columns.map(each => each.property)
  const sparse: Body[] = await ada.get(`${path}?fields=${column.toUpperCase()}&limit=3`)
  found.same(
    sparse.map(one => Object.keys(one).sort()),
    sparse.map(() => [...new Set(['entity', 'id', column])].sort()),
    'fields',
  )
  const page = await ada.ask('GET', `${path}?limit=5&sort=-created&count=exact`)
  const cursor = page.headers.get('x-next-cursor')
  found.expect(Number(page.headers.get('x-total-count')) >= records - 3, 'X-Total-Count')
  found.same(page.headers.get('x-limit'), '5', 'X-Limit')
  for (const other of [
    'sort=created',
    `sort=-created&createdBy=${ada.id}`,
    'sort=-created&deleted=include',
    'sort=-created&fields=created',
  ]) {
    const { status, body } = await ada.ask('GET', `${path}?limit=5&${other}&cursor=${cursor}`)
    found.same([status, body?.Fields?.[0]?.Code], [400, 'cursor-mismatch'], `a cursor with ${other}`)
  }
  for (const [query, field] of turnOf(kind, [
    ['cursor=rubbish', 'cursor'],
    ['cursor=W10', 'cursor'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=x', 'limit'],
    ['sort=nothing', 'sort'],
    ['fields=nothing', 'fields'],
    ['deleted=perhaps', 'deleted'],
    ['count=all', 'count'],
    ['updatedAfter=yesterday', 'updatedAfter'],
    ['version=many', 'version'],
    ['created[like]=x', 'created[like]'],
    ['createdBy[gt]=2000', ''],
  ] as const)) {
    const { status, body } = await ada.ask('GET', `${path}?${query}`)
    if (field === '') found.expect(status < 500, `${query} answered ${status}`)
    else found.same([status, body?.Fields?.[0]?.Field], [400, field], query)
    if (field.endsWith(']'))
      found.same(body?.Fields?.[0]?.Code, 'operator', `${query}, which has no value of the type either`)
  }
  const unknown = await ada.ask('GET', `${path}?${column}x=1`)
  found.same([unknown.status, unknown.body?.Fields?.[0]?.Code], [400, 'unknown'], 'an unknown parameter')
  await filters(found, kind, path)
}

/** A filter by the value of a record finds it and the opposite filter does not; together they find all records. */
async function filters(found: Findings, kind: KindAddress, path: string): Promise<void> {
  const all: Body[] = await ada.get(path)
  const sample = all.at(-1) ?? {}
  const compared = new Set<string>()
  for (const { property, type } of turnOf(kind, [
    ...kind.resource.columns,
    { property: 'id', type: 'uuid' },
    { property: 'createdBy', type: 'uuid' },
    { property: 'version', type: 'integer' },
  ])) {
    const value = Array.isArray(sample[property]) ? sample[property][0] : sample[property]
    if (type === 'jsonb' || value === undefined || value === null || String(value).includes(',')) continue
    const has = (list: Body[]) => list.some(one => one.id === sample.id)
    const equal: Body[] = await ada.get(`${path}?fields=id&${property}=${encodeURIComponent(value)}`)
    found.expect(has(equal), `${property}=${value} does not find what has it`)
    if (type.endsWith('[]') || compared.has(type)) continue
    compared.add(type)
    const other: Body[] = await ada.get(`${path}?fields=id&${property}[ne]=${encodeURIComponent(value)}`)
    found.expect(!has(other), `${property}[ne]=${value} finds what has it`)
    const least: Body[] = await ada.get(`${path}?fields=id&${property}[gte]=${encodeURIComponent(value)}`)
    found.expect(value === '' || has(least), `${property}[gte]=${value} does not find what has it`)
  }
}
