import { relative } from 'node:path'
import { type CpuTime, cpuTable } from './cpu-time.ts'
import { depthOfFile, type Outcome } from './messages.ts'
import type { FileResult } from './workers.ts'

interface Line {
  depth: number
  text: string
  below: Line[]
}

interface Failure {
  where: string
  message: string
}

/** Counts the tests and prints them file by file; failed and skipped tests are listed again at the end. */
export class Report {
  passed = 0
  readonly failures: Failure[] = []
  readonly skipped = new Map<string, string[]>()
  readonly durations: Record<string, number> = {}
  readonly #cpu = new Map<string, CpuTime & { wall: number }>()

  /** Prints the tests of a file with their nesting. */
  add({ file, messages, milliseconds, cpu }: FileResult): void {
    this.durations[file] = Math.round(milliseconds)
    if (cpu) this.#cpu.set(file, { ...cpu, wall: milliseconds / 1000 })
    const open: Line[][] = []
    for (const message of messages) {
      const { depth } = message
      open[depth] ??= []
      if (message.kind === 'note') open[depth].push({ depth, text: `ℹ ${message.text}`, below: [] })
      else {
        if (message.failure !== undefined || message.depth > depthOfFile) this.#count(file, message)
        const below = open[depth + 1] ?? []
        open[depth + 1] = []
        open[depth].push({ depth, text: textOf(message, below.length > 0), below })
      }
    }
    console.log(`\n${file} (${seconds(milliseconds)})`)
    // If a file was cut off, its reported tests are printed without their suites.
    for (const line of open.flat().flatMap(contentsOf)) show(line)
  }

  fail(where: string, message: string): void {
    this.failures.push({ where, message })
  }

  #count(file: string, { name, isSuite, skipped, failure, onlyBelow, depth, place }: Outcome): void {
    if (skipped !== undefined) this.skipped.set(skipped, [...(this.skipped.get(skipped) ?? []), name])
    else if (failure === undefined) this.passed += isSuite ? 0 : 1
    // A suite fails because of its tests, which are counted; or by itself, and then none of its tests ran.
    else if (!onlyBelow)
      this.fail(depth > depthOfFile ? `${file}\n  ${name}${place ? ` (${relative('.', place)})` : ''}` : file, failure)
  }

  /** Prints the summary; true if everything passed. */
  close(began: number): boolean {
    for (const [reason, names] of this.skipped)
      console.log(`\nskipped, ${reason}:\n${names.map(name => `  ﹣ ${name}`).join('\n')}`)
    for (const { where, message } of this.failures) console.log(`\n✖ ${where}\n${indented(message, 4)}`)
    if (this.#cpu.size > 0) console.log(`\n${cpuTable(this.#cpu)}`)
    const skipped = [...this.skipped.values()].flat().length
    console.log(`\nall of it took ${Math.round((Date.now() - began) / 1000)} s`)
    console.log(`${this.passed} passed, ${this.failures.length} failed, ${skipped} skipped`)
    return this.failures.length === 0 && this.passed > 0
  }
}

function textOf({ name, milliseconds, skipped, failure, isSuite }: Outcome, hasContents: boolean): string {
  if (skipped !== undefined) return `﹣ ${name} # ${skipped}`
  const mark = failure !== undefined ? '✖' : hasContents && isSuite ? '▶' : '✔'
  return `${mark} ${name} (${seconds(milliseconds)})${failure === undefined ? '' : '\n'}${failure ? indented(failure, 4) : ''}`
}

function contentsOf(line: Line): Line[] {
  return line.depth === depthOfFile ? line.below : [line]
}

function show({ depth, text, below }: Line): void {
  console.log(indented(text, (depth - depthOfFile) * 2))
  for (const each of below) show(each)
}

function indented(text: string, by: number): string {
  return text.replaceAll(/^/gm, ' '.repeat(by))
}

function seconds(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`
}
