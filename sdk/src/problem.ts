import type { Problem as ProblemBody } from './generated/types.ts'

/** A refusal of the service (RFC 9457). */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: number
  /** A stable code for programs: `validation`, `transition-not-allowed`. */
  readonly code: string
  readonly detail: string
  /** The faults of the body or of the query. */
  readonly Fields: ProblemBody['Fields']
  /** By which the operator finds the request in the log. */
  readonly traceId: string | undefined
  /** The whole body, with what this code has in addition. */
  readonly body: ProblemBody & Record<string, unknown>
  readonly headers: Headers

  constructor(body: ProblemBody & Record<string, unknown>, headers: Headers) {
    super(body.detail || body.title)
    this.status = body.status
    this.code = body.code
    this.detail = body.detail
    this.Fields = body.Fields
    this.traceId = body.traceId
    this.body = body
    this.headers = headers
  }
}

/** Whether an error is a refusal of the service, with this code if one is given. */
export function isProblem(error: unknown, code?: string): error is Problem {
  return error instanceof Problem && (code === undefined || error.code === code)
}

/** The messages of a refusal by the JSON pointers of their fields, for forms. */
export function fieldErrors({ Fields }: Problem): Map<string, string[]> {
  const messages = new Map<string, string[]>()
  for (const { Pointer, Message } of Fields) messages.set(Pointer, [...(messages.get(Pointer) ?? []), Message])
  return messages
}

/** Reads the refusal in an answer. What does not come from the service, such as the page of a proxy, becomes one too. */
export async function problemOf(response: Response): Promise<Problem> {
  const text = await response.text().catch(() => '')
  const body = parsed(text)
  if (isProblemBody(body)) return new Problem(body, response.headers)
  const title = response.statusText || `HTTP ${response.status}`
  return new Problem(
    {
      type: 'about:blank',
      title,
      status: response.status,
      detail: title,
      code: 'not-from-the-service',
      traceId: '',
      Fields: [],
    },
    response.headers,
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isProblemBody(body: unknown): body is ProblemBody & Record<string, unknown> {
  return typeof body === 'object' && body !== null && 'code' in body && 'status' in body && 'Fields' in body
}
