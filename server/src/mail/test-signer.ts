import { generateKeyPairSync } from 'node:crypto'
import { dkimSign } from 'mailauth/lib/dkim/sign.js'

/** Somebody who signs mail for a domain, and what the domain publishes for it. */
export interface Signer {
  /** The name and the text of the record with the key. */
  name: string
  text: string
  privateKey: string
  sign(raw: string, more?: { maxBodyLength?: number }): Promise<string>
}

export function signerFor(domain: string, selector = 's1'): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const published = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  return {
    name: `${selector}._domainkey.${domain}`,
    text: `v=DKIM1; k=rsa; p=${published}`,
    privateKey: pem,
    async sign(raw, more = {}) {
      const how = { signingDomain: domain, selector, privateKey: pem, ...more }
      // The library reads these from a list, of which its types say nothing.
      const options = { ...how, signatureData: [how] }
      const { signatures } = await dkimSign(raw, options)
      return signatures + raw
    },
  }
}
