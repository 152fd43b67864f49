import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { strFromU8, unzipSync } from 'fflate'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { grantEffect } from '../../identity/grant-effect.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'
import { csvLine } from './csv.ts'
import { exportFormats, formatFor } from './export-format.ts'

test('a line of CSV quotes what must be quoted, and disarms formulas', () => {
  const cells = ['a', 'b,c', 'd"e', 'f\ng', null, 5, -5, true, ['x'], '=1+1', '+49', '-x', '@me', '\tt', '-12.50']
  assert.equal(csvLine(cells), `a,"b,c","d""e","f\ng",,5,-5,true,"[""x""]",'=1+1,+49,'-x,'@me,'\tt,-12.50\r\n`)
})

test('the format is the one that the caller prefers to JSON', () => {
  assert.equal(formatFor('text/csv'), 'csv')
  assert.equal(formatFor('application/json;q=0.5, text/csv;q=0.9'), 'csv')
  assert.equal(formatFor('application/json, text/csv;q=0.9'), undefined)
  assert.equal(formatFor('application/x-ndjson, text/csv;q=0.9'), 'ndjson')
  for (const other of ['*/*', 'text/html', '', undefined, 'text/csv;q=0', 'text/csv;q=x'])
    assert.equal(formatFor(other), undefined, String(other))
})

describe('an export', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const { id: desk } = await ada.post('/container', { name: 'Desk' })
  const titles = ['=HYPERLINK("http://evil.example")', 'Plain', 'Two\nlines, and "quotes"']
  const made: { id: string }[] = []
  for (const title of titles) made.push(await ada.post('/item', { title, containerId: desk, status: title, points: 3 }))
  await ada.post('/access-control', { userId: bob.id, effect: grantEffect.deny, permissions: ['field.points.*'] })
  const as = async (who: Person, accept: string, method: string, path: string, body?: object) => {
    const answer = await who.ask(method, path, { headers: { accept }, ...(body ? { body } : {}) })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer
  }
  const list = `/item?containerId=${desk}&fields=title,points&sort=created`

  test('of a list is streamed, and of a page it has the same headers', async () => {
    const { body, headers } = await as(ada, 'text/csv', 'GET', list)
    const rows = made.map(({ id }) => id)
    assert.equal(
      body,
      `entity,id,title,points\r\nItem,${rows[0]},"'=HYPERLINK(""http://evil.example"")",3\r\nItem,${rows[1]},Plain,3\r\nItem,${rows[2]},"Two\nlines, and ""quotes""",3\r\n`,
    )
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
    const page = await as(ada, 'application/x-ndjson', 'GET', `${list}&limit=2`)
    assert.deepEqual(
      page.body
        .trim()
        .split('\n')
        .map((line: string) => JSON.parse(line).title),
      titles.slice(0, 2),
    )
    assert.ok(page.headers.get('x-next-cursor'))
    const nothing = await as(ada, 'text/csv', 'GET', '/item?title=nothing')
    assert.equal(nothing.body ?? '', '')
  })

  test('as a workbook keeps numbers, disarms formulas and leaves out what XML cannot hold', async () => {
    const sheetOf = async (who: Person, method: string, path: string, body?: object) => {
      const response = await fetch(`${who.base}/api${path}`, {
        method,
        headers: { authorization: `Bearer ${who.key}`, accept: exportFormats.xlsx, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      assert.equal(response.headers.get('content-type'), exportFormats.xlsx)
      const parts = unzipSync(new Uint8Array(await response.arrayBuffer()))
      assert.deepEqual(Object.keys(parts).length, 5)
      return strFromU8(parts['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
    }
    const sheet = await sheetOf(ada, 'GET', list)
    assert.match(
      sheet,
      /<t xml:space="preserve">'=HYPERLINK\("http:\/\/evil\.example"\)<\/t><\/is><\/c><c><v>3<\/v><\/c><\/row>/,
    )
    assert.equal(sheet.match(/<row>/g)?.length, 4)
    assert.doesNotMatch(await sheetOf(bob, 'GET', `/item?containerId=${desk}`), /points/)
    const odd = { entity: 'Item', groupBy: [{ field: 'status' }], conditionGroup: [] }
    assert.match(
      await sheetOf(ada, 'POST', '/insight/query', odd),
      /^<\?xml[^>]*>\n<worksheet [^>]*><sheetData><row><c t="inlineStr"><is><t xml:space="preserve">status</,
    )
  })

  test('has no field that is hidden from the caller', async () => {
    for (const path of [list.replace(',points', ''), `/item?containerId=${desk}&sort=created`]) {
      const { body } = await as(bob, 'text/csv', 'GET', path)
      assert.match(body, /Plain/)
      assert.doesNotMatch(body, /points/)
      assert.doesNotMatch((await as(bob, 'application/x-ndjson', 'GET', path)).body, /points/)
    }
  })

  test('of a search and of a saved filter has the items that the caller sees, in the same order and by page', async () => {
    const filter = await ada.post(`/container/${desk}/filter`, { name: 'All', criteria: { sortField: 'title' } })
    const search = { container: [desk], sort: 'title', fields: 'title,points' }
    const address = `/container/${desk}/filter/${filter.id}/items?fields=title,points`
    const expected: { title: string }[] = await ada.post('/item/search', search)
    assert.equal(expected.length, titles.length)
    for (const [method, path, body] of [
      ['POST', '/item/search', search],
      ['GET', address, undefined],
    ] as const) {
      const lines = (await as(ada, 'application/x-ndjson', method, path, body)).body.trim().split('\n')
      assert.deepEqual(
        lines.map((line: string) => JSON.parse(line).title),
        expected.map(({ title }) => title),
        path,
      )
      const table = await as(ada, 'text/csv', method, path, body)
      assert.equal(table.headers.get('content-type'), 'text/csv; charset=utf-8')
      assert.match(table.body, /^entity,id,title,points\r\n/)
      assert.match(table.body, /,"'=HYPERLINK\(""http:\/\/evil\.example""\)",3\r\n/)
      const sheet = await as(ada, exportFormats.xlsx, method, path, body)
      assert.equal(sheet.headers.get('content-type'), exportFormats.xlsx)
    }
    const page = await as(ada, 'text/csv', 'POST', '/item/search', { ...search, limit: 2 })
    assert.ok(page.headers.get('x-next-cursor'))
    assert.equal((await as(ada, 'application/json', 'POST', '/item/search', search)).body.length, titles.length)
    const shown = await as(bob, 'text/csv', 'POST', '/item/search', { container: [desk] })
    assert.match(shown.body, /Plain/)
    assert.doesNotMatch(shown.body, /points/)
    const filtered = await as(bob, 'text/csv', 'GET', address.replace(/\?.*/, ''))
    assert.match(filtered.body, /Plain/)
    assert.doesNotMatch(filtered.body, /points/)
    const strange = await eve.ask('GET', address, { headers: { accept: 'text/csv' } })
    assert.equal(strange.status, 404)
    assert.match(strange.headers.get('content-type') ?? '', /problem\+json/)
  })

  test('of users and of customers has those that the caller sees, and of them what the caller may read', async () => {
    const rita = await person({ name: '=Rita', role: roleCode.requester, kind: userKind.requester })
    await ada.post('/finance/crm', { name: '@customer, "first"', domains: ['acme.example'] })
    const users = await as(ada, 'text/csv', 'GET', '/user?fields=name&sort=created')
    assert.match(users.body, /^entity,id,name\r\n/)
    assert.ok(users.body.includes(`\r\nUser,${rita.id},'=Rita\r\n`))
    assert.match((await as(ada, 'text/csv', 'GET', '/user')).body.split('\r\n')[0], /,absence\b/)
    const own = await as(rita, 'text/csv', 'GET', '/user?sort=created')
    assert.match(own.body, /'=Rita/)
    assert.doesNotMatch(own.body, /absence|capacity|rates|bob@example\.com/)
    const customers = await as(ada, 'text/csv', 'GET', '/finance/crm?fields=name,domains')
    assert.match(
      customers.body,
      /^entity,id,name,domains\r\nCrm,[-\w]+,"'@customer, ""first""","\[""acme\.example""\]"\r\n$/,
    )
    assert.equal((await as(eve, 'text/csv', 'GET', '/finance/crm')).body ?? '', '')
    for (const path of ['/user?sort=created', '/finance/crm?sort=created']) {
      const records = (await as(ada, 'application/x-ndjson', 'GET', path)).body.trim().split('\n')
      assert.deepEqual(
        records.map((line: string) => JSON.parse(line)),
        await ada.get(path),
      )
      assert.equal((await as(ada, exportFormats.xlsx, 'GET', path)).headers.get('content-type'), exportFormats.xlsx)
    }
    assert.equal((await rita.ask('GET', '/finance/crm', { headers: { accept: 'text/csv' } })).status, 403)
  })

  test('of time, of a query, of a report and of the records behind a row', async () => {
    await ada.post('/time', { itemId: made[1]?.id, date: '2026-03-02', minutes: 45, note: '@all' })
    const time = await as(ada, 'text/csv', 'GET', '/time?fields=minutes,note')
    assert.match(time.body, /^entity,id,[^\r]*\r\nTime,[-\w]+,.*'@all/)
    const query = { entity: 'Item', groupBy: [{ field: 'status' }], measures: [{ op: 'count' }], sort: 'status' }
    const table = await as(ada, 'text/csv', 'POST', '/insight/query', query)
    assert.equal(table.body.split('\r\n')[0], 'status,count')
    assert.match(table.body, /\r\nPlain,1\r\n/)
    const [row] = (await ada.post('/insight/query', query)).rows
    assert.match(
      (await as(ada, 'text/csv', 'GET', `/insight/drill/${row.drill}?fields=title`)).body,
      /^entity,id,title\r\n/,
    )
    const age = await as(ada, 'application/x-ndjson', 'POST', '/insight/report/backlog-age', {})
    assert.deepEqual(JSON.parse(age.body).items, 3)
  })
})
