import assert from 'node:assert/strict'
import { Resolver } from 'node:dns/promises'
import { createServer } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import { after, describe, mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSignOn } from '../src/admin/entra-meta/sign-on/sign-on.ts'
import { openServices } from '../src/app/services.ts'
import { tenantCaller } from '../src/identity/tenant-caller.ts'
import type { Context } from '../src/kernel/context.ts'
import { newId } from '../src/kernel/id.ts'
import { notifyForget } from '../src/kernel/memory.ts'
import { name } from '../src/kernel/sql.ts'
import { openMailFetching } from '../src/mail/fetch-mailboxes.ts'
import { isCallableUrl } from '../src/notify/notification/message/callable-url.ts'
import { openOutbound } from '../src/platform/outbound/outbound.ts'
import { isInternalName } from '../src/platform/outbound/rules.ts'
import { outboundRules, readSettings } from '../src/platform/settings.ts'
import type { Answer } from './support/answer.ts'
import { engines } from './support/engines.ts'
import { casesOf, isLong } from './support/form.ts'
import { Person, serveOn, startTestService } from './support/people.ts'
import { canary } from './support/servers/canary.ts'
import { around, innerUrls, loopback, names, ours } from './support/servers/inner-addresses.ts'
import { receiver } from './support/servers/receiver.ts'
import { until } from './support/until.ts'

// Every property that takes an address which the service later calls is tried twice: first through the API, then
// planted in the database, as if an earlier version or another setting of the operator had accepted it. The long form
// tries every property with every spelling of an address; that every spelling is judged right, `outbound.test.ts` says.

/** Runs all, with limited concurrency. */
async function forEach<T>(all: readonly T[], act: (each: T) => Promise<unknown>): Promise<void> {
  const waiting = [...all]
  await Promise.all(
    Array.from({ length: 12 }, async () => {
      for (let each = waiting.shift(); each !== undefined; each = waiting.shift()) await act(each)
    }),
  )
}

/** All properties are judged by the same code, so one of each kind is tried with more forms than the others. */
const many = (forms: readonly string[]) => casesOf(forms, 3)
const some = (forms: readonly string[]) => casesOf(forms, 13)

function refused({ status, body }: Answer, pointers: readonly string[], form: string): void {
  assert.equal(status, 400, `${form} was answered ${status}: ${JSON.stringify(body)}`)
  const said: { Pointer: string; Message: string }[] = body.Fields
  assert.ok(
    said.some(each => pointers.includes(each.Pointer) && each.Message !== ''),
    `${form}: ${JSON.stringify(said)}`,
  )
}

const clear =
  /this host is not allowed|this port is not allowed|must begin with https|not an address|user name or a password/

describe('no address that a tenant can enter leads inside', async () => {
  const web = await canary([8443, 443, 80])
  const imap = await canary([993, 143])
  const smtp = await canary([2525, 587, 465, 25])
  const canaries = [web, imap, smtp]
  const elsewhere = await receiver()
  const home = await startTestService(elsewhere.env)
  const { ada, database } = home
  const running = await engines(home, elsewhere.env)
  const urls = innerUrls(web.port).filter(url => url !== '')
  const hosts = [
    ...new Set([...loopback, ...around, ...names, ...ours].flatMap(host => [host, host.replace(/^\[(.*)\]$/, '$1')])),
    ...['user@127.0.0.1', 'user:secret@127.0.0.1', `127.0.0.1:${imap.port}`, `[::1]:${imap.port}`, '127.0.0.1#x'],
    ...['127.0.0.1/x', '127.0.0.1?x', 'example.com@127.0.0.1', '127.0.0.1\\x', 'fe80::1%lo', '::1%lo', 'fe80::1%25lo'],
  ]
  assert.ok(urls.length >= 100 && hosts.length >= 100, `${urls.length} and ${hosts.length} forms`)

  const write = <T>(act: (ctx: Context) => Promise<T>) => database.transaction(tenantCaller(ada.tenantId), act)
  const nobodyCame = async () => {
    await sleep(30)
    assert.deepEqual(
      canaries.map(each => each.connections),
      [0, 0, 0],
    )
  }

  /** Inserts copies of a record with other values directly into the database, which bypasses validation. */
  async function plant(table: string, id: string, copies: readonly object[]): Promise<string[]> {
    const rows = copies.map(copy => ({ ...copy, id: newId() }))
    await write(
      ctx => ctx.sql`insert into ${name(table)} select r.* from ${name(table)} t, jsonb_array_elements(${JSON.stringify(rows)}::jsonb) c,
        jsonb_populate_record(t, c) r where t.tenant_id = ${ada.tenantId} and t.id = ${id} returning 1`,
    )
    await notifyForget(ada.tenantId, false)
    return rows.map(row => row.id)
  }

  interface Logged {
    url: string
    status: number | null
    error: string
  }

  /** Returns the results of the deliveries of a kind, and removes their queued retries. */
  async function logged(entity: string): Promise<Logged[]> {
    await running.settle()
    return await write(async ctx => {
      await ctx.sql`delete from queued_job where tenant_id = ${ada.tenantId} and task in ('hook', 'delivery') and worker is null`
      return await ctx.sql<Logged>`select url, status, error from delivery where tenant_id = ${ada.tenantId} and owner_entity = ${entity} order by id`
    })
  }

  function allRefused(deliveries: readonly Logged[], expected: readonly string[]): void {
    const byUrl = Map.groupBy(deliveries, each => each.url)
    for (const url of expected) {
      const [first] = byUrl.get(url) ?? []
      assert.ok(first, `nothing was logged of ${JSON.stringify(url)}`)
      assert.equal(first.status, null, url)
      assert.match(first.error, clear, url)
    }
  }

  const desk = await ada.post('/container', { name: 'Desk', kind: 1 })
  const hook = await ada.post('/hook', { name: 'Hook', url: 'https://example.com/', events: [1], active: false })
  const rule = await ada.post('/rule', {
    name: 'Rule',
    container: [desk.id],
    triggerEvent: 1,
    actionEndpoint: [{ actionType: 40, url: 'https://example.com/' }],
  })
  const notification = await ada.post('/notification', {
    name: 'Notification',
    container: [desk.id],
    interval: 3,
    limiter: 0,
    conditionGroup: [{ condition: [{ leftSide: 'priority', operator: 0, rightSide: '1' }] }],
  })
  const meta = await ada.post('/entra-meta', {
    name: 'Provider',
    provider: 'oidc',
    issuer: 'https://example.com',
    clientId: 'x',
    active: true,
  })
  const mailbox = await ada.post('/mail/mailbox', {
    name: 'Mailbox',
    address: 'desk@desk.test',
    imap: { host: 'imap.example.com', port: imap.port },
    smtp: { host: 'smtp.example.com', port: smtp.port },
    password: 'secret',
    containerId: desk.id,
  })
  const clock = await ada.post('/clock', { name: 'Clock' })
  const news = (title: string) => ada.post('/item', { title, containerId: desk.id, priority: 1 })
  const places = (host: string) => ({ imap: { host, port: imap.port }, smtp: { host, port: smtp.port } })

  test('a hook takes none of them', async () => {
    await forEach(many(urls), async url => {
      refused(await ada.ask('POST', '/hook', { body: { name: 'x', url } }), ['/url'], url)
    })
    await forEach(some(urls), async url => {
      refused(await ada.ask('PUT', `/hook/${hook.id}`, { body: { url } }), ['/url'], url)
    })
    await nobodyCame()
  })

  test('a rule takes none of them', async () => {
    await forEach(some(urls), async url => {
      const body = { name: 'x', actionEndpoint: [{ actionType: 40, url }] }
      refused(await ada.ask('POST', '/rule', { body }), ['/actionEndpoint/0/url'], url)
      refused(await ada.ask('PUT', `/rule/${rule.id}`, { body }), ['/actionEndpoint/0/url'], url)
    })
    await nobodyCame()
  })

  test('a notification takes none of them, and what is no address for Slack or Teams leads nowhere', async () => {
    await forEach(some(urls), async url => {
      const body = { name: 'x', recipientEndpoint: url }
      refused(await ada.ask('POST', '/notification', { body }), ['/recipientEndpoint'], url)
      for (const property of ['recipientSlackId', 'recipientMsTeamsId']) {
        const answer = await ada.ask('POST', '/notification', { body: { name: 'x', [property]: url } })
        if (isCallableUrl(url)) refused(answer, [`/${property}`], url)
        else assert.ok(answer.status === 201 || answer.status === 400, `${url}: ${answer.status}`)
      }
    })
    await nobodyCame()
  })

  test('a provider of sign-on takes none of them, neither as its issuer nor as its authority', async () => {
    const entraTenantId = crypto.randomUUID()
    await forEach(some(urls), async url => {
      const oidc = { name: 'x', provider: 'oidc', issuer: url, clientId: 'x' }
      refused(await ada.ask('POST', '/entra-meta', { body: oidc }), ['/issuer'], url)
      refused(await ada.ask('PUT', `/entra-meta/${meta.id}`, { body: { issuer: url } }), ['/issuer'], url)
      const entra = { name: 'x', provider: 'entra', entraTenantId, authority: url, clientId: 'x' }
      refused(await ada.ask('POST', '/entra-meta', { body: entra }), ['/authority', '/issuer'], url)
    })
    await nobodyCame()
  })

  test('a clock takes none of them for its holidays, by no other name either', async () => {
    await forEach(some(urls), async url => {
      for (const holidayFeed of new Set([url, url.replace(/^https?:/, 'webcal:')])) {
        refused(await ada.ask('POST', '/clock', { body: { name: 'x', holidayFeed } }), ['/holidayFeed'], holidayFeed)
        refused(await ada.ask('PUT', `/clock/${clock.id}`, { body: { holidayFeed } }), ['/holidayFeed'], holidayFeed)
      }
    })
    await nobodyCame()
  })

  test('a mailbox takes none of them, neither for what comes in nor for what goes out', async () => {
    const changed = new Set(some(many(hosts)))
    await forEach(many(hosts), async host => {
      for (const [property, place] of Object.entries(places(host))) {
        const body = { name: 'x', address: 'x@desk.test', [property]: place }
        refused(await ada.ask('POST', '/mail/mailbox', { body }), [`/${property}/host`], host)
        if (!changed.has(host)) continue
        const change = { [property]: place, password: 'new', smtpPassword: 'new' }
        refused(await ada.ask('PUT', `/mail/mailbox/${mailbox.id}`, { body: change }), [`/${property}/host`], host)
      }
    })
    await nobodyCame()
  })

  test('a mailbox gets its tokens from none of them', async () => {
    const auth = 'oauth'
    await forEach(some(urls), async tokenUrl => {
      const body = { name: 'x', address: 'x@desk.test', auth, oauth: { tokenUrl } }
      refused(await ada.ask('POST', '/mail/mailbox', { body }), ['/oauth/tokenUrl'], tokenUrl)
    })
    const addresses = some(urls.filter(url => URL.canParse(url)))
    const planted = await plant(
      'mailbox',
      mailbox.id,
      addresses.map((tokenUrl, i) => ({ address: `t${i}@desk.test`, auth, oauth: { tokenUrl, clientId: 'x' } })),
    )
    await forEach([...planted.entries()], async ([i, id]) => {
      const { imap, smtp } = await ada.post(`/mail/mailbox/${id}/test`, undefined)
      for (const said of [imap, smtp]) assert.match(said, clear, addresses[i])
    })
    await write(ctx => ctx.sql`update mailbox set deleted = true where tenant_id = ${ada.tenantId} and auth = ${auth}`)
    await nobodyCame()
  })

  test('a hook that has one all the same calls nobody, and its log says so', async () => {
    const addresses = many(urls)
    const planted = await plant(
      'hook',
      hook.id,
      addresses.map(url => ({ url, active: true })),
    )
    await news('Told to nobody')
    allRefused(await logged('Hook'), addresses)
    for (const id of planted.slice(0, 3)) assert.equal((await ada.post(`/hook/${id}/test`, undefined)).state, 0)
    await logged('Hook')
    await write(ctx => ctx.sql`update hook set active = false where tenant_id = ${ada.tenantId}`)
    await notifyForget(ada.tenantId, false)
    await nobodyCame()
  })

  /** Passes a new item through one rule for each address, because the calls of one rule would wait for one another. */
  async function ruledTo(addresses: readonly string[]): Promise<Logged[]> {
    const rest = [...addresses]
    // The number of rules that may follow from one change is limited.
    for (let some = rest.splice(0, 80); some.length > 0; some = rest.splice(0, 80)) {
      const endpoints = some.map((url, i) => ({ actionType: 40, url, id: `e${i}`, active: true, httpHeader: [] }))
      await plant(
        'rule',
        rule.id,
        endpoints.map(each => ({ active: true, action_endpoint: [each] })),
      )
      await news('Ruled')
      await logged('Rule')
      await write(ctx => ctx.sql`update rule set active = false where tenant_id = ${ada.tenantId}`)
      await notifyForget(ada.tenantId, false)
    }
    return await logged('Rule')
  }

  test('a rule that has one all the same calls nobody, and its log says so', async () => {
    const addresses = some(urls.filter(url => URL.canParse(url)))
    allRefused(await ruledTo(addresses), addresses)
    await nobodyCame()
  })

  test('a notification that has one all the same calls nobody, and its log says so', async () => {
    const addresses = some(urls.filter(isCallableUrl))
    const planted = await plant(
      'notification',
      notification.id,
      addresses.map(url => ({ recipient_endpoint: url, recipient_slack_id: url, recipient_ms_teams_id: url })),
    )
    await forEach(planted, id => ada.post(`/notification/${id}/run`, undefined))
    const deliveries = await logged('Notification')
    assert.equal(deliveries.length, 3 * addresses.length)
    allRefused(deliveries, addresses)
    await nobodyCame()
  })

  test('a clock that has one all the same reads no holidays there, and says so', async () => {
    const planted = await plant(
      'clock',
      clock.id,
      some(urls).map(url => ({ holiday_feed: url })),
    )
    await forEach(planted, async id => {
      const { holidayFeedState, holidayFeed } = await ada.post(`/clock/${id}/refresh`, undefined)
      assert.match(holidayFeedState.lastError, clear, holidayFeed)
    })
    await nobodyCame()
  })

  const settings = readSettings({
    PORT: '0',
    DATA_DIR: home.dataDir,
    BASE_URL: 'http://gantry.localhost',
    ...elsewhere.env,
  })
  const rules = outboundRules(settings)
  const served = database.serving(openServices(settings))

  test('a provider that has one all the same is not asked, neither for a trial nor by somebody who signs on', async () => {
    const planted = await plant(
      'entra_meta',
      meta.id,
      some(urls).map(issuer => ({ issuer })),
    )
    await forEach(planted, async id => {
      const { ok, findings } = await ada.post(`/entra-meta/${id}/test`, undefined)
      assert.ok(!ok && findings.some((each: { code: string }) => each.code === 'no-configuration'), id)
    })
    const outbound = openOutbound(rules)
    const why: unknown[] = []
    const signOn = openSignOn({ database: served, outbound, log: line => why.push(line.why) })
    const request = { redirectUri: 'http://gantry.localhost/', state: 'x', forceLogin: false, hint: '' }
    // A tenant offers the first hundred providers only, so these are tried one after the other. The first ones are plain hosts.
    for (const id of planted.slice(0, isLong ? 30 : 8)) {
      await write(ctx => ctx.sql`update entra_meta set active = id = ${id} where tenant_id = ${ada.tenantId}`)
      await assert.rejects(signOn.begin({ tenantId: ada.tenantId, id }, request), /cannot be reached/)
    }
    await outbound.close()
    assert.deepEqual(new Set(why), new Set(['this host is not allowed']))
    await nobodyCame()
  })

  test('a provider outside that names an address inside as its own is not followed there', async () => {
    const forms = casesOf(loopback, 5)
    const provider = createServer(({ url = '' }, response) => {
      const form = forms[Number(url.split('/')[1])]
      const inside = `http://${form}:${web.port}/`
      const issuer = `http://127.0.0.1:${port}/${url.split('/')[1]}`
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ issuer, authorization_endpoint: inside, token_endpoint: inside, jwks_uri: inside }))
    })
    await new Promise<void>(resolve => provider.listen(0, '127.0.0.1', resolve))
    after(() => {
      provider.close()
      provider.closeAllConnections()
    })
    const { port } = provider.address() as AddressInfo
    const env = { ...elsewhere.env, OUTBOUND_ALLOW: `127.0.0.1:${port}` }
    const { base } = await serveOn(home.databaseUrl, home.dataDir, env)
    const there = new Person(base, ada.key, ada.id, ada.tenantId)
    const planted = await plant(
      'entra_meta',
      meta.id,
      forms.map((_, i) => ({ issuer: `http://127.0.0.1:${port}/${i}` })),
    )
    await forEach(planted, async id => {
      const { findings } = await there.post(`/entra-meta/${id}/test`, undefined)
      const found = findings.find((each: { code: string }) => each.code === 'no-keys')
      assert.match(found?.message ?? JSON.stringify(findings), /keys .* could not be read: this host is not allowed/)
    })
    const outbound = openOutbound({ ...rules, allow: [`127.0.0.1:${port}`] })
    const why: unknown[] = []
    const signOn = openSignOn({ database: served, outbound, log: line => why.push(line.why) })
    const tried = planted.slice(0, 20)
    for (const id of tried) {
      await write(ctx => ctx.sql`update entra_meta set active = id = ${id} where tenant_id = ${ada.tenantId}`)
      const request = { redirectUri: 'http://gantry.localhost/', state: 'x', forceLogin: false, hint: '' }
      const { pending } = await signOn.begin({ tenantId: ada.tenantId, id }, request)
      const back = new URL('http://gantry.localhost/?code=x&state=x')
      await assert.rejects(signOn.finish(pending, back), /could not be verified/)
    }
    await outbound.close()
    assert.deepEqual([why.length, ...new Set(why)], [tried.length, 'this host is not allowed'])
    await nobodyCame()
  })

  /** The answers of the name server for each name; the last answer is repeated. */
  const answers: Readonly<Record<string, string[][]>> = {
    'one.inner-test.example': [['127.0.0.1']],
    'six.inner-test.example': [['::1', '::ffff:127.0.0.1', 'fd00::1', '64:ff9b::7f00:1']],
    'cloud.inner-test.example': [['169.254.169.254', '100.100.100.200']],
    'ours.inner-test.example': [ours.map(address => address.replace(/[[\]]/g, ''))],
    // The name first resolves to an unreachable public address (the 6bone no longer exists), then to an internal one.
    'rebinding.inner-test.example': [['3ffe::1'], ['127.0.0.1', '::1']],
  }
  const turns = new Map<string, number>()
  const known = Object.keys(answers)
  for (const [method, six] of [
    ['resolve4', false],
    ['resolve6', true],
  ] as const) {
    const original = Resolver.prototype[method]
    const mocked = mock.method(Resolver.prototype, method, async function (this: Resolver, hostname: string) {
      const all = answers[hostname]
      if (!all) return isInternalName(hostname) ? [] : await Reflect.apply(original, this, [hostname])
      const turn = (turns.get(hostname) ?? -1) + (six ? 0 : 1)
      turns.set(hostname, turn)
      return (all[Math.min(turn, all.length - 1)] ?? []).filter(address => isIPv6(address) === six)
    })
    after(() => mocked.mock.restore())
  }
  const nowhere = /this host is not allowed|cannot be reached|took too long|UNREACH|there is no host/

  test('a name that leads inside is taken, and leads nowhere, also when it led outside a moment ago', async () => {
    const addresses = known.map(host => `https://${host}:${web.port}/`)
    const expected = (url: string) => (url.includes('rebinding') ? nowhere : /this host is not allowed/)
    for (const url of addresses) {
      const { id } = await ada.post('/hook', { name: 'Named', url, events: [9999] })
      await ada.post(`/hook/${id}/test`, undefined)
      const made = await ada.post('/entra-meta', { name: 'Named', provider: 'oidc', issuer: url, clientId: 'x' })
      const { ok, findings } = await ada.post(`/entra-meta/${made.id}/test`, undefined)
      assert.ok(!ok)
      assert.match(findings[0].message, expected(url), url)
      const created = await ada.post('/notification', { ...notification, id: undefined, recipientEndpoint: url })
      await ada.post(`/notification/${created.id}/run`, undefined)
      const holidays = await ada.post('/clock', { name: 'Named', holidayFeed: url })
      const { holidayFeedState } = await ada.post(`/clock/${holidays.id}/refresh`, undefined)
      assert.match(holidayFeedState.lastError, expected(url), url)
    }
    const endpoints = addresses.map(url => ({ actionType: 40, url }))
    await ada.post('/rule', { ...rule, id: undefined, active: false, actionEndpoint: endpoints })
    await ruledTo(addresses)
    for (const entity of ['Hook', 'Notification', 'Rule']) {
      const deliveries = (await logged(entity)).filter(each => addresses.includes(each.url))
      assert.equal(new Set(deliveries.map(each => each.url)).size, addresses.length, entity)
      for (const { url, status, error } of deliveries) {
        assert.equal(status, null, url)
        assert.match(error, expected(url), url)
      }
    }
    assert.ok((turns.get('rebinding.inner-test.example') ?? 0) >= 3, 'it was looked up anew each time')
    await nobodyCame()
  })

  test('a redirect to the inside is an answer that is logged, and is not followed', async () => {
    const codes = [301, 302, 303, 307, 308]
    for (const [i, status] of codes.entries()) {
      elsewhere.answer = () => ({ status, headers: { location: `http://127.0.0.1:${web.port}/${i}` } })
      const { id } = await ada.post('/hook', { name: 'Led on', url: `${elsewhere.url}/${status}`, events: [9999] })
      await ada.post(`/hook/${id}/test`, undefined)
      await running.settle()
      const [delivery] = await ada.get(`/hook/${id}/delivery`)
      assert.deepEqual([delivery.status, delivery.error], [status, `the address answered ${status}`])
      const holidays = await ada.post('/clock', { name: 'Led on', holidayFeed: elsewhere.url })
      const { holidayFeedState } = await ada.post(`/clock/${holidays.id}/refresh`, undefined)
      assert.equal(holidayFeedState.lastError, `the address answered ${status}`)
    }
    await logged('Hook')
    await nobodyCame()
  })

  test('a mailbox that has one all the same is neither tried, read nor sent from', async () => {
    const readable = hosts.filter(host => URL.canParse(`http://${host.includes('::') ? 'x' : host}`))
    const all = [...some(readable), ...known]
    const planted = await plant(
      'mailbox',
      mailbox.id,
      all.map((host, i) => ({ address: `m${i}@desk.test`, ...places(host) })),
    )
    const sent = new Map<string, string>()
    await forEach([...planted.entries()], async ([i, id]) => {
      const tried = await ada.post(`/mail/mailbox/${id}/test`, undefined)
      for (const said of [tried.imap, tried.smtp]) assert.match(said, nowhere, all[i])
      sent.set((await ada.post(`/mail/mailbox/${id}/send-test`, undefined)).id, all[i] ?? '')
    })
    await running.settle()
    const mails = await write(
      ctx => ctx.sql<{
        id: string
        state: number
        error: string
      }>`select id, state, last_error as error from outbound_mail
        where tenant_id = ${ada.tenantId}`,
    )
    const ours = mails.filter(({ id }) => sent.has(id))
    assert.equal(ours.length, all.length)
    for (const { id, state, error } of ours) {
      assert.equal(state, 2, sent.get(id))
      assert.match(error, nowhere, sent.get(id))
    }
    await write(
      ctx => ctx.sql`update mailbox set active = id = any(${planted}::uuid[]) where tenant_id = ${ada.tenantId}`,
    )
    const fetching = openMailFetching({ database: served, log: () => {}, pace: { look: 50, poll: 1000 } })
    fetching.start()
    const errors = () =>
      write(
        ctx => ctx.sql<{ id: string; error: string }>`select mailbox_id as id, last_error as error from mailbox_state
        where tenant_id = ${ada.tenantId} and last_error <> ''`,
      )
    await until(async () => (await errors()).length >= planted.length, errors)
    await fetching.stop()
    const read = await errors()
    assert.equal(read.length, planted.length)
    for (const { id, error } of read) assert.match(error, nowhere, all[planted.indexOf(id)])
    await nobodyCame()
  })

  test('self-test: if the operator allows internal addresses, every one of them is called', async () => {
    await running.stop()
    const allow = canaries.map(each => `127.0.0.1:${each.port}`).join(',')
    const env = { OUTBOUND_HTTP: 'true', OUTBOUND_ALLOW: allow }
    const { base } = await serveOn(home.databaseUrl, home.dataDir, env)
    const there = new Person(base, ada.key, ada.id, ada.tenantId)
    const lax = await engines(home, env)
    const url = `http://2130706433:${web.port}/`
    const comes = async (to: { connections: number; listens: boolean }, what: string, act: () => Promise<unknown>) => {
      const before = to.connections
      await act()
      await until(
        () => to.connections > before || !to.listens,
        () => what,
      )
    }
    const made = await there.post('/hook', { name: 'Tooth', url, events: [9999] })
    await comes(web, 'hook', () => there.post(`/hook/${made.id}/test`, undefined))
    const created = await there.post('/notification', { ...notification, id: undefined, recipientSlackId: url })
    await comes(web, 'notification', () => there.post(`/notification/${created.id}/run`, undefined))
    const bite = { ...rule, id: undefined, active: true, actionEndpoint: [{ actionType: 40, url }] }
    await there.post('/rule', bite)
    await comes(web, 'rule', () => there.post('/item', { title: 'Bite', containerId: desk.id }))
    const { id: clockId } = await there.post('/clock', { name: 'Tooth', holidayFeed: url })
    await comes(web, 'holidays', () => there.post(`/clock/${clockId}/refresh`, undefined))
    const provider = await there.post('/entra-meta', { name: 'Tooth', provider: 'oidc', issuer: url, clientId: 'x' })
    await comes(web, 'provider', () => there.post(`/entra-meta/${provider.id}/test`, undefined))
    const box = await there.post('/mail/mailbox', {
      ...mailbox,
      id: undefined,
      address: 'self-test@desk.test',
      password: 'secret',
      ...places('2130706433'),
    })
    const oauth = { tokenUrl: url, clientId: 'x' }
    const grant = {
      ...mailbox,
      id: undefined,
      address: 'grant@desk.test',
      password: '',
      auth: 'oauth',
      oauth,
      ...places('2130706433'),
    }
    const { id: grantId } = await there.post('/mail/mailbox', grant)
    await comes(web, 'tokens', () => there.post(`/mail/mailbox/${grantId}/test`, undefined))
    await comes(imap, 'trial of IMAP', () => there.post(`/mail/mailbox/${box.id}/test`, undefined))
    await comes(smtp, 'trial of SMTP', () => there.post(`/mail/mailbox/${box.id}/test`, undefined))
    await comes(smtp, 'mail', () => there.post(`/mail/mailbox/${box.id}/send-test`, undefined))
    await write(ctx => ctx.sql`update mailbox set active = id = ${box.id} where tenant_id = ${ada.tenantId}`)
    const allowed = outboundRules(readSettings({ PORT: '0', DATA_DIR: home.dataDir, ...env }))
    const fetching = openMailFetching({
      database: served.serving({ outboundRules: allowed }),
      log: () => {},
      pace: { look: 50, poll: 1000 },
    })
    await comes(imap, 'fetching', async () => fetching.start())
    await fetching.stop()
    await lax.stop()
  })
})
