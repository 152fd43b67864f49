import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newSecret, signed } from '../../server/src/notify/signature.ts'
import { sharedTestService } from '../../server/test/support/people.ts'
import { until } from '../../server/test/support/until.ts'
import { signInToWeb, webName, webPassword } from '../../server/test/support/web-user.ts'
import * as events from '../src/areas/event.ts'
import * as files from '../src/areas/file.ts'
import * as items from '../src/areas/item.ts'
import * as labels from '../src/areas/label.ts'
import {
  apiKey,
  bearer,
  call,
  codes,
  connect,
  cookie,
  dryRun,
  fieldErrors,
  InvalidSignature,
  type Item,
  isProblem,
  type NewItemWithTime,
  verifyWebhook,
} from '../src/sdk.ts'
import { proxyBefore } from './proxy.ts'

describe('the client', async () => {
  const { ada, bob, person } = await sharedTestService()
  const gantry = connect({ url: ada.base, auth: apiKey(ada.key) })

  test('a list is read page by page, whole or counted', async () => {
    for (let i = 0; i < 5; i++) await labels.create(gantry, { name: `Label ${i}` })
    const names: string[] = []
    for await (const label of labels.list(gantry, { limit: 2, sort: 'created' })) names.push(label.name)
    assert.deepEqual(
      names.slice(-5),
      [0, 1, 2, 3, 4].map(i => `Label ${i}`),
    )
    const all = await labels.list(gantry).all()
    assert.equal(all.length, names.length)
    assert.equal(await labels.list(gantry).count(), names.length)
    assert.equal(await labels.list(gantry, { name: 'Label 3' }).count(), 1)
    const first = await labels.list(gantry).page({ limit: 3 })
    const second = await labels.list(gantry).page({ limit: 3, cursor: first.next })
    assert.equal(new Set([...first.records, ...second.records].map(each => each.id)).size, Math.min(6, names.length))
  })

  test('an answer has its version and its change set, and a dry run stores nothing', async () => {
    const { answer, etag, changeSet } = await items
      .create(gantry, { title: 'Whole', priority: codes.priority.urgent })
      .withResponse()
    assert.deepEqual([answer.title, answer.priority, etag], ['Whole', 1, '"v1"'])
    assert.equal((await call(gantry, 'GET /change/{id}', { path: { id: changeSet ?? '' } })).id, changeSet)
    const { would } = await dryRun(gantry, 'PATCH /item/{id}', {
      path: { id: answer.id },
      body: { title: 'Would be' },
    })
    assert.equal(would.title, 'Would be')
    assert.equal((await items.get(gantry, answer.id)).title, 'Whole')
    assert.equal(await items.remove(gantry, answer.id), undefined)
  })

  test('of many changes at once none is lost', async () => {
    const { id } = await items.create(gantry, { title: 'Counted', points: 0 })
    const add = (current: Item) => ({ points: (current.points ?? 0) + 1 })
    await Promise.all(Array.from({ length: 6 }, () => items.change(gantry, id, add)))
    assert.equal((await items.get(gantry, id)).points, 6)
  })

  test('a refusal is an error with its code and its fields', async () => {
    const refused = await items.update(gantry, 'NO-1', { title: 'x' }).catch(error => error)
    assert.ok(isProblem(refused, 'not-found') && !isProblem(refused, 'validation'))
    // @ts-expect-error the compiler refuses what the service does
    const body: NewItemWithTime = { title: 'x', priority: 'whenever', dueDate: 'tomorrow' }
    const wrong = await items.create(gantry, body).catch(error => error)
    assert.ok(isProblem(wrong))
    assert.deepEqual([...fieldErrors(wrong).keys()].sort(), ['/dueDate', '/priority'])
    const elsewhere = connect({ url: ada.base, auth: apiKey('gty_nobody') })
    const stranger = await items
      .list(elsewhere)
      .all()
      .catch(error => error)
    assert.ok(isProblem(stranger) && stranger.status === 401)
  })

  test('a write whose answer is lost has one effect', async () => {
    const proxy = await proxyBefore(ada.base)
    const behind = connect({ url: proxy.url, auth: apiKey(ada.key) })
    proxy.treat = () => (proxy.seen.length <= 2 ? 'lose the answer' : 'forward')
    const made = await items.create(behind, { title: 'Once' })
    assert.equal(proxy.seen.length, 3)
    const found = await items.list(gantry, { title: 'Once' }).all()
    assert.deepEqual(
      found.map(each => each.id),
      [made.id],
    )
  })

  test('the service is asked again after the time that it names, and a change that names no version is not repeated', async () => {
    const proxy = await proxyBefore(ada.base)
    const behind = connect({ url: proxy.url, auth: apiKey(ada.key) })
    proxy.treat = () => (proxy.seen.length === 1 ? { status: 503, headers: { 'retry-after': '0' } } : 'forward')
    const { id } = await items.create(behind, { title: 'Later' })
    assert.equal(proxy.seen.length, 2)
    proxy.seen.length = 0
    proxy.treat = () => ({ status: 503, headers: { 'retry-after': '0' } })
    const refused = await items.update(behind, id, { title: 'Not twice' }).catch(error => error)
    assert.ok(isProblem(refused, 'not-from-the-service'))
    assert.equal(proxy.seen.length, 1)
    await assert.rejects(items.get(behind, id))
    assert.equal(proxy.seen.length, 6, 'five attempts to read')
    const stopped = AbortSignal.abort(new Error('stopped'))
    await assert.rejects(items.get(behind, id, { signal: stopped }), /stopped/)
  })

  test('a token that has ended is renewed once', async () => {
    const asked: boolean[] = []
    const auth = bearer(refused => {
      asked.push(refused)
      return refused ? ada.key : 'gty_ended'
    })
    await items.list(connect({ url: ada.base, auth })).page({ limit: 1 })
    assert.deepEqual(asked, [false, true])
  })

  test('the session of a browser is used by its own pages', async () => {
    const email = 'web@example.com'
    const kim = await person({ name: 'Kim', email })
    await ada.post(`/user/${kim.id}/password`, { password: webPassword })
    const session = await signInToWeb(kim, email)
    // What a browser adds by itself.
    const browser: typeof fetch = (address, init) => {
      const headers = new Headers(init?.headers)
      headers.set('cookie', session.cookie)
      headers.set('origin', webName)
      return fetch(address, { ...init, headers })
    }
    const inBrowser = connect({ url: ada.base, auth: cookie(), fetch: browser })
    assert.equal((await items.create(inBrowser, { title: 'By a browser' })).createdBy, kim.id)
    const elsewhere = connect({ url: ada.base, auth: { headers: () => ({}) }, fetch: browser })
    await assert.rejects(items.create(elsewhere, { title: 'By another page' }), error => isProblem(error, 'cross-site'))
  })

  test('a stream that is interrupted goes on after its last event', async () => {
    const proxy = await proxyBefore(ada.base)
    const behind = connect({ url: proxy.url, auth: apiKey(ada.key) })
    const stop = new AbortController()
    const titles: string[] = []
    const following = (async () => {
      for await (const { data } of events.follow(behind, { query: { entity: 'Item' }, signal: stop.signal }))
        titles.push((data as { changes: { title: { to: string } } }).changes.title.to)
    })()
    await until(() => proxy.seen.length === 1)
    await until(async () => {
      if (titles.length === 0) await items.create(gantry, { title: 'First' }) // the stream may begin a moment later
      return titles.length > 0
    })
    proxy.cut()
    await items.create(gantry, { title: 'Meanwhile' })
    await until(() => titles.includes('Meanwhile'))
    stop.abort()
    await following
    assert.equal(titles.filter(each => each === 'Meanwhile').length, 1)
    assert.ok(proxy.seen.length >= 2)
  })

  test('a stream that is interrupted before its first event misses none', async () => {
    const proxy = await proxyBefore(ada.base)
    let received = ''
    const listening: typeof fetch = async (...request) => {
      const response = await fetch(...request)
      const text = new TextDecoder()
      const listener = new TransformStream<Uint8Array, Uint8Array>({
        transform(part, controller) {
          received += text.decode(part)
          controller.enqueue(part)
        },
      })
      return new Response(response.body?.pipeThrough(listener) ?? null, response)
    }
    const behind = connect({ url: proxy.url, auth: apiKey(ada.key), fetch: listening })
    const stop = new AbortController()
    const titles: string[] = []
    const following = (async () => {
      for await (const { data } of events.follow(behind, { query: { entity: 'Item' }, signal: stop.signal }))
        titles.push((data as { changes: { title: { to: string } } }).changes.title.to)
    })()
    await until(() => /^id: .+\n\n/m.test(received))
    proxy.treat = () => ({ status: 503 })
    proxy.cut()
    await items.create(gantry, { title: 'In a quiet hour' })
    proxy.treat = () => 'forward'
    await until(() => titles.includes('In a quiet hour'))
    stop.abort()
    await following
  })

  test('bytes are uploaded and come back', async () => {
    const file = new File(['content of the file'], 'note.txt', { type: 'text/plain' })
    const made = await files.create(gantry, { file, description: 'A note' })
    assert.deepEqual([made.name, made.description], ['note.txt', 'A note'])
    const response = await files.download(gantry, made.id)
    assert.equal(await response.text(), 'content of the file')
  })

  test('people of a tenant have their own rights', async () => {
    const other = connect({ url: bob.base, auth: apiKey(bob.key) })
    const refused = await call(other, 'POST /user', { body: { name: 'Eve' } }).catch(error => error)
    assert.ok(isProblem(refused) && refused.status === 403)
  })
})

test('the signature of a webhook is checked', async () => {
  const secret = newSecret()
  const body = JSON.stringify({ type: 'item.created', data: { id: '1' } })
  const headers = signed({ id: 'msg_1', at: new Date(), body }, [newSecret(), secret])
  assert.deepEqual(await verifyWebhook(secret, headers, body), JSON.parse(body))
  await assert.rejects(verifyWebhook(secret, headers, `${body} `), InvalidSignature)
  await assert.rejects(verifyWebhook(newSecret(), headers, body), InvalidSignature)
  await assert.rejects(verifyWebhook(secret, headers, body, Date.now() + 600_000), /too old/)
  await assert.rejects(verifyWebhook(secret, {}, body), /not signed/)
})
