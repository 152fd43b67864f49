import { dryRunQuery } from '../../kernel/http/query.ts'
import type { Operation } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { hasVersion } from './openapi-headers.ts'
import { codesText } from './openapi-schema.ts'

export function pathParameters(path: string, params: Operation['params'] = {}): unknown[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(params[name] ? { description: params[name] } : {}),
    schema: { type: 'string' },
  }))
}

export function queryParameters(query: Record<string, Schema>): unknown[] {
  return Object.entries(query).map(([name, given]) => {
    const { 'x-required': required, 'x-codes': codes, 'x-read': _, ...schema } = given
    const { description = codes && codesText(codes), ...rest } = schema
    return { name, in: 'query', required: required === true, ...(description ? { description } : {}), schema: rest }
  })
}

/** The headers of the request that the operation itself reads. */
export function headerParameters(headers: Readonly<Record<string, Schema>> = {}): unknown[] {
  return Object.entries(headers).map(([name, { description, 'x-required': required, ...schema }]) => ({
    name,
    in: 'header',
    required: required === true,
    ...(description ? { description } : {}),
    schema,
  }))
}

/** The parameters that all writes have, and those of reads of one record. */
export function commonParameters(method: string, path: string, operation: Operation): unknown[] {
  const { mode, mustMatch = false } = operation
  const header = (name: string, description: string, required = false) => ({
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string' },
  })
  const names = '`codes=names`: the reply has the names of codes instead of integers.'
  if (mode === 'read')
    return [
      header('Prefer', names),
      ...(method === 'GET' && hasVersion(operation)
        ? [header('If-None-Match', 'The ETag with which the record was read; 304 if it has not changed since.')]
        : []),
    ]
  return [
    ...queryParameters({ dryRun: dryRunQuery }),
    header(
      'Prefer',
      `\`return=minimal\`: without a body in the reply. \`handling=strict\`: refuses what would be kept without effect. ${names}`,
    ),
    ...(method === 'POST'
      ? [
          header(
            'Idempotency-Key',
            'A repeated request with the same key and body has no second effect and gets the first reply again.',
          ),
        ]
      : []),
    ...(/^(PUT|PATCH|DELETE)$/.test(method) && path !== '' && !operation.form
      ? [header('If-Match', 'The ETag with which the record was read; 412 if the record has changed since.', mustMatch)]
      : []),
  ]
}
