import type { LargeRequestResult } from './large-requests.ts'
import type { Load } from './load.ts'
import { type OperationName, operationOf } from './operations.ts'

/** The result of a load, and the CPU time of the server and of the database for one request, in ms. */
export type LoadAndCpu = Load & { node: number; postgres: number }

export interface Round {
  service: LoadAndCpu
  bare: LoadAndCpu
  pgbench: number
  /** pgbench with hand-written statements for the same substance. */
  plain: number
}

export interface Figures {
  rounds: Map<OperationName, Round[]>
  largeRequests: { title: string; long: LargeRequestResult; more?: string }[]
  resident: number[]
  connections: number
  pace: { rounds: number; seconds: number }
  withPgbench: boolean
  who: string
}

/** Prints one table of the operations, then one line for each large request, and the memory. */
export function printTable(print: (line: string) => void, figures: Figures): void {
  const { rounds, largeRequests: longs, resident, connections, pace, who } = figures
  print(
    `\nrequests of ${who}, ${connections} connections, ${pace.seconds} s each, ${pace.rounds} round(s); ratios are means, with each round in brackets\n`,
  )
  const head = [
    'operation',
    'service/s',
    'pgbench/s',
    'ratio',
    'plain/s',
    'ratio',
    'bare/s',
    'ratio',
    'p50 ms',
    'p99 ms',
    'cpu ms',
    'bare',
    'db',
    'kB',
  ]
  const rows = [...rounds].map(([name, all]) => {
    const of = (pick: (round: (typeof all)[number]) => number) => mean(all.map(pick))
    return [
      operationOf(name).title,
      whole(of(each => each.service.perSecond)),
      whole(of(each => each.pgbench)),
      ratios(all.map(each => each.service.perSecond / each.pgbench)),
      whole(of(each => each.plain)),
      ratios(all.map(each => each.service.perSecond / each.plain)),
      whole(of(each => each.bare.perSecond)),
      ratios(all.map(each => each.service.perSecond / each.bare.perSecond)),
      of(each => each.service.p50).toFixed(1),
      of(each => each.service.p99).toFixed(1),
      of(each => each.service.node).toFixed(2),
      of(each => each.bare.node).toFixed(2),
      of(each => each.service.postgres).toFixed(2),
      of(each => each.service.bytes / 1000).toFixed(1),
    ]
  })
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map(row => row[i]?.length ?? 0)))
  const line = (cells: string[]) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')
  print(line(head))
  print(widths.map(width => '-'.repeat(width)).join('  '))
  for (const row of rows) print(line(row))
  print('')
  for (const { title, long, more } of longs) {
    const { before, peak, after } = long.memory
    print(
      `${title}: ${long.items} items, ${whole(long.perSecond)} items/s, ${long.megabytesPerSecond.toFixed(1)} MB/s; memory before ${whole(before)} MB, peak ${whole(peak)}, after ${whole(after)}${more ? `; ${more}` : ''}`,
    )
  }
  const total = resident.reduce((sum, each) => sum + each, 0)
  print(
    `memory of the service's ${resident.length} processes: ${resident.map(whole).join(' + ')} = ${whole(total)} MB resident (shared pages are counted in each)`,
  )
}

function ratios(all: number[]): string {
  if (all.some(Number.isNaN)) return '-'
  const each = all.length > 1 ? ` (${all.map(ratio => ratio.toFixed(2)).join(' ')})` : ''
  return `${mean(all).toFixed(2)}${each}`
}

function whole(value: number): string {
  return Number.isNaN(value) ? '-' : String(Math.round(value))
}

function mean(numbers: number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length
}
