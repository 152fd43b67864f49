/** One fault of one property, as the seed's `Fields` lists it. */
export interface Fault {
  Field: string
  Code: string
  Message: string
  Pointer: string
  Value?: unknown
}

/** A request that is answered with a problem body: the only way a room says no. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly faults: readonly Fault[]
  /** More members of the problem body, and headers of the reply. */
  readonly extra: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(
    status: number,
    code: string,
    message: string,
    more: { faults?: readonly Fault[]; extra?: Record<string, unknown>; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.faults = more.faults ?? []
    this.extra = more.extra ?? {}
    this.headers = more.headers ?? {}
  }
}

/** 400: the body or the query is not what the operation takes; every fault is named at once. */
export class Invalid extends Refusal {
  constructor(
    faults: readonly Fault[],
    message = faults.length === 1 ? '1 field is invalid' : `${faults.length} fields are invalid`,
  ) {
    super(400, 'validation', message, { faults })
  }
}

/** 401: no credential, or one that does not hold (any more). */
export class Unauthorized extends Refusal {
  constructor(message: string, error?: 'invalid_token') {
    super(401, 'unauthorized', message, {
      headers: { 'www-authenticate': error ? `Bearer realm="gantry", error="${error}"` : 'Bearer realm="gantry"' },
    })
  }
}

/** 403: known, but not allowed. */
export class Forbidden extends Refusal {
  constructor(message: string) {
    super(403, 'forbidden', message)
  }
}

/** 404: absent, deleted, another tenant's or out of sight: one answer for all of them. */
export class NotFound extends Refusal {
  constructor(what = 'record') {
    super(404, 'not-found', `there is no such ${what}`)
  }
}

/** 409: somebody else is at it. */
export class Conflict extends Refusal {
  constructor(code: string, message: string, headers: Record<string, string> = {}) {
    super(409, code, message, { headers })
  }
}

/** 412: the record has moved on since the caller read it. */
export class Stale extends Refusal {
  constructor(current: { version: number }) {
    super(412, 'stale', 'the record has changed since it was read', {
      extra: { current },
      headers: { etag: `"v${current.version}"` },
    })
  }
}

/** 422: well formed, and against a rule of the trade. */
export class RuleBroken extends Refusal {
  constructor(code: string, message: string, faults: readonly Fault[] = [], extra: Record<string, unknown> = {}) {
    super(422, code, message, { faults, extra })
  }
}

/** 503: not now; nothing was done. */
export class Unavailable extends Refusal {
  constructor(message = 'the service is busy, try again shortly') {
    super(503, 'unavailable', message, { headers: { 'retry-after': '1' } })
  }
}

/** A fault at a place in the body: `fault(['Time', 3, 'minutes'], …)`. */
export function fault(path: readonly (string | number)[], code: string, message: string, value?: unknown): Fault {
  const pointer = path.map(step => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  const shown = typeof value === 'string' ? value.slice(0, 200) : value
  const simple = shown === null || ['string', 'number', 'boolean'].includes(typeof shown)
  return { Field: path.join('.'), Code: code, Message: message, Pointer: pointer, ...(simple ? { Value: shown } : {}) }
}
