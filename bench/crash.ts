import { parseArgs } from 'node:util'
import { victims } from './crash/kill.ts'
import { closeMail } from './crash/mail.ts'
import { copies, unmailed } from './crash/mail-check.ts'
import { crashRound, openScene, type Round } from './crash/round.ts'
import { modes } from './crash/rows.ts'
import { repeats } from './crash/hook-journal.ts'
import { lossWithoutSync, missedDamages, missedMailDamages } from './crash/self-test.ts'
import { temporaryDirectory } from './service.ts'

// `npm run crash`: kills the service, its database or both in the middle of imports, and proves from the tables that
// nothing acknowledged is lost, nothing is half, and that sending again makes every row exist exactly once; and from the
// journal of whom a hook calls that every committed event was told, under one id; and that every letter that lay in a
// mailbox or was handed in has become one ticket or one refusal, and every reply one mail, sent under one Message-ID.
//   --rounds N   how many deaths, 20 if not said; the safety goals want 300 before a release
//   --tooth      shows that the proof bites: damages by hand, and a database that does not wait for the disk

const { values: flags } = parseArgs({
  options: { rounds: { type: 'string', default: '20' }, tooth: { type: 'boolean' } },
})
const say = (line: string) => process.stdout.write(`${line}\n`)

const scene = await openScene(temporaryDirectory(), { withMail: true })
const failed = flags.tooth ? await showTeeth() : await runRounds(Number(flags.rounds))
await scene.service.stop()
if (scene.mail) await closeMail(scene.mail)
process.exit(failed ? 1 : 0)

async function runRounds(count: number): Promise<boolean> {
  say(
    'round  died               import        acked unknown (stored) unsent   back after   all told after   sent again  letters  replies   all mailed after',
  )
  say('       * whom the hook tells was gone for two seconds as well')
  const rounds: Round[] = []
  for (let i = 0; i < count; i++) {
    const victim = victims[i % victims.length] ?? 'service'
    const mode = modes[(i + Math.floor(i / victims.length)) % modes.length] ?? 'external'
    const rows = mode === 'bulk' ? 2000 : 600
    const round = await crashRound(scene, { run: `r${i + 1}`, victim, mode, rows, deaf: i % 5 === 1 })
    rounds.push(round)
    say(line(i + 1, round))
    for (const violation of round.violations.slice(0, 20)) say(`       ${violation}`)
  }
  const sum = (pick: (round: Round) => number) => rounds.reduce((total, round) => total + pick(round), 0)
  const seconds = (pick: (round: Round) => number) => `${(Math.max(...rounds.map(pick)) / 1000).toFixed(1)} s`
  const { letters = [], replies = [] } = scene.mail ?? {}
  const late = scene.mail
    ? await unmailed(scene.service.databaseUrl(), scene.mail, { letters, replies, settled: true })
    : []
  for (const violation of late.slice(0, 20)) say(`at the end, ${violation}`)
  const broken = sum(round => round.violations.length) + late.length
  say(
    `\n${rounds.length} rounds, ${sum(round => round.rows)} items with 5 entries of time each: ${sum(round => round.acknowledged)} acknowledged before the kill, ` +
      `${sum(round => round.unknown)} without an answer, of which ${sum(round => round.storedUnknown)} were stored; ` +
      `slowest return ${seconds(round => round.rest)}; ` +
      `hooks were told of ${scene.told.journal.size} items, ${repeats(scene.told)} times more than once, at the latest ${seconds(round => round.tellingRest)} after the return; ` +
      `${letters.length} letters and ${replies.length} replies were where they belong at the latest ${seconds(round => round.mailRest)} after the return, ` +
      `${scene.mail ? copies(scene.mail) : 0} mails were sent once more; ${broken} broken promises`,
  )
  return broken > 0
}

function line(i: number, round: Round): string {
  return [
    String(i).padStart(5),
    `${round.victim}${round.deaf ? '*' : ''}`.padEnd(17),
    round.mode.padEnd(13),
    String(round.acknowledged).padStart(5),
    String(round.unknown).padStart(7),
    `(${round.storedUnknown})`.padStart(8),
    String(round.unsent).padStart(6),
    `${(round.rest / 1000).toFixed(2)} s`.padStart(12),
    `${(round.tellingRest / 1000).toFixed(2)} s`.padStart(15),
    String(round.resent).padStart(12),
    String(round.letters).padStart(7),
    String(round.replies).padStart(7),
    `${(round.mailRest / 1000).toFixed(2)} s`.padStart(17),
    round.violations.length === 0 ? 'ok' : `${round.violations.length} BROKEN`,
  ].join('  ')
}

async function showTeeth(): Promise<boolean> {
  const missed = await missedDamages(scene)
  missed.push(...(await missedMailDamages(scene)))
  say(missed.length === 0 ? 'every damage by hand was found' : `not found: ${missed.join(', ')}`)
  const { rounds, violations } = await lossWithoutSync(scene, 20)
  say(
    violations.length > 0
      ? `without synchronous_commit the loss was found in round ${rounds}: ${violations.length} violations, such as ${violations[0]}`
      : `without synchronous_commit no loss was found in ${rounds} rounds`,
  )
  return missed.length > 0 || violations.length === 0
}
