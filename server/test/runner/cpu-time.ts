import { readdirSync, readFileSync } from 'node:fs'

// `TEST_CPU=1 npm test` ends with the CPU time of every file. Linux alone tells it, by process, in hundredths of a second.

export const isCpuCounted: boolean = process.env.TEST_CPU !== undefined && process.platform === 'linux'

const kinds = ['node', 'postgres', 'services', 'browser'] as const
type Kind = (typeof kinds)[number]

/** CPU seconds: of a worker itself, its PostgreSQL, the processes that its tests started, and among these the browser. */
export type CpuTime = Record<Kind, number>

interface Process {
  parent: number
  isBrowser: boolean
  /** With the time of its children that have ended. */
  seconds: number
  ofChildren: number
}

/** What a worker and its PostgreSQL have used until now. */
export function cpuTime(worker: number, postmaster: number): CpuTime {
  const all = processes()
  const below = (pid: number): Process[] =>
    [...all].filter(([, { parent }]) => parent === pid).flatMap(([child, each]) => [each, ...below(child)])
  const sum = (some: readonly Process[]) => some.reduce((seconds, each) => seconds + each.seconds, 0)
  const [own, started] = [all.get(worker), below(worker)]
  const browser = sum(started.filter(each => each.isBrowser))
  return {
    node: (own?.seconds ?? 0) - (own?.ofChildren ?? 0),
    postgres: sum(below(postmaster)) + (all.get(postmaster)?.seconds ?? 0),
    services: sum(started) - browser + (own?.ofChildren ?? 0),
    browser,
  }
}

function processes(): Map<number, Process> {
  const found = new Map<number, Process>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'utf8')
      const end = text.lastIndexOf(')') // the name of a program may have spaces and brackets
      const words = text
        .slice(end + 2)
        .split(' ')
        .map(Number)
      const [own, ofChildren] = [(words[11] ?? 0) + (words[12] ?? 0), (words[13] ?? 0) + (words[14] ?? 0)]
      found.set(Number(name), {
        parent: words[1] ?? 0,
        isBrowser: /\((chrom|headless_shell)/.test(text.slice(0, end)),
        seconds: (own + ofChildren) / 100,
        ofChildren: ofChildren / 100,
      })
    } catch {} // it has ended in the meantime
  }
  return found
}

/** What was used between two measurements. */
export function cpuBetween(before: CpuTime, now: CpuTime): CpuTime {
  const { node, postgres, services, browser } = before
  return {
    node: now.node - node,
    postgres: now.postgres - postgres,
    services: now.services - services,
    browser: now.browser - browser,
  }
}

interface Measured extends CpuTime {
  /** Seconds from begin to end. */
  wall: number
}

/** A table of the folders and one of the files, the most expensive first. */
export function cpuTable(files: ReadonlyMap<string, Measured>): string {
  const folders = new Map<string, Measured>()
  for (const [file, measured] of files) {
    for (const folder of ['all', folderOf(file)]) folders.set(folder, added(folders.get(folder), measured))
  }
  return [folders, files].map(linesOf).join('\n\n')
}

function folderOf(file: string): string {
  return file.split('/').slice(0, -1).slice(0, 3).join('/')
}

function added(sum: Measured | undefined, more: Measured): Measured {
  if (!sum) return more
  const { wall, node, postgres, services, browser } = sum
  return {
    wall: wall + more.wall,
    node: node + more.node,
    postgres: postgres + more.postgres,
    services: services + more.services,
    browser: browser + more.browser,
  }
}

function linesOf(rows: ReadonlyMap<string, Measured>): string {
  const cpu = (row: Measured) => kinds.reduce((sum, kind) => sum + row[kind], 0)
  const cells = (...some: (string | number)[]) =>
    some.map(each => (typeof each === 'number' ? each.toFixed(1) : each).padStart(9)).join('')
  return [
    cells('CPU s', ...kinds, 'wall'),
    ...[...rows]
      .sort(([, a], [, b]) => cpu(b) - cpu(a))
      .map(([name, row]) => `${cells(cpu(row), ...kinds.map(kind => row[kind]), row.wall)}  ${name}`),
  ].join('\n')
}
