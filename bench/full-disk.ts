import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { check, type Journal, read, write } from './full-disk/writes.ts'
import { firstKey, freePort, type Service, startService } from './service.ts'

// `npm run full-disk`: runs the service on a small disk of its own (a tmpfs, so it must be root on Linux), writes items and files
// until nothing more is accepted, then lets another program take the last byte, and goes on asking for a while. `/readyz` and the
// refusals must say that the disk is full. Then space is freed: the service must become ready by itself, with everything that
// it acknowledged. With MIN_FREE_BYTES=0 nothing is reserved: then the database stops, and the command fails.
//   --megabytes 400   the size of the disk
//   --seconds 20      how long it goes on writing, half of it when no byte is left

const { values: flags } = parseArgs({
  options: { megabytes: { type: 'string', default: '400' }, seconds: { type: 'string', default: '20' } },
})
const print = (line: string) => process.stdout.write(`${line}\n`)
const mebibyte = 1024 * 1024
const ballastSize = 100 * mebibyte

const disk = mkdtempSync(join(tmpdir(), 'gantry-disk-'))
execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${flags.megabytes}m`, 'tmpfs', disk])
process.once('exit', () => {
  execFileSync('umount', ['--lazy', disk])
  rmdirSync(disk)
})
const [ballast, others] = [join(disk, 'ballast'), join(disk, 'others')]
writeFileSync(ballast, Buffer.alloc(ballastSize))
const service = await startService({ dataDir: join(disk, 'data'), port: await freePort() })
const faults: string[] = []

const journal: Journal = { items: new Map(), files: new Map(), refusals: new Map() }
const told = await fill(service, journal)
print(`full: ${freeMegabytes()} MB free, ${journal.items.size} items and ${journal.files.size} files are acknowledged`)
for (const [answer, count] of journal.refusals) print(`  ${count} × ${answer}`)
for (const answer of journal.refusals.keys())
  if (!answer.startsWith('503 storage-full')) faults.push(`a request was answered with ${answer}`)
for (const answer of told) {
  print(`  /readyz: ${answer}`)
  if (!/disk/.test(answer)) faults.push(`/readyz did not name the disk: ${answer}`)
}

rmSync(ballast)
rmSync(others)
const began = performance.now()
await untilAnswered(service)
print(`ready ${((performance.now() - began) / 1000).toFixed(1)} s after space was freed`)
faults.push(...(await check(service, firstKey(service), journal)))
await service.stop()
for (const fault of faults.slice(0, 20)) print(`FAULT: ${fault}`)
print(faults.length === 0 ? 'nothing that was acknowledged is lost' : `${faults.length} faults`)
process.exit(faults.length === 0 ? 0 : 1)

/** Writes until the disk has been full for the given time. Returns what `/readyz` said meanwhile. */
async function fill({ base }: Service, journal: Journal): Promise<Set<string>> {
  const key = firstKey(service)
  const told = new Set<string>()
  let fullSince: number | undefined
  const isOver = () => fullSince !== undefined && performance.now() - fullSince > Number(flags.seconds) * 1000
  const caller = async () => {
    const noise = randomBytes(mebibyte / 2).toString('base64')
    while (!isOver()) {
      if ((await write(base, key, noise, journal)) === 'stored') continue
      fullSince ??= performance.now()
      await sleep(100)
    }
  }
  const observer = async () => {
    let taken = false
    while (!isOver()) {
      if (!taken && fullSince && performance.now() - fullSince > Number(flags.seconds) * 500) {
        takeRest()
        taken = true
      }
      await read(base, key, journal)
      const answer = await fetch(`${base}/readyz`)
      const { detail } = JSON.parse(await answer.text())
      if (!answer.ok) told.add(`${answer.status} ${String(detail).replace(/\d+ MiB/, '… MiB')}`)
      await sleep(200)
    }
  }
  await Promise.all([caller(), caller(), caller(), caller(), observer()])
  return told
}

/** Another program writes until no byte is left. */
function takeRest(): void {
  print(`${freeMegabytes()} MB are left, and are taken by another program`)
  const handle = openSync(others, 'w')
  try {
    for (const some = Buffer.alloc(mebibyte / 8); ; ) writeSync(handle, some)
  } catch {
    closeSync(handle)
  }
}

async function untilAnswered({ base, output }: Service): Promise<void> {
  const patience = performance.now() + 120_000
  while (!(await fetch(`${base}/readyz`)).ok) {
    if (performance.now() > patience) throw new Error(`the service did not recover:\n${output().slice(-5000)}`)
    await sleep(50)
  }
}

function freeMegabytes(): string {
  const { bavail, bsize } = statfsSync(disk)
  return ((bavail * bsize) / mebibyte).toFixed(1)
}
