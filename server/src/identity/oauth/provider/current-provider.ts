import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import type { KeySet, SigningKeys } from '../../signing-keys/signing-keys.ts'

/** The authorisation server with the current signing keys. */
export interface CurrentProvider {
  get(): Promise<Provider>
  /** Passes the request to the provider. */
  callback(): Promise<(req: IncomingMessage, res: ServerResponse) => Promise<void>>
}

interface Made {
  provider: Provider
  answer: ReturnType<Provider['callback']>
}

/**
 * The provider reads its keys only at construction, so a change of keys needs a new provider. It keeps no other state
 * in memory, so a flow that began with one instance continues with the next.
 */
export function openCurrentProvider(
  signingKeys: SigningKeys,
  make: (keySet: KeySet) => Promise<Provider>,
): CurrentProvider {
  let made: { kids: string; current: Promise<Made> } | undefined

  async function current() {
    const keySet = await signingKeys.current()
    const kids = keySet.keys.map(key => key.kid).join(' ')
    if (made?.kids !== kids)
      made = { kids, current: make(keySet).then(provider => ({ provider, answer: provider.callback() })) }
    return await made.current
  }

  return {
    get: async () => (await current()).provider,
    callback: async () => (await current()).answer,
  }
}
