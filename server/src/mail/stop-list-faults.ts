import { RE2JS } from 're2js'
import { type Fault, fault } from '../kernel/refusal.ts'
import { isEmail } from '../kernel/schema/formats.ts'

// Compiling costs what a pattern is with its repeats written out. These bounds keep a full list to a fraction of a second.
const maxPatterns = 100
const maxRepeats = 200

/** What is wrong with the domains whose mail is stopped; a domain stands for those below it too. */
export function domainFaults(domains: readonly string[], property: string): Fault[] {
  return domains.flatMap((domain, i) =>
    isDomain(domain) ? [] : [fault([property, i], 'domain', 'must be a domain such as example.com', domain)],
  )
}

/** What is wrong with the senders that are never stopped: each is an address or a domain. */
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

/** What is wrong with the texts that stop a mail by its subject; one between slashes is a pattern. */
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
    return 'is not a pattern that RE2 takes: no look-around, no back-reference'
  }
}

function repeats(pattern: string): number {
  let sum = 0
  for (const [, least, most] of pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) sum += Number(most || least)
  return sum
}
