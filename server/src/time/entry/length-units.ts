import type { Operation } from '../../kernel/operation.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { maxMinutes } from '../time-entry.ts'

/** Other units for the length of a time entry, in requests only. */
export const lengthUnits = {
  minutes: {
    type: 'integer',
    minimum: 0,
    maximum: maxMinutes,
    nullable: true,
    description: 'The length in minutes, instead of `seconds`.',
  },
  hours: {
    type: 'number',
    minimum: 0,
    maximum: maxMinutes / 60,
    nullable: true,
    description: 'The length in hours, instead of `seconds`: 1.5 is 5400 seconds.',
  },
} as const satisfies Record<string, Schema>

/** The operation with these units in its body. */
export function withLengthUnits(write: Operation, schema: Schema, ignored: readonly string[]): Operation {
  const taken = { ...schema, properties: { ...schema.properties, ...lengthUnits } }
  return write.body ? { ...write, body: { ...write.body, schema: taken, read: reader(taken, { ignored }) } } : write
}
