import type { Operation } from '../../kernel/operation.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { maxMinutes } from '../time-entry.ts'

/** Other units for the length of a time entry, in requests only. */
const lengthUnits = {
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

const warnings: Schema = {
  type: 'array',
  items: { type: 'string' },
  description: 'What is unusual about the entry, such as an end on another day; present if there is something.',
}

/** The schema of the body of a time entry, with other units of its length. */
function withLengthUnits(schema: Schema): Schema {
  return { ...schema, properties: { ...schema.properties, ...lengthUnits } }
}

/** The operation with these units in its body, and warnings in its reply. */
export function ofEntry(write: Operation, schema: Schema, ignored: readonly string[]): Operation {
  if (!write.body) return write
  const taken = withLengthUnits(schema)
  const shown = write.reply.schema
  return {
    ...write,
    body: { ...write.body, schema: taken, read: reader(taken, { ignored: [...ignored, 'warnings'] }) },
    reply: { ...write.reply, schema: { ...shown, properties: { ...shown?.properties, warnings } } },
  }
}
