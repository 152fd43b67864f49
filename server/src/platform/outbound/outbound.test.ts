import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import dgram from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import net, { type AddressInfo } from 'node:net'
import os from 'node:os'
import { join } from 'node:path'
import { after, mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import { innerUrls as innerUrlsAt, loopback, ours } from '../../../test/support/servers/inner-addresses.ts'
import { until } from '../../../test/support/until.ts'
import { newId } from '../../kernel/id.ts'
import { dnsResolver, guardedConnector, lookupBy } from './guarded-connector.ts'
import {
  type FailureReason,
  headerFault,
  type OutboundCall,
  OutboundFailure,
  type OutboundOptions,
  openOutbound,
  urlFault,
} from './outbound.ts'
import { isPublicAddress } from './rules.ts'

/** A listener on every address of this machine that counts connections and bytes. */
const canary = { connections: 0, bytes: 0, port: 0 }
const listener = net.createServer(socket => {
  canary.connections++
  socket.on('data', data => {
    canary.bytes += data.length
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
  })
  socket.on('error', () => {})
})
canary.port = await listen(listener, '::')

/** A server that tests put on the allow list; each test sets what it answers. */
let answer: http.RequestListener = (_request, response) => response.end('ok')
const server = http.createServer((request, response) => answer(request, response))
const port = await listen(server, '127.0.0.1')
const base = `http://127.0.0.1:${port}`

after(() => {
  listener.close()
  server.close()
  server.closeAllConnections()
})

async function listen(what: net.Server, host: string): Promise<number> {
  await new Promise<void>(resolve => what.listen(0, host, resolve))
  return (what.address() as AddressInfo).port
}

type Limits = NonNullable<OutboundOptions['limits']>
const tenantId = newId()

async function withClient<T>(
  options: OutboundOptions,
  work: (
    call: (request: Partial<OutboundCall> & { url: string }) => Promise<{ status: number; ms: number }>,
  ) => Promise<T>,
): Promise<T> {
  const client = openOutbound({ http: true, ...options, limits: { closeGrace: 100, ...options.limits } })
  try {
    return await work(request => client.call({ tenantId, method: 'POST', body: '{}', ...request }))
  } finally {
    await client.close()
  }
}

const toServer = (limits: Limits = {}): OutboundOptions => ({ allow: [`127.0.0.1:${port}`], limits })

const failsWith = (reason: FailureReason) => (error: unknown) => {
  assert.ok(error instanceof OutboundFailure, String(error))
  assert.equal(error.reason, reason, error.message)
  return true
}

const innerUrls = innerUrlsAt(canary.port)

test('no spelling of an internal address leads to a connection', async () => {
  assert.ok(innerUrls.length >= 200, `${innerUrls.length} forms`)
  const before = { ...canary }
  await withClient({ ports: [canary.port], limits: { headers: 1500, perTenant: 1000 } }, call =>
    Promise.all(innerUrls.map(url => assert.rejects(call({ url }), failsWith('refused'), url))),
  )
  await sleep(50)
  assert.deepEqual(canary, before)
})

test('counter-test: a filter of DNS lookups alone lets literal addresses through', async () => {
  const before = canary.connections
  const agent = new Agent({ connect: { lookup: lookupBy(async () => ['127.0.0.1'], isPublicAddress), timeout: 1000 } })
  const get = (origin: string) => agent.request({ origin, path: '/', method: 'GET' }).then(reply => reply.body.dump())
  const reached = await Promise.allSettled(
    loopback.map(host => new URL(`http://${host}:${canary.port}`).origin).map(get),
  )
  assert.equal(canary.connections - before, reached.filter(each => each.status === 'fulfilled').length)
  assert.ok(canary.connections - before >= 30, `${canary.connections - before} got through`)
  await assert.rejects(get(`http://localhost:${canary.port}`))
  await agent.close()
})

test('the address of the connected socket is checked before the first byte is sent, even if no earlier check refused it', async () => {
  const before = { ...canary }
  const connect = guardedConnector({ rules: { http: true }, resolve: async () => [], timeout: 1000 })
  const agent = new Agent({ connect })
  const origins = ['127.0.0.1', '[::1]', '0.0.0.0', '[::ffff:127.0.0.1]', ...ours].flatMap(host => [
    `http://${host}:${canary.port}`,
    `https://${host}:${canary.port}`,
  ])
  for (const origin of origins) {
    await assert.rejects(
      agent.request({ origin: new URL(origin).origin, path: '/', method: 'POST', body: 'secret' }),
      failsWith('refused'),
      origin,
    )
  }
  await agent.close()
  await sleep(50)
  assert.ok(canary.connections - before.connections >= 8, 'the connections were opened')
  assert.equal(canary.bytes, before.bytes)
})

test('a name that resolves to an internal address is refused, also if it resolved to a public one before', async () => {
  const before = { ...canary }
  const answers: Record<string, string[][]> = {
    'inner.example': [['127.0.0.1']],
    'six.example': [['::1', 'fd00::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1']],
    'ours.example': [ours.map(address => address.replace(/[[\]]/g, ''))],
    'rebinding.example': [['192.0.2.1'], ['127.0.0.1'], ['127.0.0.1', '::1']],
    'nonsense.example': [['localhost', '', '127.1']],
  }
  const resolve = async (hostname: string) => {
    const [first = [], ...rest] = answers[hostname] ?? []
    if (rest.length > 0) answers[hostname] = rest
    return first
  }
  await withClient({ ports: [canary.port], resolve }, async call => {
    for (const scheme of ['http', 'https']) {
      for (const host of Object.keys(answers)) {
        for (let time = 0; time < 3; time++)
          await assert.rejects(call({ url: `${scheme}://${host}:${canary.port}/` }), failsWith('refused'), host)
      }
    }
  })
  assert.deepEqual(canary, before)
})

test('a name server that changes its answer, or does not know the name, leads to no connection', async t => {
  const before = { ...canary }
  const answers: (number[] | undefined)[] = [
    [192, 0, 2, 1],
    [127, 0, 0, 1],
    [169, 254, 169, 254],
  ]
  const asked: string[] = []
  const nameServer = dgram.createSocket('udp4', (query, from) => {
    const end = query.indexOf(0, 12) + 5
    const isA = query[end - 3] === 1
    const name = query.toString('latin1', 13, end - 5)
    asked.push(name)
    const address = isA && !/^nothing/.test(name) ? answers.shift() : undefined
    const header = Buffer.from([
      query[0] ?? 0,
      query[1] ?? 0,
      0x81,
      /^nothing/.test(name) ? 0x83 : 0x80,
      0,
      1,
      0,
      address ? 1 : 0,
      0,
      0,
      0,
      0,
    ])
    const record = address ? [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address] : []
    const reply = Buffer.concat([header, query.subarray(12, end), Buffer.from(record)])
    nameServer.send(reply, from.port, from.address)
  })
  t.after(() => nameServer.close())
  nameServer.bind(0, '127.0.0.1')
  await once(nameServer, 'listening')
  const resolve = dnsResolver([`127.0.0.1:${nameServer.address().port}`])
  await withClient({ ports: [canary.port], resolve, limits: { headers: 3000 } }, async call => {
    const url = (host: string) => `http://${host}:${canary.port}/`
    for (let time = 0; time < 3; time++)
      await assert.rejects(call({ url: url('rebinding.example') }), failsWith('refused'))
    await assert.rejects(call({ url: url('nothing.example') }), failsWith('unreachable'))
  })
  assert.equal(answers.length, 0)
  assert.ok(asked.length >= 8, `${asked}`)
  assert.deepEqual(canary, before)
})

test('of several addresses of a name only the public ones are tried', async () => {
  const lookup = lookupBy(async () => ['127.0.0.1', '8.8.8.8', '::1', '2606:4700:4700::1111'], isPublicAddress)
  const found = await new Promise((resolve, reject) =>
    lookup('mixed.example', { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses))),
  )
  assert.deepEqual(found, [
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700:4700::1111', family: 6 },
  ])
})

test('a failed DNS lookup is reported, and the next lookup is checked independently', async () => {
  const before = { ...canary }
  let time = 0
  const resolve = async () => {
    if (time++ === 0) throw Object.assign(new Error('queryA ESERVFAIL'), { code: 'ESERVFAIL' })
    return time === 2 ? [] : ['127.0.0.1']
  }
  await withClient({ limits: { headers: 200 }, resolve: () => new Promise(() => {}) }, call =>
    assert.rejects(call({ url: 'http://endless.example/' }), failsWith('timeout')),
  )
  await withClient({ ports: [canary.port], resolve }, async call => {
    const url = `http://flaky.example:${canary.port}/`
    await assert.rejects(call({ url }), failsWith('unreachable'))
    await assert.rejects(call({ url }), failsWith('unreachable'))
    await assert.rejects(call({ url }), failsWith('refused'))
  })
  assert.deepEqual(canary, before)
})

test("public addresses are accepted, except those of this machine's own interfaces", () => {
  for (const address of [
    '8.8.8.8',
    '1.1.1.1',
    '93.184.216.34',
    '100.63.255.255',
    '172.32.0.1',
    '2606:4700:4700::1111',
    '2a00:1450:4001:80b::200e',
    '::ffff:8.8.8.8',
  ])
    assert.ok(isPublicAddress(address), address)
  for (const address of ['', 'localhost', '8.8.8.8:80', '8.8.8', '::ffff:127.0.0.1', 'fe80::1%eth0'])
    assert.ok(!isPublicAddress(address), address)
  const card = { netmask: '', mac: '', internal: false, cidr: null }
  const own = {
    eth0: [
      { ...card, address: '8.8.8.8', family: 'IPv4' },
      { ...card, address: '2606:4700:4700:0::1111', family: 'IPv6', scopeid: 0 },
    ],
  }
  mock.method(os, 'networkInterfaces', () => own)
  syncBuiltinESMExports()
  try {
    for (const address of ['8.8.8.8', '::ffff:8.8.8.8', '2606:4700:4700::1111'])
      assert.ok(!isPublicAddress(address), address)
    assert.ok(isPublicAddress('8.8.4.4'))
  } finally {
    mock.restoreAll()
    syncBuiltinESMExports()
  }
})

test('an entry in the allow list permits that host at that port, and nothing else', async () => {
  const before = { ...canary }
  await withClient({ allow: [`127.0.0.1:${port}`, `localhost:${port}`] }, async call => {
    for (const host of ['127.0.0.1', '2130706433', 'localhost', 'LOCALHOST'])
      assert.equal((await call({ url: `http://${host}:${port}/` })).status, 200)
    const closed = [
      `127.0.0.1:${canary.port}`,
      `localhost:${canary.port}`,
      `127.0.0.2:${port}`,
      `localhost.:${port}`,
      `[::1]:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      `0.0.0.0:${port}`,
      '127.0.0.1',
      'localhost',
      `x.localhost:${port}`,
    ]
    for (const host of closed) await assert.rejects(call({ url: `http://${host}/` }), failsWith('refused'), host)
  })
  await withClient({ allow: [`[::1]:${canary.port}`], ports: [port] }, async call => {
    assert.equal((await call({ url: `http://[0:0::1]:${canary.port}/` })).status, 200)
    await assert.rejects(call({ url: `${base}/` }), failsWith('refused'))
  })
  assert.equal(canary.connections, before.connections + 1)
  for (const entry of [
    'localhost',
    'localhost:',
    'a/b:80',
    'user@host:80',
    ':80',
    'host:99x',
    '*:80:1',
    '*:80',
    '[::1:80',
    '::1',
  ])
    assert.throws(() => openOutbound({ allow: [entry] }), /host:port/, entry)
})

test('an address needs https, no credentials and a usual port, unless the operator configures otherwise', () => {
  assert.match(urlFault('http://example.com/', {}) ?? '', /https/)
  assert.equal(urlFault('http://example.com/', { http: true }), undefined)
  assert.equal(urlFault('https://example.com/hook?x=1#y', {}), undefined)
  assert.equal(urlFault('https://bücher.example:8443/', {}), undefined)
  for (const url of ['https://ada@example.com/', 'https://:secret@example.com/'])
    assert.match(urlFault(url, {}) ?? '', /password/)
  assert.match(urlFault('https://example.com:8080/', {}) ?? '', /port/)
  assert.equal(urlFault('https://example.com:8080/', { ports: [8080] }), undefined)
  assert.match(urlFault(`https://example.com/${'x'.repeat(3000)}`, {}) ?? '', /2048/)
  assert.match(urlFault('http://inner.lan:8080/', { allow: ['inner.lan:8080'] }) ?? '', /https/)
  assert.equal(urlFault('https://inner.lan:8080/', { allow: ['inner.lan:8080'] }), undefined)
})

test('a call sends the given headers and body, and its own user agent', async () => {
  let seen: http.IncomingMessage | undefined
  let body = ''
  answer = (request, response) => {
    seen = request
    request.on('data', chunk => {
      body += chunk
    })
    request.on('end', () => response.writeHead(204, { 'set-cookie': 'a=b' }).end())
  }
  await withClient(toServer(), async call => {
    const { status, ms } = await call({
      url: `${base}/hook?x=1#part`,
      headers: { 'webhook-id': 'e1', authorization: 'Bearer x' },
      body: '{"a":1}',
    })
    assert.equal(status, 204)
    assert.ok(ms >= 0 && ms < 2000)
    assert.deepEqual([seen?.method, seen?.url, body], ['POST', '/hook?x=1', '{"a":1}'])
    assert.deepEqual(
      [seen?.headers['webhook-id'], seen?.headers.authorization, seen?.headers['user-agent'], seen?.headers.host],
      ['e1', 'Bearer x', 'Gantry', `127.0.0.1:${port}`],
    )
    await call({ url: `${base}/` })
    assert.equal(seen?.headers.cookie, undefined)
    for (const headers of [
      { host: 'x' },
      { 'Content-Length': '5' },
      { 'transfer-encoding': 'chunked' },
      { 'x-a': 'b\r\nx: y' },
      { 'x y': 'z' },
    ] as Record<string, string>[]) {
      await assert.rejects(call({ url: `${base}/`, headers }), failsWith('refused'))
    }
  })
})

test('a redirect is an answer, and is not followed', async () => {
  const before = { ...canary }
  answer = (request, response) =>
    response.writeHead(Number(request.url?.slice(1)), { location: `http://127.0.0.1:${canary.port}/` }).end()
  await withClient({ ...toServer(), allow: [`127.0.0.1:${port}`, `127.0.0.1:${canary.port}`] }, async call => {
    for (const status of [301, 302, 303, 307, 308])
      assert.equal((await call({ url: `${base}/${status}` })).status, status)
  })
  assert.deepEqual(canary, before)
})

test('proxies in environment variables are ignored', async () => {
  const before = { ...canary }
  const proxy = `http://127.0.0.1:${canary.port}`
  const names = ['http_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']
  const kept = names.map(name => process.env[name])
  for (const name of names) process.env[name] = name.startsWith('NODE') ? '1' : proxy
  answer = (_request, response) => response.end()
  try {
    await withClient(toServer(), async call => assert.equal((await call({ url: `${base}/` })).status, 200))
  } finally {
    for (const [index, name] of names.entries()) setOrDelete(name, kept[index])
  }
  assert.deepEqual(canary, before)
})

function setOrDelete(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name]
  else process.env[name] = value
}

// One limit is short, the others are out of reach: that the call ends at all shows which limit ended it.
const never = 3_600_000
const unbounded: Limits = { headers: never, body: never, total: never }

async function failureWithin(limits: Limits, reason: FailureReason): Promise<OutboundFailure> {
  const failure = await withClient(toServer(limits), call =>
    call({ url: `${base}/` }).then(
      () => assert.fail('the call succeeded'),
      error => error,
    ),
  )
  failsWith(reason)(failure)
  return failure
}

test('a call to a host that does not answer times out, also if it keeps sending interim answers', async () => {
  answer = () => {}
  await failureWithin({ ...unbounded, headers: 200 }, 'timeout')
  answer = (_request, response) => {
    const beat = setInterval(() => response.writeProcessing(), 50)
    response.on('close', () => clearInterval(beat))
  }
  await failureWithin({ ...unbounded, headers: 200 }, 'timeout')
})

test('a slowly arriving body times out, because the time limits do not restart with each byte', async () => {
  let closed = false
  answer = (_request, response) => {
    response.writeHead(200)
    const drip = setInterval(() => response.write('x'), 20)
    response.on('close', () => {
      closed = true
      clearInterval(drip)
    })
  }
  assert.equal((await failureWithin({ ...unbounded, total: 400 }, 'timeout')).status, 200)
  await until(() => closed)
  await failureWithin({ ...unbounded, body: 100 }, 'timeout')
})

test('an answer of more than 64 kB is aborted, with and without a content-length', async () => {
  let sent = 0
  const flood = (response: http.ServerResponse) => {
    const pour = () => {
      while (!response.destroyed && sent < 50_000_000 && response.write(Buffer.alloc(16_384))) sent += 16_384
    }
    response.on('drain', pour)
    pour()
  }
  answer = (_request, response) => flood(response)
  assert.equal((await failureWithin({}, 'too-large')).status, 200)
  assert.ok(sent < 20_000_000, `${sent} bytes`)
  answer = (_request, response) => response.writeHead(200, { 'content-length': '65537' }).end(Buffer.alloc(65_537))
  await failureWithin({}, 'too-large')
  answer = (_request, response) => response.end(Buffer.alloc(65_536))
  await withClient(toServer(), async call => assert.equal((await call({ url: `${base}/` })).status, 200))
  answer = (_request, response) => response.writeHead(200, { 'x-long': 'x'.repeat(20_000) }).end()
  await failureWithin({}, 'unreachable')
})

test('a call can allow a longer answer, up to 1 MiB, and gets the validators of the answer', async () => {
  const client = openOutbound({ ...toServer(), http: true })
  const ask = (more: { maxBytes?: number } = {}) =>
    client.ask({ tenantId: newId(), method: 'GET', url: `${base}/`, ...more })
  answer = (_request, response) =>
    response.writeHead(200, { etag: '"one"', 'last-modified': 'then' }).end(Buffer.alloc(200_000))
  await assert.rejects(ask(), /larger than 64 kB/)
  await assert.rejects(ask({ maxBytes: 199_999 }), /larger than/)
  const { body, etag, lastModified } = await ask({ maxBytes: 200_000 })
  assert.deepEqual([body.length, etag, lastModified], [200_000, '"one"', 'then'])
  answer = (_request, response) => response.end(Buffer.alloc(1_048_577))
  await assert.rejects(ask({ maxBytes: 10_000_000 }), /larger than/)
  await client.close()
})

test('at most five calls of a tenant to one host run at once, and the others wait in a queue', async () => {
  let [now, most, sockets] = [0, 0, new Set<number | undefined>()]
  answer = (request, response) => {
    most = Math.max(most, ++now)
    sockets.add(request.socket.remotePort)
    setTimeout(() => {
      now--
      response.end()
    }, 30)
  }
  await withClient(toServer(), async call => {
    const replies = await Promise.all(Array.from({ length: 23 }, () => call({ url: `${base}/` })))
    assert.ok(replies.every(reply => reply.status === 200))
  })
  assert.equal(most, 5)
  assert.equal(sockets.size, 5)

  answer = () => {}
  await withClient(toServer({ headers: 300, perHost: 1, waiting: 1, maxWait: 100 }), async call => {
    const calls = await Promise.allSettled([1, 2, 3].map(() => call({ url: `${base}/` })))
    assert.deepEqual(
      calls.map(each => each.status === 'rejected' && each.reason.reason),
      ['timeout', 'busy', 'busy'],
    )
  })
})

test('connections are kept for the same tenant, and never shared with another', async () => {
  const used: Record<string, Set<number | undefined>> = {}
  answer = (request, response) => {
    const of = String(request.headers['x-tenant'])
    used[of] = (used[of] ?? new Set()).add(request.socket.remotePort)
    response.end()
  }
  const [a, b] = [newId(), newId()]
  await withClient(toServer({ perHost: 1 }), async call => {
    for (const tenant of [a, b, a, b, a, b])
      await call({ url: `${base}/`, tenantId: tenant, headers: { 'x-tenant': tenant } })
  })
  assert.deepEqual([used[a]?.size, used[b]?.size], [1, 1])
  assert.notDeepEqual(used[a], used[b])
})

test('with very many tenants the least recently used connections are closed', async () => {
  const open = new Set<net.Socket>()
  const count = (socket: net.Socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  }
  server.on('connection', count)
  answer = (_request, response) => response.end()
  await withClient(toServer(), async call => {
    for (let tenant = 0; tenant < 230; tenant++)
      assert.equal((await call({ url: `${base}/`, tenantId: newId() })).status, 200)
    await until(
      () => open.size <= 200,
      () => open.size,
    )
  })
  server.off('connection', count)
})

test('closing waits for running calls, aborts those that take too long, and accepts no new ones', async () => {
  const client = openOutbound({ http: true, ...toServer({ closeGrace: 3000 }) })
  const asked: string[] = []
  let endQuick = () => {}
  answer = (request, response) => {
    asked.push(request.url ?? '')
    if (request.url === '/quick') endQuick = () => response.end()
  }
  const call = (path: string) => client.call({ tenantId, method: 'GET', url: `${base}${path}` })
  const [quick, stuck] = [call('/quick'), call('/stuck')]
  const outcome = assert.rejects(stuck, failsWith('closed'))
  await until(() => asked.length === 2)
  const closing = client.close()
  endQuick()
  assert.equal((await quick).status, 200)
  await closing
  await outcome
  await assert.rejects(call('/quick'), failsWith('closed'))
})

test('TLS certificates are verified, whatever the environment variables say', async t => {
  const folder = mkdtempSync(join(os.tmpdir(), 'gantry-tls-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  try {
    const names = 'subjectAltName=IP:127.0.0.1,DNS:localhost'
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-keyout',
        keyFile,
        '-out',
        certFile,
        '-days',
        '2',
        '-subj',
        '/CN=localhost',
        '-addext',
        names,
      ],
      { stdio: 'ignore' },
    )
  } catch {
    return t.skip('openssl is not installed, so no certificate can be created')
  }
  const ca = readFileSync(certFile, 'utf8')
  let serverNames: unknown[] = []
  const secure = https.createServer({ key: readFileSync(keyFile), cert: ca }, (_request, response) =>
    response.end('ok'),
  )
  secure.on('secureConnection', socket => serverNames.push(socket.servername))
  const securePort = await listen(secure, '127.0.0.1')
  t.after(() => secure.close())
  const allow = ['127.0.0.1', '127.0.0.2', 'localhost'].map(host => `${host}:${securePort}`)
  const at = (host: string) => `https://${host}:${securePort}/`

  await withClient({ allow, ca, http: false }, async call => {
    assert.equal((await call({ url: at('127.0.0.1') })).status, 200)
    assert.equal((await call({ url: at('localhost') })).status, 200)
    assert.deepEqual(serverNames, [false, 'localhost'])
    await assert.rejects(call({ url: `https://127.0.0.1:${port}/` }), failsWith('refused'))
  })
  serverNames = []
  const kept = process.env.NODE_TLS_REJECT_UNAUTHORIZED
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  try {
    await withClient({ allow, http: false }, call => assert.rejects(call({ url: at('127.0.0.1') }), /certificate/))
  } finally {
    setOrDelete('NODE_TLS_REJECT_UNAUTHORIZED', kept)
  }
  await withClient({ allow: [`127.0.0.1:${port}`], ca, http: false }, call =>
    assert.rejects(call({ url: `https://127.0.0.1:${port}/` }), failsWith('unreachable')),
  )
})

test('a header is one well-formed line, and not a header that the transport sets', () => {
  for (const line of [
    'Authorization: Bearer abc',
    'X-Key:abc',
    'x-empty:',
    'Cookie: a=b',
    'X_1.2~: ~!@#$%^&*()',
    'Content-Type: application/json',
    'X: ***',
    'Hosts: x',
    'X-Host: y',
  ]) {
    assert.equal(headerFault(line), undefined, line)
  }
  const wrong = [
    ...[
      '',
      ':',
      ': x',
      'no colon',
      'Na me: x',
      ' Name: x',
      'Name : x',
      'Näme: x',
      'Name: wért',
      'Name: x\r\nHost: y',
      'Name: x\ny',
      'Name: x\0',
      'A\r\nB: c',
      'Name: \x7f',
      'Name: \u0001',
    ],
    ...[
      'Host: x',
      'HOST: x',
      'host:x',
      'Content-Length: 3',
      'Transfer-Encoding: chunked',
      'Connection: close',
      'Keep-Alive: 5',
      'Upgrade: h2c',
      'TE: trailers',
      'Trailer: x',
      'Expect: 100-continue',
    ],
    ...[
      'Proxy-Authorization: x',
      'Proxy-Connection: x',
      'proxy-anything: x',
      'webhook-id: x',
      'Webhook-Signature: x',
      'User-Agent: x',
      `X: ${'x'.repeat(9000)}`,
    ],
  ]
  for (const line of wrong) assert.ok(headerFault(line), JSON.stringify(line))
})
