import { parseArgs } from 'node:util'
import { repeatedDeliveries } from './crash/hook-journal.ts'
import { victims } from './crash/kill.ts'
import { closeMailSetup } from './crash/mail.ts'
import { copies, remainingMailFaults } from './crash/mail-check.ts'
import { crashRound, openCrashSetup, type Round } from './crash/round.ts'
import { modes } from './crash/rows.ts'
import { lossWithoutSync, undetectedDamages, undetectedMailDamages } from './crash/self-test.ts'
import { temporaryDirectory } from './service.ts'

// `npm run crash`: kills the service, its database or both during imports, and checks three things. The tables must contain
// every acknowledged row completely, and every row once after the import was repeated. Every committed event must have been
// delivered to a hook under one webhook id. Every message to a desk must have become one ticket or one refusal, and every
// reply one mail, sent under one Message-ID.
//   --rounds N    number of kills, default 20; run 300 before a release
//   --self-test   tests the checks: damages the tables directly, and lets commits not wait for the disk

const { values: flags } = parseArgs({
  options: { rounds: { type: 'string', default: '20' }, 'self-test': { type: 'boolean' } },
})
const print = (line: string) => process.stdout.write(`${line}\n`)

const setup = await openCrashSetup(temporaryDirectory(), { withMail: true })
const failed = flags['self-test'] ? await runSelfTest() : await runRounds(Number(flags.rounds))
await setup.service.stop()
if (setup.mail) await closeMailSetup(setup.mail)
process.exit(failed ? 1 : 0)

async function runRounds(count: number): Promise<boolean> {
  print(
    'round  killed             import        acked unknown (stored) unsent   back after  delivered after  sent again messages  replies   all mailed after',
  )
  print('       * the receiver of the hook was unreachable for two seconds as well')
  const rounds: Round[] = []
  for (let i = 0; i < count; i++) {
    const victim = victims[i % victims.length] ?? 'service'
    const mode = modes[(i + Math.floor(i / victims.length)) % modes.length] ?? 'external'
    const rows = mode === 'bulk' ? 2000 : 600
    const round = await crashRound(setup, { run: `r${i + 1}`, victim, mode, rows, receiverDown: i % 5 === 1 })
    rounds.push(round)
    print(line(i + 1, round))
    for (const violation of round.violations.slice(0, 20)) print(`       ${violation}`)
  }
  const sum = (pick: (round: Round) => number) => rounds.reduce((total, round) => total + pick(round), 0)
  const seconds = (pick: (round: Round) => number) => `${(Math.max(...rounds.map(pick)) / 1000).toFixed(1)} s`
  const { messages = [], replies = [] } = setup.mail ?? {}
  const unsettled = setup.mail
    ? await remainingMailFaults(setup.service.databaseUrl(), setup.mail, { messages, replies, settled: true })
    : []
  for (const violation of unsettled.slice(0, 20)) print(`at the end, ${violation}`)
  const broken = sum(round => round.violations.length) + unsettled.length
  print(
    `\n${rounds.length} rounds, ${sum(round => round.rows)} items with 5 entries of time each: ${sum(round => round.acknowledged)} acknowledged before the kill, ` +
      `${sum(round => round.unknown)} without a reply, of which ${sum(round => round.storedUnknown)} were stored; ` +
      `slowest restart ${seconds(round => round.recovery)}; ` +
      `hooks got ${setup.hook.webhookIds.size} events and ${repeatedDeliveries(setup.hook)} repetitions, at the latest ${seconds(round => round.deliveryDelay)} after the restart; ` +
      `${messages.length} messages and ${replies.length} replies were processed and sent at the latest ${seconds(round => round.mailDelay)} after the restart, ` +
      `${setup.mail ? copies(setup.mail) : 0} mails were sent again; ${broken} violations`,
  )
  return broken > 0
}

function line(i: number, round: Round): string {
  return [
    String(i).padStart(5),
    `${round.victim}${round.receiverDown ? '*' : ''}`.padEnd(17),
    round.mode.padEnd(13),
    String(round.acknowledged).padStart(5),
    String(round.unknown).padStart(7),
    `(${round.storedUnknown})`.padStart(8),
    String(round.unsent).padStart(6),
    `${(round.recovery / 1000).toFixed(2)} s`.padStart(12),
    `${(round.deliveryDelay / 1000).toFixed(2)} s`.padStart(15),
    String(round.resent).padStart(12),
    String(round.messages).padStart(7),
    String(round.replies).padStart(7),
    `${(round.mailDelay / 1000).toFixed(2)} s`.padStart(17),
    round.violations.length === 0 ? 'ok' : `${round.violations.length} VIOLATIONS`,
  ].join('  ')
}

async function runSelfTest(): Promise<boolean> {
  const undetected = await undetectedDamages(setup)
  undetected.push(...(await undetectedMailDamages(setup)))
  print(undetected.length === 0 ? 'every damage was detected' : `not detected: ${undetected.join(', ')}`)
  const { rounds, violations } = await lossWithoutSync(setup, 20)
  print(
    violations.length > 0
      ? `without synchronous_commit a lost write was detected in round ${rounds}: ${violations.length} violations, for example ${violations[0]}`
      : `without synchronous_commit no lost write was detected in ${rounds} rounds`,
  )
  return undetected.length > 0 || violations.length === 0
}
