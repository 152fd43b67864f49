import { problemOf } from './problem.ts'
import type { Auth } from './types.ts'

/** An API key: `gty_…`. */
export function apiKey(key: string): Auth {
  return { headers: () => ({ authorization: `Bearer ${key}` }) }
}

/** An access token from a function, which is asked again when the service refuses the last one. */
export function bearer(token: (refused: boolean) => string | Promise<string>): Auth {
  return { headers: async refused => ({ authorization: `Bearer ${await token(refused)}` }), renews: true }
}

/** The session of the browser on the pages of the service. The header says that no page of another site has sent the request. */
export function cookie(): Auth {
  return { headers: () => ({ 'x-gantry': 'web' }), cookies: true }
}

export interface ClientCredentials {
  /** The address of the service. */
  url: string
  clientId: string
  clientSecret: string
  /** `item:read time:write`; without it, everything that the client may. */
  scope?: string
  fetch?: typeof fetch
}

interface Token {
  value: string
  /** When it is renewed, in ms of `Date.now`. */
  until: number
}

/** A program's own credentials. Tokens are renewed a minute before they end, once for all calls that wait for one. */
export function clientCredentials(given: ClientCredentials): Auth {
  let current: Promise<Token> | undefined
  const token = async (refused: boolean): Promise<string> => {
    const known = await current?.catch(() => undefined)
    if (known && !refused && Date.now() < known.until) return known.value
    // Of several calls that find the same token ended, the first one asks for a new one.
    if ((await current?.catch(() => undefined)) === known) current = requestToken(given)
    return (await current)?.value ?? ''
  }
  return bearer(token)
}

async function requestToken({
  url,
  clientId,
  clientSecret,
  scope,
  fetch: send = fetch,
}: ClientCredentials): Promise<Token> {
  const response = await send(`${url.replace(/\/$/, '')}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) }),
  })
  if (!response.ok) throw await problemOf(response)
  const { access_token: value, expires_in: seconds } = (await response.json()) as {
    access_token: string
    expires_in: number
  }
  return { value, until: Date.now() + (seconds - 60) * 1000 }
}
