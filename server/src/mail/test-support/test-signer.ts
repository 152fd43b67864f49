import { generateKeyPairSync } from 'node:crypto'
import { dkimSign } from 'mailauth/lib/dkim/sign.js'

/** Signs mail for a domain, and has the DNS record that the domain publishes for it. */
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
      // The library expects a list here, which its types do not declare.
      const options = { ...how, signatureData: [how] }
      const { signatures } = await dkimSign(raw, options)
      return signatures + raw
    },
  }
}
