import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after } from 'node:test'
import S3rver from '@20minutes/s3rver'
import { request as undici } from 'undici'
import { type ObjectStore, openS3 } from '../../../src/platform/object-store/object-store.ts'
import { openOutbound } from '../../../src/platform/outbound/outbound.ts'

/** A store that speaks the protocol of S3 and verifies signatures, on this machine. */
export interface S3 {
  /** The properties of a storage at this store, with its first bucket. */
  settings: { endpoint: string; region: string; bucket: string; accessKey: string; secretKey: string }
  /** The settings that let the service reach it. */
  env: Record<string, string>
  /** A direct way to its objects. */
  store: (more?: { secretKey?: string; bucket?: string; parts?: { from: number; size: number } }) => ObjectStore
  keys(): Promise<string[]>
  stop(): Promise<void>
  start(): Promise<void>
}

/** Starts a store with these buckets; it stops at the end of the test file. */
export async function startS3(...buckets: [string, ...string[]]): Promise<S3> {
  const directory = mkdtempSync(join(tmpdir(), 'gantry-s3-'))
  const open = (port: number) =>
    new S3rver({
      port,
      address: '127.0.0.1',
      silent: true,
      directory,
      configureBuckets: buckets.map(name => ({ name })),
    })
  let running: S3rver | undefined = open(0)
  const { port } = await running.run()
  const stop = async () => {
    await running?.close()
    running = undefined
  }
  const env = { OUTBOUND_HTTP: 'true', OUTBOUND_ALLOW: `127.0.0.1:${port}` }
  const settings = {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'eu-central-1',
    bucket: buckets[0],
    accessKey: 'S3RVER',
    secretKey: 'S3RVER',
  }
  const outbound = openOutbound({ http: true, allow: [`127.0.0.1:${port}`] })
  after(async () => {
    await outbound.close()
    await stop()
    rmSync(directory, { recursive: true, force: true })
  })
  const tenantId = '00000000-0000-4000-8000-000000000001'
  const store: S3['store'] = (more = {}) =>
    openS3({
      ...settings,
      ...more,
      encrypted: false,
      transfer: request => outbound.transfer({ ...request, tenantId }),
    })
  return {
    settings,
    env,
    store,
    keys: async () => (await Array.fromAsync(store().list(''))).sort(),
    stop,
    async start() {
      running = open(port)
      await running.run()
    },
  }
}

/** A way to the store on which tests stop requests and change answers. */
export interface S3Proxy {
  endpoint: string
  /** The settings that let the service reach the store on both ways. */
  env: Record<string, string>
  /** Called before each request is passed on. */
  before: (method: string) => unknown
  /** Changes the bytes of the answers to GET. */
  answers: (bytes: Buffer) => Buffer
}

/** Opens a way to the store; signatures stay valid, because the name of the host is passed on. */
export async function s3Proxy({ settings, env }: S3): Promise<S3Proxy> {
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request)
    await made.before(request.method ?? '')
    const passed = await undici(`${settings.endpoint}${request.url}`, {
      method: request.method as 'GET',
      headers: request.headers as Record<string, string>,
      body: body.length > 0 ? body : null,
    })
    const answer = Buffer.from(await passed.body.arrayBuffer())
    const { 'transfer-encoding': _, ...headers } = passed.headers
    response.writeHead(passed.statusCode, headers)
    response.end(request.method === 'GET' ? made.answers(answer) : answer)
  }
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy()) // the store is down
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const made: S3Proxy = {
    endpoint: `http://127.0.0.1:${port}`,
    env: { ...env, OUTBOUND_ALLOW: `${env.OUTBOUND_ALLOW},127.0.0.1:${port}` },
    before: () => {},
    answers: bytes => bytes,
  }
  return made
}
