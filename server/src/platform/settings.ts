import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { isEmail, isUrl } from '../kernel/schema/formats.ts'
import { isNetwork } from './address-list.ts'
import { defaultHeapLimit } from './heap.ts'
import { mailSecurity } from './mail-security.ts'
import type { OutboundRules, Relay } from './outbound/outbound.ts'

/** The settings of the operator, read from the environment only. */
export interface Settings {
  port: number
  host: string
  baseUrl: string
  dataDir: string
  /** The folder for backups, if the command names no other. */
  backupDir: string | undefined
  /** The folder where the embedded database archives its log (WAL), for restores to any moment. */
  walArchive: string | undefined
  /** Any PostgreSQL of version 15 or newer; without it the service starts its embedded one. */
  databaseUrl: string | undefined
  masterKey: string | undefined
  /** After how many days the keys that sign tokens are rotated; 0 means never. */
  signingKeyDays: number
  /** The days after which a closed tenant is erased. */
  tenantGraceDays: number
  /** The number of processes that answer requests. */
  workers: number
  /** Connections to the database per process. */
  poolSize: number
  /** Requests that may wait for a connection; further ones are refused with 503. */
  queueSize: number
  statementTimeout: number
  bodyLimit: number
  fileLimit: number
  /** The reverse proxies whose `X-Forwarded-For` is believed: their addresses and networks, or the number of hops. */
  trustProxy: string[] | number | undefined
  /** Requests per minute for one tenant that has no quota of its own; 0 means no limit. */
  rateLimit: number
  /** The largest heap of a process that answers requests, in MiB. */
  heapLimit: number
  /** Slow requests that run at a time, in all processes together. */
  slowRequests: number
  /** Internal hosts that hooks may call nevertheless: `host:port`. */
  outboundAllow: string[]
  outboundHttp: boolean
  /** The origins of other sites whose pages may call the API (CORS). */
  corsOrigins: string[]
  /** Whether each request is logged. */
  accessLog: boolean
  /** For how long browsers use TLS only, in seconds; 0 says nothing about it. */
  hstsSeconds: number
  /** The free space on the disk of the data directory below which `/readyz` refuses, in bytes. */
  minFreeBytes: number
  /** Whether `serve` also runs the engines; off where `work` runs them on another host. */
  engines: boolean
  /** The port for health and metrics alone; none if undefined. */
  healthPort: number | undefined
  /** The mail server for tenants whose mailboxes have none. */
  relay: Relay | undefined
  /** Further CA certificates that are trusted for mail servers. */
  mailCa: string | undefined
  /** The name servers for the domains of incoming mail: those of the machine, the given ones, or none. */
  mailDns: 'on' | 'off' | string[]
  /** `host:port` of a clamd that scans incoming mail and uploaded files. */
  clamd: string | undefined
  /** The path of a TrueType font for PDF files; without it they have the letters of western Europe. */
  pdfFont: string | undefined
}

/** The settings are invalid; one message names every fault. */
class InvalidSettings extends Error {}

/** Reads the environment and reports all faults at once. */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const faults: string[] = []
  const text = (key: string) => (env[key]?.trim() ? env[key]?.trim() : undefined)
  const whole = (key: string, fallback: number, least: number, most: number) => {
    const given = text(key)
    if (given === undefined) return fallback
    const value = /^\d{1,12}$/.test(given) ? Number(given) : Number.NaN
    if (value >= least && value <= most) return value
    faults.push(`${key} must be a whole number from ${least} to ${most}, not "${given}"`)
    return fallback
  }
  const url = (key: string, check: (given: string) => boolean, says: string) => {
    const given = text(key)
    if (given !== undefined && !check(given)) faults.push(`${key} must be ${says}`)
    return given
  }
  const port = whole('PORT', 3000, 0, 65535)
  const host = text('HOST') ?? '127.0.0.1'
  const databaseUrl = url(
    'DATABASE_URL',
    given => /^postgres(ql)?:\/\//.test(given),
    'a PostgreSQL address such as postgres://user:password@host/database',
  )
  const baseUrl = url(
    'BASE_URL',
    given => isUrl(given) && !/[?#]/.test(given),
    'the address people use, such as https://gantry.example.com',
  )
  const masterKey = url(
    'MASTER_KEY',
    given => given.split(',').every(each => /^([0-9a-f]{64}|[A-Za-z0-9+/_-]{43}=?)$/i.test(each.trim())),
    '32 bytes as hex or base64, or several of them separated by commas',
  )
  const workers = whole('WORKERS', Math.min(2, availableParallelism()), 1, 64)
  const settings: Settings = {
    port,
    host,
    baseUrl: (baseUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`).replace(/\/+$/, ''),
    dataDir: resolve(text('DATA_DIR') ?? 'data'),
    backupDir: text('BACKUP_DIR') && resolve(text('BACKUP_DIR') ?? ''),
    walArchive: text('WAL_ARCHIVE') && resolve(text('WAL_ARCHIVE') ?? ''),
    databaseUrl,
    masterKey,
    signingKeyDays: whole('SIGNING_KEY_DAYS', 90, 0, 3650),
    tenantGraceDays: whole('TENANT_GRACE_DAYS', 30, 1, 3650),
    workers,
    poolSize: whole('POOL_SIZE', 10, 2, 200),
    queueSize: whole('QUEUE_SIZE', 500, 1, 100_000),
    statementTimeout: whole('STATEMENT_TIMEOUT_MS', 5000, 100, 600_000),
    bodyLimit: whole('BODY_LIMIT_BYTES', 2 * 1024 * 1024, 1024, 1024 * 1024 * 1024),
    fileLimit: whole('FILE_LIMIT_BYTES', 100 * 1024 * 1024, 1024, 100 * 1024 * 1024 * 1024),
    trustProxy: readProxies(text('TRUST_PROXY'), faults),
    rateLimit: whole('RATE_LIMIT_PER_MINUTE', 30_000, 0, 10_000_000),
    heapLimit: whole('HEAP_LIMIT_MB', defaultHeapLimit(workers), 128, 65_536),
    slowRequests: whole('SLOW_REQUESTS', availableParallelism(), 1, 1000),
    outboundAllow: listOf(text('OUTBOUND_ALLOW')),
    corsOrigins: listOf(text('CORS_ORIGINS')),
    outboundHttp: text('OUTBOUND_HTTP') === 'true',
    accessLog: text('ACCESS_LOG') === 'on',
    hstsSeconds: whole('HSTS_SECONDS', 0, 0, 63_072_000),
    minFreeBytes: whole('MIN_FREE_BYTES', 64 * 1024 * 1024, 0, 999_999_999_999),
    engines: text('ENGINES') !== 'off',
    healthPort: whole('HEALTH_PORT', 0, 1, 65535) || undefined,
    relay: readRelay(text('SMTP_URL'), text('MAIL_FROM'), faults),
    mailCa: readCertificates(text('MAIL_CA_FILE'), faults),
    mailDns: readNameServers(text('MAIL_DNS'), faults),
    clamd: text('CLAMD'),
    pdfFont: text('PDF_FONT') && resolve(text('PDF_FONT') ?? ''),
  }
  if (settings.walArchive && databaseUrl)
    faults.push('WAL_ARCHIVE must not be set with DATABASE_URL: an external PostgreSQL archives its log by itself')
  if (settings.pdfFont && !existsSync(settings.pdfFont)) faults.push(`PDF_FONT: there is no file ${settings.pdfFont}`)
  if (settings.clamd !== undefined && !isHostAndPort(settings.clamd))
    faults.push(`CLAMD must be host:port, not "${settings.clamd}"`)
  for (const key of ['ENGINES', 'ACCESS_LOG'])
    if (!['on', 'off'].includes(text(key) ?? 'on')) faults.push(`${key} must be on or off, not "${text(key)}"`)
  if (!['true', 'false'].includes(text('OUTBOUND_HTTP') ?? 'false'))
    faults.push(`OUTBOUND_HTTP must be true or false, not "${text('OUTBOUND_HTTP')}"`)
  for (const each of settings.outboundAllow)
    if (!isHostAndPort(each)) faults.push(`OUTBOUND_ALLOW must list host:port, not "${each}"`)
  for (const each of settings.corsOrigins)
    if (!isOrigin(each)) faults.push(`CORS_ORIGINS must list origins such as https://app.example.com, not "${each}"`)
  if (faults.length > 0) throw new InvalidSettings(faults.join('\n'))
  return settings
}

/** The operator's rules for calls to external hosts. */
export function outboundRules(settings: Settings): OutboundRules {
  const { outboundHttp: http, outboundAllow: allow, relay, mailCa, mailDns, clamd } = settings
  return { http, allow, relay, mailCa, mailDns, clamd }
}

const listOf = (text = '') =>
  text
    .split(',')
    .map(each => each.trim())
    .filter(Boolean)

const isOrigin = (text: string) => URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text

const isHostAndPort = (text: string) => /^[\w.:[\]-]+:\d{1,5}$/.test(text)

const maxHops = 32

/** Host names are refused: whoever controls the name server would choose the addresses. */
function readProxies(given: string | undefined, faults: string[]): Settings['trustProxy'] {
  if (given === undefined) return undefined
  if (/^\d{1,2}$/.test(given) && Number(given) >= 1 && Number(given) <= maxHops) return Number(given)
  const proxies = given.split(',').map(each => each.trim())
  if (!proxies.every(isNetwork))
    faults.push(
      `TRUST_PROXY must be the number of proxies from 1 to ${maxHops}, or their addresses and networks such as 127.0.0.1,10.0.0.0/8, not "${given}"`,
    )
  return proxies
}

function readNameServers(given: string | undefined, faults: string[]): Settings['mailDns'] {
  if (given === undefined || given === 'on' || given === 'off') return given ?? 'on'
  const servers = given.split(',').map(each => each.trim())
  if (!servers.every(each => isIP(each.replace(/^\[?([^\]]*?)\]?(:\d{1,5})?$/, '$1')) || isIP(each)))
    faults.push(`MAIL_DNS must be on, off or addresses of name servers such as 10.0.0.53, not "${given}"`)
  return servers
}

function readRelay(url: string | undefined, from: string | undefined, faults: string[]): Relay | undefined {
  if (url === undefined) return undefined
  if (!from || !isEmail(from)) faults.push('MAIL_FROM must be the address that SMTP_URL sends from')
  if (!/^smtps?:\/\/[^/]/.test(url) || !URL.canParse(url)) {
    faults.push('SMTP_URL must be a mail server such as smtps://user:password@mail.example.com')
    return undefined
  }
  const { protocol, hostname, port, username, password, searchParams } = new URL(url)
  const security = securityOf(protocol, searchParams)
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port) || (security === mailSecurity.tls ? 465 : 587),
    security,
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    from: from ?? '',
  }
}

/** `smtps://` starts with TLS. `smtp://` upgrades by STARTTLS, unless `?tls=none` says that the network is trusted. */
function securityOf(protocol: string, parameters: URLSearchParams): number {
  if (protocol === 'smtps:') return mailSecurity.tls
  return parameters.get('tls') === 'none' ? mailSecurity.none : mailSecurity.startTls
}

function readCertificates(path: string | undefined, faults: string[]): string | undefined {
  if (path === undefined) return undefined
  if (existsSync(path)) return readFileSync(path, 'utf8')
  faults.push(`MAIL_CA_FILE must be a file with certificates, and there is none at "${path}"`)
  return undefined
}
