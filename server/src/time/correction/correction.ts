import { bodyOf, operation, type Routes } from '../../kernel/operation.ts'
import { othersTime } from '../permissions.ts'
import { times } from '../time.ts'
import { correctTime } from './correct-time.ts'
import { type CorrectionInput, correctionBody } from './correction-body.ts'

const correct = operation<CorrectionInput>({
  permission: othersTime,
  placed: true,
  mode: 'write',
  summary: 'Correct a closed Time',
  description:
    'For entries that are approved, invoiced, locked or on a closed day. Books a counter-entry with the rates of the original and, unless the length is 0, a replacement with what the body changes, priced by the day of the original. Both are booked on the user’s today and have the `effectiveDate` of the original, and the first entry of the chain as `correctsId`. A corrected entry is corrected again from the last one of its chain (409 `already-corrected`). Undoing the change set takes both back.',
  body: bodyOf(correctionBody, { reason: 'Booked on the wrong day', seconds: 7800 }),
  reply: {
    status: 201,
    schema: {
      type: 'object',
      title: 'CorrectionEntries',
      properties: { entries: { type: 'array', items: times.schema } },
      required: ['entries'],
    },
    description: 'The counter-entry, and the replacement unless the entry is withdrawn.',
  },
  refusals: [404, 409, 422],
  async run(ctx, { params, body: input }) {
    return { body: { entries: await correctTime(ctx, params.id ?? '', input) } }
  },
})

export const routes: Routes = { 'POST /time/:id/correct': correct }
