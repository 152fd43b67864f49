import { each } from '../findings.ts'
import { Person, retryUnavailable } from '../people.ts'
import { type AnswerFaults, answerFaults } from './answer-faults.ts'
import { type Case, type Request, requestOf } from './cases.ts'
import type { FuzzWorld } from './fuzz-world.ts'

/** The number of answers that may overtake one answer: slowness is measured in other answers, not by a clock. */
const mostOvertaking = 400
/** These do the work of hundreds of requests in one. */
const large = new Set(['POST /tenant/sample', 'DELETE /tenant/sample'])

/** Counts and findings of generated requests, over all rounds. */
export class FuzzReport {
  requests = 0
  readonly statuses = new Map<number, number>()
  readonly counts = { failure: 0, contradiction: 0, exposure: 0, delay: 0, silence: 0 }
  /** The operations that succeeded at least once. */
  readonly succeeded = new Set<string>()
  readonly findings: string[] = []

  add(kind: keyof FuzzReport['counts'], { op }: Case, faults: readonly string[], request: Request): void {
    if (faults.length === 0) return
    this.counts[kind]++
    this.findings.push(`${op.route}: ${[...new Set(faults)].slice(0, 4).join('; ')}\n    ${shown(request)}`)
  }

  get isGood(): boolean {
    return this.findings.length === 0
  }
}

interface FuzzOptions {
  /** Another service than that of the callers, which has the same database. */
  at?: string
  patience?: number
  onAnswer?: () => void
}

/** Sends the cases, eight at a time, and adds what is wrong with the answers to the report. */
export async function fuzz(
  world: FuzzWorld,
  cases: Iterable<Case>,
  report: FuzzReport,
  { at, patience = mostOvertaking, onAnswer }: FuzzOptions = {},
): Promise<void> {
  let answered = 0
  await each(
    [...cases],
    async one => {
      const request = requestOf(one, await world.sensible(one))
      const { person } = world.senderOf(one)
      const who = at ? new Person(at, person.key, person.id, person.tenantId).unchecked() : person
      const { method, path, body, headers } = request
      const before = answered
      report.requests++
      try {
        const answer = await retryUnavailable(() =>
          who.ask(method, path, { headers, ...(body === undefined ? {} : { body }) }),
        )
        const { status } = answer
        report.statuses.set(status, (report.statuses.get(status) ?? 0) + 1)
        if (status < 300) report.succeeded.add(one.op.route)
        const faults: AnswerFaults = answerFaults(request, answer, who.base)
        for (const kind of ['failure', 'contradiction', 'exposure'] as const)
          report.add(kind, one, faults[kind], request)
        if (answered - before > patience && !large.has(one.op.route))
          report.add('delay', one, ['was overtaken by too many'], request)
      } catch (error) {
        report.add('silence', one, [`no answer: ${error instanceof Error ? error.message : error}`], request)
      }
      answered++
      onAnswer?.()
    },
    8,
  )
}

function shown({ method, path, body, headers }: Request): string {
  const text = typeof body === 'string' ? body : body && Buffer.from(body).toString('latin1')
  return `${method} ${path.slice(0, 300)} ${JSON.stringify(headers)} ${text?.slice(0, 600)}`
}
