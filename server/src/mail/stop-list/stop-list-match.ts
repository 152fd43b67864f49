import { RE2JS } from 're2js'
import { isInDomain } from '../../desk/email-domain.ts'
import { plainAddress } from '../address.ts'

interface StopLists {
  domainStopList: readonly string[]
  subjectStopList: readonly string[]
  trustedSenders: readonly string[]
}

/** Returns why a mail is stopped, or undefined if it is not. Mail of trusted senders is never stopped. */
export function stoppedBy(lists: StopLists, mail: { sender: string; subject: string }): string | undefined {
  if (isTrusted(lists.trustedSenders, mail.sender)) return undefined
  const domain = stoppedDomain(lists.domainStopList, mail.sender)
  if (domain !== undefined) return `the domain ${domain} is on the stop list`
  const subject = lists.subjectStopList.find(each => matchesSubject(each, mail.subject))
  return subject === undefined ? undefined : `the subject matches ${subject} of the stop list`
}

/** Returns the entry that matches an address. A domain includes its subdomains. */
export function stoppedDomain(domains: readonly string[], address: string): string | undefined {
  return domains.find(each => isInDomain(address, each))
}

/** Tells whether an address equals an entry, or belongs to its domain or a subdomain. */
export function isTrusted(trusted: readonly string[], sender: string): boolean {
  const address = plainAddress(sender)
  return trusted.some(each => {
    const entry = plainAddress(each)
    return entry.includes('@') ? entry === address : isInDomain(address, entry)
  })
}

function matchesSubject(entry: string, subject: string): boolean {
  const pattern = /^\/(.+)\/$/s.exec(entry)?.[1]
  if (pattern === undefined) return subject.toLowerCase().includes(entry.toLowerCase())
  try {
    return RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE).matcher(subject).find()
  } catch {
    return false // patterns are validated on input; an invalid one matches nothing
  }
}
