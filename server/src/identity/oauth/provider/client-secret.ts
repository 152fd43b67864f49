import { type Client, Provider } from 'oidc-provider'
import { addressList, contains } from '../../../platform/address-list.ts'
import { readRawKey, sameDigest } from '../../api-key-secret.ts'
import { apiKeyOf } from './clients.ts'

/** Compares digests, because keys are stored as digests. The secret is the whole key, or its part after the prefix. */
export function compareByDigest(provider: Provider): void {
  provider.Client.prototype.compareClientSecret = function (this: Client, secret: string) {
    const key = apiKeyOf(this)
    const given = key && readRawKey(secret.startsWith('gty_') ? secret : `${key.prefix}_${secret}`)
    if (!key || !given || !sameDigest(given.digest, Buffer.from(key.digest, 'hex'))) return false
    return key.allowedIps.length === 0 || contains(addressList(key.allowedIps), Provider.ctx?.ip ?? '')
  }
}
