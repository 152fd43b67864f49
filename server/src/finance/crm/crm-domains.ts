import { domainToASCII } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import type { Finding } from '../../kernel/record/record.ts'
import { type Fault, fault } from '../../kernel/refusal.ts'

// The mail domains of a customer. `domain` is the primary one, and the first of `domains`.

/** The providers of mailboxes for everybody: an address there says nothing about the employer. */
const publicDomains = new Set(
  `aol.com bluewin.ch btinternet.com comcast.net fastmail.com free.fr freenet.de gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.net
  googlemail.com hey.com hotmail.com hotmail.co.uk hotmail.fr icloud.com laposte.net libero.it live.com mac.com mail.com mail.ru mailbox.org
  me.com msn.com naver.com orange.fr outlook.com outlook.de outlook.fr pm.me posteo.de proton.me protonmail.com qq.com rocketmail.com t-online.de
  tutanota.com verizon.net virgilio.it web.de wp.pl yahoo.com yahoo.co.jp yahoo.co.uk yahoo.de yahoo.fr yandex.com yandex.ru ymail.com zoho.com 163.com`.split(
    /\s+/,
  ),
)

interface Domains {
  domain?: string | null
  domains?: readonly string[] | null
}

/** The spelling in which domains are stored and compared, in ASCII; '' if the text is none. */
function plainDomain(text: string): string {
  const ascii = domainToASCII(text.trim().toLowerCase().replace(/^@/, '').replace(/\.$/, ''))
  return /^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,63}$/.test(ascii) ? ascii : ''
}

/**
 * Brings `domain` and `domains` in line. Clients send whole records back, so a value that is equal to the stored one does not
 * decide what the other one becomes.
 */
export function withDomains<V extends Domains>(values: V, before: { domain: string; domains: readonly string[] }): V {
  const given = <T>(now: T | null | undefined, was: T, none: T) =>
    now === undefined || isDeepStrictEqual(now ?? none, was) ? undefined : (now ?? none)
  const list = given(values.domains?.map(each => plainDomain(each) || each) ?? values.domains, before.domains, [])
  const primary = given(values.domain, before.domain, '')
  if (list === undefined && primary === undefined) return values
  const domain =
    primary ?? (list?.some(each => each === plainDomain(before.domain)) ? before.domain : (list?.[0] ?? ''))
  const others = list ?? before.domains.filter(each => each !== plainDomain(before.domain))
  return { ...values, domain, domains: [...new Set([plainDomain(domain), ...others])].filter(each => each !== '') }
}

/** The entries of `domains` that are no domains. */
export function domainFaults(domains: readonly string[]): Fault[] {
  return domains.flatMap((each, i) =>
    plainDomain(each) === '' ? [fault(['domains', i], 'domain', 'must be a domain such as example.com', each)] : [],
  )
}

/** The domains by which no mail is matched to the customer. */
export function domainFindings({ domain, domains }: { domain: string; domains: readonly string[] }): Finding[] {
  const found = domains.flatMap((each, i) =>
    publicDomains.has(each)
      ? [
          {
            path: `/domains/${i}`,
            code: 'public-domain',
            message: `${each} has mailboxes for everybody, so it names no customer`,
          },
        ]
      : [],
  )
  if (domain !== '' && plainDomain(domain) === '')
    found.push({ path: '/domain', code: 'not-a-domain', message: 'this is not a domain, so no mail is matched by it' })
  return found
}

/** The domain of an address that can name a customer; '' if it is one for everybody. */
export function employerDomain(address: string): string {
  const domain = plainDomain(address.split('@').at(-1) ?? '')
  return publicDomains.has(domain) ? '' : domain
}
