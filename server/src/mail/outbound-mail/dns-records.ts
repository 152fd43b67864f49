import { createPublicKey } from 'node:crypto'

// Checks the SPF, DMARC and DKIM records of a domain.

export interface DnsRecordCheck {
  ok: boolean
  /** The record in the DNS; empty if there is none. */
  record: string
  message: string
}

export function checkSpf(records: readonly string[]): DnsRecordCheck {
  const [record = '', another] = records.filter(each => /^v=spf1(\s|$)/i.test(each))
  if (record === '')
    return wrong('', 'there is no SPF record, so receivers do not know which servers may send for the domain')
  if (another !== undefined) return wrong(record, 'there is more than one SPF record, so receivers ignore all of them')
  if (/\s\+?all(\s|$)/i.test(record))
    return wrong(record, 'the record allows every server to send for the domain (+all)')
  return {
    ok: true,
    record,
    message: 'a record exists; make sure that it names the servers through which mail is sent',
  }
}

export function checkDmarc(record: string): DnsRecordCheck {
  if (record === '') return wrong('', 'there is no DMARC record, so anybody can send in the name of the domain')
  const [, policy = 'none'] = /(?:^|;)\s*p\s*=\s*(\w+)/i.exec(record) ?? []
  if (policy.toLowerCase() === 'none')
    return { ok: true, record, message: 'forged mail is reported and not rejected (p=none)' }
  return {
    ok: true,
    record,
    message: `receivers are asked to quarantine or reject forged mail (p=${policy.toLowerCase()})`,
  }
}

/** Checks the published DKIM record against the private key that signs the mail. */
export function checkDkim(records: readonly string[], key: string): DnsRecordCheck {
  const record = records.find(each => /(^|;)\s*p\s*=/i.test(each)) ?? ''
  if (record === '') return wrong('', 'there is no key, so receivers cannot verify the signature')
  const [, published = ''] = /(?:^|;)\s*p\s*=\s*([^;]*)/i.exec(record) ?? []
  if (published.trim() === '') return wrong(record, 'the key was revoked')
  const own = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64')
  return published.replace(/\s/g, '') === own
    ? { ok: true, record, message: 'the published key matches the signing key' }
    : wrong(record, `the published key differs from the signing key; publish v=DKIM1; k=rsa; p=${own}`)
}

const wrong = (record: string, message: string): DnsRecordCheck => ({ ok: false, record, message })
