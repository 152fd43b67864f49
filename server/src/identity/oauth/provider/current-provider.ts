import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import type { KeySet, SigningKeys } from '../../signing-keys/signing-keys.ts'

/** The authorisation server with the keys of this moment. */
export interface CurrentProvider {
  get(): Promise<Provider>
  /** Answers a request by it. */
  callback(): Promise<(req: IncomingMessage, res: ServerResponse) => Promise<void>>
}

/**
 * The provider takes its keys when it is made, so other keys mean another provider. It keeps nothing else in memory: what
 * was begun with one goes on with the next.
 */
export function openCurrentProvider(signingKeys: SigningKeys, make: (keySet: KeySet) => Provider): CurrentProvider {
  let made: { kids: string; provider: Provider; answer: ReturnType<Provider['callback']> } | undefined

  async function current() {
    const keySet = await signingKeys.current()
    const kids = keySet.keys.map(key => key.kid).join(' ')
    if (made?.kids === kids) return made
    const provider = make(keySet)
    made = { kids, provider, answer: provider.callback() }
    return made
  }

  return {
    get: async () => (await current()).provider,
    callback: async () => (await current()).answer,
  }
}
