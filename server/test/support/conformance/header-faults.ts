import { securityHeaders } from '../../../src/kernel/http/problem.ts'
import { type Json, resolved } from './document.ts'
import { schemaFaults } from './schema-faults.ts'

/** The headers of the transport, of the rate limit, and those that protect every answer. */
const general = new Set([
  ...Object.keys(securityHeaders),
  'allow',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'ratelimit',
  'ratelimit-policy',
  'strict-transport-security',
  'transfer-encoding',
  'vary',
  'x-accel-buffering',
  'x-request-id',
])

/** Compares the headers of an answer with those that the document declares for it. */
export function headerFaults(described: Json, headers: Headers): string[] {
  const faults: string[] = []
  const declared = new Set<string>()
  for (const [name, reference] of Object.entries(described.headers ?? {})) {
    declared.add(name.toLowerCase())
    const { required = false, schema } = resolved(reference)
    const value = headers.get(name)
    if (value === null) {
      if (required) faults.push(`the header ${name} is missing`)
      continue
    }
    const typed = schema.type === 'integer' ? Number(value) : value
    for (const each of schemaFaults(schema, typed)) faults.push(`the header ${name} is ${value}: ${each}`)
  }
  for (const name of headers.keys())
    if (!declared.has(name) && !general.has(name)) faults.push(`the header ${name} is not described`)
  return faults
}
