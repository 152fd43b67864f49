import type { Input } from '../../kernel/operation.ts'

/** The input of an operation that is called without a request. */
export function requestOf<T>(body: T, params: Record<string, string> = {}): Input<T> {
  return { path: '', params, query: {}, body, raw: body, expect: undefined, headers: {} }
}
