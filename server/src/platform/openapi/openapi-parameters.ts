import { dryRunQuery } from '../../kernel/http/query.ts'
import type { Operation } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'

export function pathParameters(path: string): unknown[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

export function queryParameters(query: Record<string, Schema>): unknown[] {
  return Object.entries(query).map(([name, { description, 'x-required': required, ...schema }]) => ({
    name,
    in: 'query',
    required: required === true,
    ...(description ? { description } : {}),
    schema,
  }))
}

/** The parameters that all writes have. */
export function writeParameters(method: string, path: string, { mode, mustMatch = false }: Operation): unknown[] {
  const header = (name: string, description: string, required = false) => ({
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string' },
  })
  if (mode === 'read') return []
  return [
    ...queryParameters({ dryRun: dryRunQuery }),
    ...(method === 'POST'
      ? [
          header(
            'Idempotency-Key',
            'A repeated request with the same key and body has no second effect and gets the first reply again.',
          ),
        ]
      : []),
    ...(/^(PUT|PATCH|DELETE)$/.test(method) && path !== ''
      ? [header('If-Match', 'The ETag with which the record was read; 412 if the record has changed since.', mustMatch)]
      : []),
  ]
}
