import { createPublicKey } from 'node:crypto'

// What a domain publishes about the mail that it sends, and what is wrong with it.

export interface DnsRecordCheck {
  ok: boolean
  /** As it stands in the DNS; empty, if there is none. */
  record: string
  message: string
}

export function checkSpf(records: readonly string[]): DnsRecordCheck {
  const [record = '', another] = records.filter(each => /^v=spf1(\s|$)/i.test(each))
  if (record === '') return wrong('', 'there is no SPF record: receivers cannot tell which servers send for the domain')
  if (another !== undefined) return wrong(record, 'there is more than one SPF record, so none counts')
  if (/\s\+?all(\s|$)/i.test(record)) return wrong(record, 'it lets every server send for the domain (+all)')
  return { ok: true, record, message: 'there is one; see that it names the servers through which mail leaves' }
}

export function checkDmarc(record: string): DnsRecordCheck {
  if (record === '') return wrong('', 'there is no DMARC record: anybody may write in the name of the domain')
  const [, policy = 'none'] = /(?:^|;)\s*p\s*=\s*(\w+)/i.exec(record) ?? []
  if (policy.toLowerCase() === 'none')
    return { ok: true, record, message: 'forged mail is told of and not refused (p=none)' }
  return { ok: true, record, message: `what is forged shall be refused (p=${policy.toLowerCase()})` }
}

/** `key` is the private key that mail is signed with. */
export function checkDkim(records: readonly string[], key: string): DnsRecordCheck {
  const record = records.find(each => /(^|;)\s*p\s*=/i.test(each)) ?? ''
  if (record === '') return wrong('', 'there is no key: what is signed looks like forged')
  const [, published = ''] = /(?:^|;)\s*p\s*=\s*([^;]*)/i.exec(record) ?? []
  if (published.trim() === '') return wrong(record, 'the key was taken back')
  const own = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64')
  return published.replace(/\s/g, '') === own
    ? { ok: true, record, message: 'it is the key that mail is signed with' }
    : wrong(record, `it is another key than the one that mail is signed with; publish v=DKIM1; k=rsa; p=${own}`)
}

const wrong = (record: string, message: string): DnsRecordCheck => ({ ok: false, record, message })
