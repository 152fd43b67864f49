import { setTimeout as sleep } from 'node:timers/promises'
import { firstKey, freePort, type Service, startService, untilReady } from '../service.ts'
import { asOwner, check } from './check.ts'
import { type Client, importInBulk, importSingly, resend, sendAtOnce, sendChanged } from './import.ts'
import { kill, type Victim } from './kill.ts'
import { correspond, handInAgain, type Mail, openConversation, openDesk, openMail } from './mail.ts'
import { unmailed } from './mail-check.ts'
import { customFields, type Mode, makeRows, type Row } from './rows.ts'
import { hookUp, openTold, type Told, untold } from './hook-journal.ts'

/** A service with its clients, which lasts through all rounds. */
export interface Scene {
  service: Service
  client: Client
  /** Whom a hook tells of every new item. */
  told: Told
  /** Who writes to a desk, and is answered; if that is wanted. */
  mail: Mail | undefined
  /** What the service must be told to reach them. */
  env: Record<string, string>
}

/** Starts a service on an empty directory, and makes what the rows need. */
export async function openScene(dataDir: string, { withMail = false } = {}): Promise<Scene> {
  const told = await openTold()
  const mail = withMail ? await openMail() : undefined
  const allow = [told.env.OUTBOUND_ALLOW, mail?.env.OUTBOUND_ALLOW].filter(Boolean).join(',')
  const env = { ...told.env, ...mail?.env, OUTBOUND_ALLOW: allow }
  const service = await startService({ dataDir, port: await freePort(), env })
  const client = { base: service.base, key: firstKey(service) }
  for (const field of customFields) {
    const response = await fetch(`${client.base}/api/field`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(field),
    })
    if (!response.ok) throw new Error(`the field was answered ${response.status}: ${await response.text()}`)
  }
  await hookUp(client, told)
  if (mail) await openDesk(client, mail)
  return { service, client, told, mail, env }
}

export interface RoundOptions {
  /** Names the rows of this round. */
  run: string
  victim: Victim
  mode: Mode
  rows: number
  /** The longest that anybody may wait for the service to be back, ms; 10 s if not said. */
  longestRest?: number
  /** The longest that a hook may wait to be told of what was committed, ms; a minute if not said. */
  longestTelling?: number
  /** Whom the hook tells is gone for two seconds of the import as well. */
  deaf?: boolean
}

export interface Round extends RoundOptions {
  acknowledged: number
  unknown: number
  storedUnknown: number
  unsent: number
  /** From the kill to the first write that is acknowledged again, ms. */
  rest: number
  /** From then until a hook had been told of all that was committed, ms. */
  tellingRest: number
  /** Letters to the desk, replies of it, and from the return until each was where it belongs, ms. */
  letters: number
  replies: number
  mailRest: number
  resent: number
  violations: string[]
}

/**
 * One round: an import, a kill in the middle of it, the restart, a check of the tables, the rest of the import, and a
 * second check. Returns every violation.
 */
export async function crashRound(scene: Scene, options: RoundOptions): Promise<Round> {
  const { victim, mode, longestRest = 10_000 } = options
  const rows = makeRows(options.run, mode, options.rows)
  const before = { letters: scene.mail?.letters.length ?? 0, replies: scene.mail?.replies.length ?? 0 }
  const died = await importUntilDeath(scene, rows, options)
  const count = (state: Row['state']) => rows.filter(row => row.state === state).length
  const counts = { acknowledged: count('acknowledged'), unknown: count('unknown'), unsent: count('unsent') }

  if (victim === 'database') await untilReady(scene.service)
  else
    scene.service = await startService({
      dataDir: scene.service.dataDir,
      port: scene.service.port,
      env: scene.env,
    })
  const violations: string[] = []
  await resend(scene.client, makeRows(`${options.run}-first`, 'external', 1), false)
  const rest = performance.now() - died
  if (rest > longestRest) violations.push(`writing was possible again after ${Math.round(rest)} ms, not ${longestRest}`)

  const url = scene.service.databaseUrl()
  const back = performance.now()
  violations.push(...(await untold(url, scene.told, options.longestTelling)))
  const tellingRest = performance.now() - back
  const after = await asOwner(url, owner => check(owner, rows))
  const resent = await resend(scene.client, rows, mode === 'bulk')
  const known = rows.filter(row => row.state === 'acknowledged').slice(0, 20)
  await (mode === 'bulk' ? importInBulk : importSingly)(scene.client, known, () => false)
  const many = makeRows(`${options.run}-many`, mode, 1)
  for (const row of many) await sendAtOnce(scene.client, row)
  const changed = rows[0]?.key ? await sendChanged(scene.client, rows[0]) : undefined
  const asked = {
    letters: scene.mail?.letters.slice(before.letters) ?? [],
    replies: scene.mail?.replies.slice(before.replies) ?? [],
    settled: false,
  }
  if (scene.mail) {
    await handInAgain(scene.client, scene.mail)
    violations.push(...(await unmailed(url, scene.mail, asked)))
  }
  const mailRest = scene.mail ? performance.now() - back : 0
  const end = await asOwner(url, owner => check(owner, [...rows, ...many], true))
  violations.push(
    ...(await untold(url, scene.told, options.longestTelling)).map(each => `at the end, ${each}`),
    ...after.violations,
    ...end.violations.map(each => `at the end, ${each}`),
    ...(changed ? [changed] : []),
  )
  const mailed = { letters: asked.letters.length, replies: asked.replies.length, mailRest }
  return { ...options, ...counts, ...mailed, storedUnknown: after.storedUnknown, rest, tellingRest, resent, violations }
}

/** Kills when a random part of the rows is acknowledged, and a moment later: in the middle of statements. */
async function importUntilDeath(
  { service, client, told, mail }: Scene,
  rows: Row[],
  { run, victim, mode, deaf }: RoundOptions,
): Promise<number> {
  const bulk = mode === 'bulk'
  const enough = Math.floor(Math.random() * rows.length * 0.75)
  const moment = Math.random() * (bulk ? 120 : 10)
  const ticketId = mail ? await openConversation(client, mail, run) : ''
  let died = 0
  let ended = false
  const acknowledged = async (count: number) => {
    while (!ended && rows.filter(row => row.state === 'acknowledged').length < count) await sleep(1)
  }
  const death = (async () => {
    await acknowledged(enough)
    await sleep(moment)
    died = performance.now()
    kill(victim, service)
  })()
  // On the way there, so that calls of the living service fail; it may be gone for longer than the service lives.
  if (deaf) void acknowledged(enough / 2).then(() => told.die(2000))
  // When only the database is dead, the importer continues, and the service must cope with it.
  const halted = () => died > 0 && victim !== 'database'
  const importing = (bulk ? importInBulk : importSingly)(client, rows, halted)
  await Promise.all([
    importing.finally(() => {
      ended = true
    }),
    mail && correspond(client, mail, { run, ticketId }, () => ended || halted()),
  ])
  await death
  return died
}
