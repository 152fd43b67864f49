import { domainOf } from '../../address.ts'
import type { ParsedMail } from '../parsing/parsed-mail.ts'
import { type AuthenticationCheck, dnsName, isRelated } from './authenticity.ts'

/** The content of one `Authentication-Results` header (RFC 8601). */
interface Results {
  host: string
  found: Result[]
}

interface Result {
  method: string
  result: string
  /** The text in parentheses. */
  comment: string
  /** `header.d`, `smtp.mailfrom` …, in lower case. */
  properties: Map<string, string>
}

/**
 * The results of a trusted server. Only the topmost header counts: the sender may have written anything further down, or below
 * the header of another server.
 */
export function trustedResults(
  { headers }: Pick<ParsedMail, 'headers'>,
  hosts: readonly string[],
): Results | undefined {
  const trusted = hosts.map(dnsName)
  const lines = headers.flatMap(({ name, value }, at) =>
    name === 'authentication-results' ? [{ at, ...resultsIn(value) }] : [],
  )
  const [top] = lines
  if (!top || !trusted.includes(top.host)) return undefined
  // Several programs of one server each add a header, all of them above its `Received` header.
  const hop = headers.findIndex(({ name }) => name === 'received')
  const same = lines.filter(({ at, host }) => at < hop && host === top.host)
  return { host: top.host, found: (same.length > 0 ? same : [top]).flatMap(each => each.found) }
}

/** Evaluates the results for a mail from this domain. */
export function checkOfResults(
  { host, found }: Results,
  domain: string,
): AuthenticationCheck & { spfDomains: string[]; dkimDomains: string[] } {
  const of = (method: string) => found.filter(each => each.method === method)
  const about = (each: Result) => dnsName(each.properties.get('header.from') ?? domain)
  const dmarc = of('dmarc').find(each => about(each) === domain)
  const [spf] = of('spf')
  const dkimDomains = of('dkim').flatMap(each => (each.result === 'pass' ? [signer(each)] : []))
  const spfDomains = spf?.result === 'pass' ? [dnsName(domainOf(spf.properties.get('smtp.mailfrom') ?? ''))] : []
  const dkim = of('dkim').find(each => each.result === 'pass' && isRelated(signer(each), domain)) ?? of('dkim')[0]
  const settled = dmarc !== undefined && ['pass', 'fail', 'temperror', 'permerror'].includes(dmarc.result)
  return {
    by: host,
    spf: spf?.result ?? '',
    dkim: dkim?.result ?? '',
    dmarc: dmarc === undefined ? '' : settled ? dmarc.result : 'none',
    policy: policyIn(dmarc),
    aligned: settled ? dmarc.result === 'pass' : [...spfDomains, ...dkimDomains].some(each => isRelated(each, domain)),
    spfDomains,
    dkimDomains,
  }
}

const signer = ({ properties }: Result) =>
  dnsName(properties.get('header.d') ?? domainOf(properties.get('header.i') ?? ''))

/** Servers state the policy in a comment, in a property, or by the action they took. */
function policyIn(dmarc: Result | undefined): string {
  const said =
    `${dmarc?.comment ?? ''} ${[...(dmarc?.properties ?? [])].map(each => each.join('=')).join(' ')}`.toLowerCase()
  const [, policy] =
    /(?:\bp|policy\.p|policy\.published-domain-policy|action)=o?(none|quarantine|reject)\b/.exec(said) ?? []
  return policy ?? ''
}

function resultsIn(value: string): Results {
  const [first, ...rest] = pieces(value)
  return {
    host: dnsName(first?.text.trim().split(/\s+/)[0] ?? ''),
    found: rest.flatMap(({ text, comment }) => {
      const [, method = '', result = '', more = ''] =
        /^\s*([\w-]+)(?:\s*\/\s*\d+)?\s*=\s*([\w-]+)(.*)$/s.exec(text) ?? []
      if (method === '') return []
      const properties = [...more.matchAll(/([\w-]+(?:\s*\.\s*[\w-]+)?)\s*=\s*("[^"]*"|[^\s;]+)/g)].map(
        ([, name = '', said = '']) =>
          [name.replace(/\s/g, '').toLowerCase(), said.replace(/^"|"$/g, '').toLowerCase()] as const,
      )
      return [{ method: method.toLowerCase(), result: result.toLowerCase(), comment, properties: new Map(properties) }]
    }),
  }
}

/** Splits at semicolons, except in quotes and comments, and separates the comments. */
function pieces(value: string): { text: string; comment: string }[] {
  const all = [{ text: '', comment: '' }]
  let [depth, quoted] = [0, false]
  for (let i = 0; i < value.length; i++) {
    const char = value[i] ?? ''
    const piece = all[all.length - 1] ?? { text: '', comment: '' }
    const escaped = char === '\\' && (quoted || depth > 0)
    if (escaped) i++
    const shown = escaped ? (value[i] ?? '') : char
    if (!escaped && char === '"' && depth === 0) quoted = !quoted
    if (!escaped && !quoted && char === '(') depth++
    else if (!escaped && !quoted && char === ')' && depth > 0) depth--
    else if (depth > 0) piece.comment += shown
    else if (!escaped && !quoted && char === ';') all.push({ text: '', comment: '' })
    else piece.text += shown
  }
  return all
}
