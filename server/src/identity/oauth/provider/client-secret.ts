import { type Client, Provider } from 'oidc-provider'
import { addressList, contains } from '../../../platform/address-list.ts'
import { digestOfSecret, readRawKey, sameDigest } from '../../api-key-secret.ts'
import { apiKeyOf } from './clients.ts'
import { tenantClientOf } from './tenant-clients.ts'

/**
 * Compares digests, because keys and secrets are stored as digests. The secret of a key is the whole key, or its part after the
 * prefix; that of a client may be its previous one for a while.
 */
export function compareByDigest(provider: Provider): void {
  provider.Client.prototype.compareClientSecret = function (this: Client, secret: string) {
    const registered = tenantClientOf(this)
    if (registered) {
      const given = digestOfSecret(secret)
      return [registered.secret, registered.previousSecret].some(
        each => each !== null && sameDigest(given, Buffer.from(each, 'hex')),
      )
    }
    const key = apiKeyOf(this)
    const given = key && readRawKey(secret.startsWith('gty_') ? secret : `${key.prefix}_${secret}`)
    if (!key || !given || !sameDigest(given.digest, Buffer.from(key.digest, 'hex'))) return false
    return key.allowedIps.length === 0 || contains(addressList(key.allowedIps), Provider.ctx?.ip ?? '')
  }
}
