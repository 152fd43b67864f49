import type { Answer } from '../answer.ts'
import { schemaFaults } from './schema-faults.ts'

const members = ['type', 'title', 'status', 'detail', 'instance', 'code', 'traceId', 'Fields']
const problem = { $ref: '#/components/schemas/Problem' }

/** Lists what is wrong with a problem document, whoever sends it. */
export function problemFaults({ status, body, headers }: Answer): string[] {
  const faults: string[] = []
  if (!/^application\/problem\+json\b/.test(headers.get('content-type') ?? ''))
    faults.push('the content type is not problem+json')
  if (body === null || typeof body !== 'object') return [...faults, 'the problem is not an object']
  for (const each of members) if (!(each in body)) faults.push(`the problem has no ${each}`)
  if (body.status !== status) faults.push('the problem tells another status')
  faults.push(...schemaFaults(problem, body))
  for (const each of Array.isArray(body.Fields) ? body.Fields : []) {
    if (typeof each.Pointer === 'string' && !/^(\/([^~]|~[01])*)*$/s.test(each.Pointer))
      faults.push(`${each.Pointer} is no pointer`)
    if (each.Code === '' || each.Message === '') faults.push('an entry of Fields says nothing')
  }
  return faults
}
