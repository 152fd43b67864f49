import { setTimeout as sleep } from 'node:timers/promises'
import { firstKey, freePort, type Service, startService, untilReady } from '../service.ts'
import { asOwner, check } from './check.ts'
import { createHook, type HookJournal, missingDeliveries, openHookJournal } from './hook-journal.ts'
import { type Client, importInBulk, importSingly, resend, sendConcurrently, sendWithOtherBody } from './import.ts'
import { kill, type Victim } from './kill.ts'
import { createDesk, createTicket, exchangeMail, type MailSetup, openMailSetup, resubmit } from './mail.ts'
import { remainingMailFaults } from './mail-check.ts'
import { customFields, type Mode, makeRows, type Row } from './rows.ts'

/** The service and what surrounds it, for all rounds of a run. */
export interface CrashSetup {
  service: Service
  client: Client
  /** Receives a hook call for every new item. */
  hook: HookJournal
  /** A desk with its mail servers; undefined in a run without mail. */
  mail: MailSetup | undefined
  /** Settings with which the service can reach them. */
  env: Record<string, string>
}

/** Starts a service on an empty directory and creates what the rows need. */
export async function openCrashSetup(dataDir: string, { withMail = false } = {}): Promise<CrashSetup> {
  const hook = await openHookJournal()
  const mail = withMail ? await openMailSetup() : undefined
  const allow = [hook.env.OUTBOUND_ALLOW, mail?.env.OUTBOUND_ALLOW].filter(Boolean).join(',')
  const env = { ...hook.env, ...mail?.env, OUTBOUND_ALLOW: allow }
  const service = await startService({ dataDir, port: await freePort(), env })
  const client = { base: service.base, key: firstKey(service) }
  for (const field of customFields) {
    const response = await fetch(`${client.base}/api/field`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(field),
    })
    if (!response.ok) throw new Error(`POST /field was answered ${response.status}: ${await response.text()}`)
  }
  await createHook(client, hook)
  if (mail) await createDesk(client, mail)
  return { service, client, hook, mail, env }
}

export interface RoundOptions {
  /** Names the rows of this round. */
  run: string
  victim: Victim
  mode: Mode
  rows: number
  /** The longest time until the service accepts writes again, in ms; default 10 s. */
  maxRecovery?: number
  /** The longest time until all committed events are delivered to the hook, in ms; default one minute. */
  maxDeliveryDelay?: number
  /** The receiver of the hook is unreachable for two seconds of the import. */
  receiverDown?: boolean
}

export interface Round extends RoundOptions {
  acknowledged: number
  unknown: number
  storedUnknown: number
  unsent: number
  /** Time from the kill to the first acknowledged write, in ms. */
  recovery: number
  /** Time from then until all committed events were delivered to the hook, in ms. */
  deliveryDelay: number
  /** Messages to the desk and replies from it. */
  messages: number
  replies: number
  /** Time from the first acknowledged write until all mail was processed and sent, in ms. */
  mailDelay: number
  resent: number
  violations: string[]
}

/**
 * One round: an import, a kill in the middle of it, the restart, a check of the tables, the rest of the import, and a
 * second check. Returns every violation.
 */
export async function crashRound(setup: CrashSetup, options: RoundOptions): Promise<Round> {
  const { victim, mode, maxRecovery = 10_000 } = options
  const rows = makeRows(options.run, mode, options.rows)
  const before = { messages: setup.mail?.messages.length ?? 0, replies: setup.mail?.replies.length ?? 0 }
  const killedAt = await importUntilKilled(setup, rows, options)
  const count = (state: Row['state']) => rows.filter(row => row.state === state).length
  const counts = { acknowledged: count('acknowledged'), unknown: count('unknown'), unsent: count('unsent') }

  if (victim === 'database') await untilReady(setup.service)
  else
    setup.service = await startService({
      dataDir: setup.service.dataDir,
      port: setup.service.port,
      env: setup.env,
    })
  const violations: string[] = []
  await resend(setup.client, makeRows(`${options.run}-first`, 'external', 1), false)
  const recovery = performance.now() - killedAt
  if (recovery > maxRecovery)
    violations.push(`the first write succeeded after ${Math.round(recovery)} ms; allowed are ${maxRecovery}`)

  const url = setup.service.databaseUrl()
  const back = performance.now()
  violations.push(...(await missingDeliveries(url, setup.hook, options.maxDeliveryDelay)))
  const deliveryDelay = performance.now() - back
  const after = await asOwner(url, owner => check(owner, rows))
  const resent = await resend(setup.client, rows, mode === 'bulk')
  const known = rows.filter(row => row.state === 'acknowledged').slice(0, 20)
  await (mode === 'bulk' ? importInBulk : importSingly)(setup.client, known, () => false)
  const many = makeRows(`${options.run}-many`, mode, 1)
  for (const row of many) await sendConcurrently(setup.client, row)
  const changed = rows[0]?.key ? await sendWithOtherBody(setup.client, rows[0]) : undefined
  const mailCheck = {
    messages: setup.mail?.messages.slice(before.messages) ?? [],
    replies: setup.mail?.replies.slice(before.replies) ?? [],
    settled: false,
  }
  if (setup.mail) {
    await resubmit(setup.client, setup.mail)
    violations.push(...(await remainingMailFaults(url, setup.mail, mailCheck)))
  }
  const mailDelay = setup.mail ? performance.now() - back : 0
  const end = await asOwner(url, owner => check(owner, [...rows, ...many], true))
  violations.push(
    ...(await missingDeliveries(url, setup.hook, options.maxDeliveryDelay)).map(each => `at the end, ${each}`),
    ...after.violations,
    ...end.violations.map(each => `at the end, ${each}`),
    ...(changed ? [changed] : []),
  )
  const mailed = { messages: mailCheck.messages.length, replies: mailCheck.replies.length, mailDelay }
  return {
    ...options,
    ...counts,
    ...mailed,
    storedUnknown: after.storedUnknown,
    recovery,
    deliveryDelay,
    resent,
    violations,
  }
}

/**
 * Imports, and kills the victim a random delay after a random share of the rows was acknowledged, so that statements are
 * running. Returns the time of the kill.
 */
async function importUntilKilled(
  { service, client, hook, mail }: CrashSetup,
  rows: Row[],
  { run, victim, mode, receiverDown }: RoundOptions,
): Promise<number> {
  const bulk = mode === 'bulk'
  const killAfter = Math.floor(Math.random() * rows.length * 0.75)
  const delay = Math.random() * (bulk ? 120 : 10)
  const ticketId = mail ? await createTicket(client, mail, run) : ''
  let killedAt = 0
  let ended = false
  const acknowledged = async (count: number) => {
    while (!ended && rows.filter(row => row.state === 'acknowledged').length < count) await sleep(1)
  }
  const killing = (async () => {
    await acknowledged(killAfter)
    await sleep(delay)
    killedAt = performance.now()
    kill(victim, service)
  })()
  // The receiver fails before the kill, so that the service sees failing calls. It may still be down after the kill.
  if (receiverDown) void acknowledged(killAfter / 2).then(() => hook.interrupt(2000))
  // When only the database is killed, the importer continues, and the service must survive that.
  const halted = () => killedAt > 0 && victim !== 'database'
  const importing = (bulk ? importInBulk : importSingly)(client, rows, halted)
  await Promise.all([
    importing.finally(() => {
      ended = true
    }),
    mail && exchangeMail(client, mail, { run, ticketId }, () => ended || halted()),
  ])
  await killing
  return killedAt
}
