import { OutboundFailure } from '../outbound/outbound.ts'

/** Why a store does not do what it was asked. */
export type StoreFault =
  | 'unreachable'
  | 'busy'
  | 'credentials'
  | 'denied'
  | 'no-bucket'
  | 'region'
  | 'missing'
  | 'refused'

/** A request that a store did not fulfil. The message may be shown to the admins of the tenant. */
export class StoreFailure extends Error {
  readonly fault: StoreFault

  constructor(fault: StoreFault, message: string) {
    super(message)
    this.fault = fault
  }
}

/** A call that got no answer. */
export function unanswered(error: unknown): StoreFailure {
  if (!(error instanceof OutboundFailure)) throw error
  return new StoreFailure(error.reason === 'busy' ? 'busy' : 'unreachable', error.message)
}

/** The meaning of an error that an S3 store answers, by its code, or by its status where it sends none. */
export function refusalOf(status: number, body: string): StoreFailure {
  const code = /<Code>([A-Za-z0-9]{1,60})<\/Code>/.exec(body)?.[1] ?? ''
  const said = code === '' ? `status ${status}` : `${status} ${code}`
  const fault = byCode[code] ?? byStatus(status)
  return new StoreFailure(fault, `${explanations[fault]} (the store answers ${said})`)
}

const byCode: Readonly<Record<string, StoreFault>> = {
  SignatureDoesNotMatch: 'credentials',
  InvalidAccessKeyId: 'credentials',
  InvalidToken: 'credentials',
  AccessDenied: 'denied',
  AllAccessDisabled: 'denied',
  NoSuchBucket: 'no-bucket',
  InvalidBucketName: 'no-bucket',
  PermanentRedirect: 'region',
  AuthorizationHeaderMalformed: 'region',
  NoSuchKey: 'missing',
  SlowDown: 'busy',
  ServiceUnavailable: 'busy',
}

function byStatus(status: number): StoreFault {
  if (status === 401 || status === 403) return 'denied'
  if (status === 404) return 'missing'
  if (status >= 300 && status < 400) return 'region'
  return status === 429 || status >= 500 ? 'busy' : 'refused'
}

const explanations: Readonly<Record<StoreFault, string>> = {
  unreachable: 'the store cannot be reached',
  busy: 'the store is busy or broken',
  credentials: 'the store does not accept the access key or the secret key',
  denied: 'the access key may not do this',
  'no-bucket': 'there is no such bucket',
  region: 'the bucket is in another region, or at another endpoint',
  missing: 'there is no such object',
  refused: 'the store refuses this',
}
