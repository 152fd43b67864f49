import { setTimeout as sleep } from 'node:timers/promises'
import { firstKey, freePort, type Service, startService, untilReady } from '../service.ts'
import { asOwner, check } from './check.ts'
import { type Client, importInBulk, importSingly, resend, sendAtOnce, sendChanged } from './import.ts'
import { kill, type Victim } from './kill.ts'
import { customFields, type Mode, makeRows, type Row } from './rows.ts'
import { hookUp, openTold, type Told, untold } from './told.ts'

/** A service with an importer in front of it, through all that happens to it. */
export interface Scene {
  service: Service
  client: Client
  /** Whom a hook tells of every new item. */
  told: Told
}

/** Starts a service on an empty directory, and makes what the rows need. */
export async function openScene(dataDir: string): Promise<Scene> {
  const told = await openTold()
  const service = await startService({ dataDir, port: await freePort(), env: told.env })
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
  return { service, client, told }
}

export interface RoundOptions {
  /** Names the rows of this round. */
  run: string
  victim: Victim
  mode: Mode
  rows: number
  /** The longest that anybody may wait for the service to be back, ms; 10 s if not said. */
  longestRest?: number
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
  resent: number
  violations: string[]
}

/**
 * One round: an import, a death in the middle of it, the return, a look behind the walls, the rest of the import, and
 * one more look. Every promise that was broken is told.
 */
export async function crashRound(scene: Scene, options: RoundOptions): Promise<Round> {
  const { victim, mode, longestRest = 10_000 } = options
  const rows = makeRows(options.run, mode, options.rows)
  const died = await importUntilDeath(scene, rows, options)
  const count = (state: Row['state']) => rows.filter(row => row.state === state).length
  const counts = { acknowledged: count('acknowledged'), unknown: count('unknown'), unsent: count('unsent') }

  if (victim === 'database') await untilReady(scene.service)
  else
    scene.service = await startService({
      dataDir: scene.service.dataDir,
      port: scene.service.port,
      env: scene.told.env,
    })
  const violations: string[] = []
  await resend(scene.client, makeRows(`${options.run}-first`, 'external', 1), false)
  const rest = performance.now() - died
  if (rest > longestRest) violations.push(`writing was possible again after ${Math.round(rest)} ms, not ${longestRest}`)

  const url = scene.service.databaseUrl()
  const back = performance.now()
  violations.push(...(await untold(url, scene.told)))
  const tellingRest = performance.now() - back
  const after = await asOwner(url, owner => check(owner, rows))
  const resent = await resend(scene.client, rows, mode === 'bulk')
  const known = rows.filter(row => row.state === 'acknowledged').slice(0, 20)
  await (mode === 'bulk' ? importInBulk : importSingly)(scene.client, known, () => false)
  const many = makeRows(`${options.run}-many`, mode, 1)
  for (const row of many) await sendAtOnce(scene.client, row)
  const changed = rows[0]?.key ? await sendChanged(scene.client, rows[0]) : undefined
  const end = await asOwner(url, owner => check(owner, [...rows, ...many], true))
  violations.push(
    ...(await untold(url, scene.told)).map(each => `at the end, ${each}`),
    ...after.violations,
    ...end.violations.map(each => `at the end, ${each}`),
    ...(changed ? [changed] : []),
  )
  return { ...options, ...counts, storedUnknown: after.storedUnknown, rest, tellingRest, resent, violations }
}

/** Kills when a random part of the rows is acknowledged, and a moment later: in the middle of statements. */
async function importUntilDeath(
  { service, client }: Scene,
  rows: Row[],
  { victim, mode }: RoundOptions,
): Promise<number> {
  const bulk = mode === 'bulk'
  const enough = Math.floor(Math.random() * rows.length * 0.75)
  const moment = Math.random() * (bulk ? 120 : 10)
  let died = 0
  let ended = false
  const death = (async () => {
    while (!ended && rows.filter(row => row.state === 'acknowledged').length < enough) await sleep(1)
    await sleep(moment)
    died = performance.now()
    kill(victim, service)
  })()
  // Only the database is dead: the importer goes on, and the service must bear it.
  const halted = () => died > 0 && victim !== 'database'
  await (bulk ? importInBulk : importSingly)(client, rows, halted)
  ended = true
  await death
  return died
}
