// Checks the signature of a webhook (Standard Webhooks) with the cryptography of the platform.

const tolerance = 5 * 60 // seconds that the clocks of the two may differ

/** Thrown for a call that does not come from the service, or is too old. */
export class InvalidSignature extends Error {
  override readonly name = 'InvalidSignature'
}

/** Returns the content of a webhook call, or throws if its signature does not match the secret (`whsec_…`). */
export async function verifyWebhook(
  secret: string,
  headers: Headers | Record<string, string | string[] | undefined>,
  body: string,
  now = Date.now(),
): Promise<unknown> {
  const read = (name: string) => (headers instanceof Headers ? headers.get(name) : [headers[name]].flat()[0]) ?? ''
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(read)
  if (!id || !timestamp || !signatures) throw new InvalidSignature('the call is not signed')
  if (!(Math.abs(now / 1000 - Number(timestamp)) <= tolerance)) throw new InvalidSignature('the call is too old')
  const key = await crypto.subtle.importKey(
    'raw',
    bytesOf(secret.replace(/^whsec_/, '')),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  // While a secret is rotated, a call has a signature by each of the two.
  for (const signature of signatures.split(' ')) {
    const [version, value = ''] = signature.split(',')
    if (version === 'v1' && (await crypto.subtle.verify('HMAC', key, bytesOf(value), signed))) return JSON.parse(body)
  }
  throw new InvalidSignature('no signature of the call matches the secret')
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), each => each.charCodeAt(0))
  } catch {
    throw new InvalidSignature('a secret or signature is not base64')
  }
}
