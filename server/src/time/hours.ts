import type { Operation } from '../kernel/operation.ts'
import { reader, type Schema } from '../kernel/schema/shape.ts'
import { maxMinutes } from './time-entry.ts'

const hours: Schema = {
  type: 'number',
  minimum: 0,
  maximum: maxMinutes / 60,
  nullable: true,
  description: 'The length in hours, instead of `minutes`: 1.5 is 90 minutes.',
}

/** The operation with `hours` in its body: another unit for the length, in requests only. */
export function withHours(write: Operation, schema: Schema, ignored: readonly string[]): Operation {
  const taken = { ...schema, properties: { ...schema.properties, hours } }
  return write.body ? { ...write, body: { ...write.body, schema: taken, read: reader(taken, { ignored }) } } : write
}
