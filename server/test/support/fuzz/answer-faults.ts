import type { Answer } from '../answer.ts'
import { findFaults } from '../conformance/conformance.ts'
import type { Body } from '../seeds/seeds.ts'
import type { Request } from './cases.ts'

/** The headers that protect every answer. */
export const protectingHeaders: Record<string, RegExp> = {
  'x-request-id': /^[\w-]{36}$/,
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^DENY$/,
  'referrer-policy': /^no-referrer$/,
  'permissions-policy': /camera=\(\)/,
  'cross-origin-resource-policy': /^same-origin$/,
  'cache-control': /^private, no-(cache|store)$|^no-store$/,
  'content-security-policy': /default-src 'none'/,
}

/** Words that occur only in the internals of the service; `lastError` is a property of several kinds. */
export const internals =
  /\bat \S+ \(|node_modules|\/work\/|\/tmp\/|\.ts:\d|\bselect\b.+\bfrom\b|insert into|syntax error at|violates|relation "|column "|pg_|\b(?!lastError\b)\w*Error\b|Exception|ECONN|EPIPE|Invalid time value|\bundefined\b|\[object|Cannot read|is not a function/i

/** What is wrong with an answer, by the promise that it breaks. */
export interface AnswerFaults {
  /** A status of 500 or more. */
  failure: string[]
  /** Differences from the OpenAPI document. */
  contradiction: string[]
  /** Missing protection, and words about the inside of the service. */
  exposure: string[]
}

/** Lists everything that is wrong with an answer. */
export function answerFaults(
  { method, path, headers: sent, body }: Request,
  answer: Answer,
  base: string,
): AnswerFaults {
  const { status, headers } = answer
  const exposure = Object.entries(protectingHeaders)
    .filter(([name, wanted]) => !wanted.test(headers.get(name) ?? ''))
    .map(([name]) => `${name} is ${headers.get(name)}`)
  const leaked = status >= 400 ? internals.exec(saidBy(answer)) : null
  if (leaked) exposure.push(`reveals internals: ${leaked[0]}`)
  return {
    failure: status >= 500 ? [`answered ${status}`] : [],
    contradiction: findFaults({ method, url: `${base}/api${path}`, sent, body, answer }),
    exposure,
  }
}

/** The words of a refusal that the service chose itself. */
function saidBy({ body }: Answer): string {
  const fields: Body[] = Array.isArray(body?.Fields) ? body.Fields : []
  return [body?.title, body?.detail, body?.code, ...fields.flatMap(each => [each.Code, each.Message])].join('\n')
}
