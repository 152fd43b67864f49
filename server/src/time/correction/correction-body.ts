import { type Static, Type } from 'typebox'
import { Count, LongText, Ref } from '../../kernel/schema/values.ts'
import { Code } from '../../records/code-table.ts'
import { maxMinutes, maxSeconds } from '../time-entry.ts'
import { billables } from '../time-state.ts'

/** What is wrong about an entry, and what is right. */
export const correctionBody = Type.Object(
  {
    reason: Type.String({ minLength: 1, maxLength: 2000, pattern: '\\S' }),
    seconds: Type.Optional(Count(maxSeconds, 0, { description: 'The right length; 0 withdraws the entry.' })),
    minutes: Type.Optional(Count(maxMinutes)),
    hours: Type.Optional(Type.Number({ minimum: 0, maximum: maxMinutes / 60 })),
    itemId: Type.Optional(Ref('Item')),
    nonBillable: Type.Optional(Ref('NonBillable')),
    billable: Type.Optional(Code(billables)),
    note: Type.Optional(LongText(10_000)),
  },
  { additionalProperties: false },
)

export type CorrectionInput = Static<typeof correctionBody>
