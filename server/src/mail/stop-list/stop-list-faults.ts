import { RE2JS } from 're2js'
import { type Fault, fault } from '../../kernel/refusal.ts'
import { isEmail } from '../../kernel/schema/formats.ts'

// The cost of compiling a pattern grows with its expanded repeats. These limits keep a full list below a fraction of a second.
const maxPatterns = 100
const maxRepeats = 200

/** Returns the faults of a list of domains. */
export function domainFaults(domains: readonly string[], property: string): Fault[] {
  return domains.flatMap((domain, i) =>
    isDomain(domain) ? [] : [fault([property, i], 'domain', 'must be a domain such as example.com', domain)],
  )
}

/** Returns the faults of the list of trusted senders, each of which is an address or a domain. */
export function senderFaults(senders: readonly string[], property: string): Fault[] {
  return senders.flatMap((sender, i) =>
    isDomain(sender) || (sender.includes('@') && isEmail(sender))
      ? []
      : [fault([property, i], 'sender', 'must be an address or a domain', sender)],
  )
}

function isDomain(text: string): boolean {
  return text.length <= 253 && text.split('.').every(label => /^[\p{L}\p{N}_]([\p{L}\p{N}\p{M}_-]{0,62})$/u.test(label))
}

/** Returns the faults of the list of subjects. A text between slashes is a pattern. */
export function subjectFaults(subjects: readonly string[], property: string): Fault[] {
  let patterns = 0
  return subjects.flatMap((subject, i) => {
    const message = subject.trim() === '' ? 'must not be blank' : patternFault(subject, () => ++patterns)
    return message ? [fault([property, i], 'stop-text', message, subject)] : []
  })
}

function patternFault(subject: string, count: () => number): string | undefined {
  const pattern = /^\/(.+)\/$/s.exec(subject)?.[1]
  if (pattern === undefined) return undefined
  if (count() > maxPatterns) return `only ${maxPatterns} entries may be patterns`
  if (repeats(pattern) > maxRepeats) return `repeats more than ${maxRepeats} times`
  try {
    RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE)
    return undefined
  } catch {
    return 'is not a valid RE2 pattern (look-around and back-references are not supported)'
  }
}

function repeats(pattern: string): number {
  let sum = 0
  for (const [, min, max] of pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) sum += Number(max || min)
  return sum
}
