/** One fault of one property, as `Fields` of a problem body lists it. */
export interface Fault {
  Field: string
  Code: string
  Message: string
  Pointer: string
  Value?: unknown
}

/** Thrown to answer a request with a problem body: the only way in which a room refuses. */
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

/** 400: the body or the query is not valid; all faults are reported at once. */
export class Invalid extends Refusal {
  constructor(
    faults: readonly Fault[],
    message = faults.length === 1 ? '1 field is invalid' : `${faults.length} fields are invalid`,
  ) {
    super(400, 'validation', message, { faults })
  }
}

/** 401: no credential, or one that is not valid. */
export class Unauthorized extends Refusal {
  constructor(message: string, error?: 'invalid_token') {
    super(401, 'unauthorized', message, {
      headers: { 'www-authenticate': error ? `Bearer realm="gantry", error="${error}"` : 'Bearer realm="gantry"' },
    })
  }
}

/** 403: the caller is known and lacks the permission. */
export class Forbidden extends Refusal {
  constructor(message: string) {
    super(403, 'forbidden', message)
  }
}

/** 404: absent, deleted, of another tenant or invisible; the answer does not tell which. */
export class NotFound extends Refusal {
  constructor(what = 'record') {
    super(404, 'not-found', `there is no such ${what}`)
  }
}

/** 409: another request is changing the same. */
export class Conflict extends Refusal {
  constructor(code: string, message: string, headers: Record<string, string> = {}) {
    super(409, code, message, { headers })
  }
}

/** 412: the record has changed since the caller read it. */
export class Stale extends Refusal {
  constructor(current: { version: number }) {
    super(412, 'stale', 'the record has changed since it was read', {
      extra: { current },
      headers: { etag: `"v${current.version}"` },
    })
  }
}

/** 422: valid, but against a rule of the domain. */
export class RuleBroken extends Refusal {
  constructor(code: string, message: string, faults: readonly Fault[] = [], extra: Record<string, unknown> = {}) {
    super(422, code, message, { faults, extra })
  }
}

/** 503: the service is busy; nothing was done. */
export class Unavailable extends Refusal {
  constructor(message = 'the service is busy, try again shortly') {
    super(503, 'unavailable', message, { headers: { 'retry-after': '1' } })
  }
}

/** The refusal of an id that a record has already. It does not tell which record, or whether the caller may see it. */
export function idTaken(id?: string): Refusal {
  const faults = [fault(['id'], 'id-taken', 'is the id of a record that exists or existed', id)]
  return new Refusal(409, 'id-taken', 'there is or was a record with this id', { faults })
}

/** A fault at a place in the body: `fault(['Time', 3, 'minutes'], …)`. */
export function fault(path: readonly (string | number)[], code: string, message: string, value?: unknown): Fault {
  const pointer = path.map(step => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  const shown = typeof value === 'string' ? value.slice(0, 200) : value
  const simple = shown === null || ['string', 'number', 'boolean'].includes(typeof shown)
  return { Field: path.join('.'), Code: code, Message: message, Pointer: pointer, ...(simple ? { Value: shown } : {}) }
}
