import { type Static, Type } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { bodyOf, operation, type Routes } from '../../kernel/operation.ts'
import { refuseUnknown } from '../../kernel/record/references.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { Ref, Refs } from '../../kernel/schema/values.ts'
import { Code } from '../../records/code-table.ts'
import { invoices } from '../invoice/invoice-record.ts'
import { draftInvoice, skippedTimes, skipReasons } from './draft-invoice.ts'
import { lineGroups } from './line-groups.ts'
import type { DraftRequest } from './time-to-bill.ts'

export type { InvoicedTime } from './invoiced-time.ts'
export { type DraftRequest, skippedTimes }

/** The permission to make drafts. */
export const draftingInvoices = invoices.permissions.create

/** Makes the address part that lists the entries which a draft has skipped, by reason; undefined if the request is too long for one. */
export type SkippedDrill = (ctx: Context, request: DraftRequest) => ((reason: string) => string) | undefined

const Day = Type.Unsafe<string>({ type: 'string', format: 'date', maxLength: 10 })
const body = Type.Object(
  {
    crmId: Ref('Crm', { minLength: 1 }),
    from: Type.Optional(Type.Unsafe<string | null>({ ...Day, nullable: true })),
    to: Day,
    containerIds: Type.Optional(Refs('Container', 1000)),
    groupBy: Code(lineGroups, {
      minimum: 0,
      maximum: 5,
      description:
        'What makes a line: 0 item · 1 container · 2 container and job role · 3 user · 4 entry · 5 day; always also the price.',
    }),
  },
  { additionalProperties: false },
)

/** The body of a request for a draft. */
export const draftBody = bodyOf(body, {
  crmId: '01890000-0000-7000-8000-000000000000',
  to: '2026-04-30',
  groupBy: 2,
})

const schema: Schema = {
  ...invoices.schema,
  title: 'InvoiceDraft',
  properties: {
    ...invoices.schema.properties,
    skipped: {
      type: 'array',
      description: 'The billable time that is not on the draft; `GET /api/insight/drill/{drill}` lists it.',
      items: {
        type: 'object',
        properties: {
          reason: { type: 'string', enum: [...skipReasons] },
          count: { type: 'integer' },
          drill: { type: ['string', 'null'] },
        },
        required: ['reason', 'count', 'drill'],
      },
    },
  },
  required: [...(invoices.schema.required ?? []), 'skipped'],
}

/** The operation that makes an invoice of booked time. */
export function billingRoutes(skippedDrill: SkippedDrill): Routes {
  const draft = operation<Static<typeof body>>({
    permission: draftingInvoices,
    mode: 'write',
    summary: 'Draft an invoice from booked time',
    description:
      'Takes the billable time of a customer up to a day that is on no document, and the fees of its contracts for the periods that begin until then. Time is rounded by the policy of its container, customer or tenant; what a contract covers costs nothing, and what is beyond it is charged by its terms. Time that is a draft, not approved where a calendar asks for it, without a price or in another currency is left out (`skipped`). The taken time cannot change (`time-locked`) until the draft is cancelled or deleted. 422 `nothing-to-bill` if there would be no line.',
    body: draftBody,
    reply: { status: 201, schema, description: 'The draft, and what it leaves out.' },
    refusals: [409, 422],
    async run(ctx, { body: given, path }) {
      const request = await readRequest(ctx, given)
      const { invoice, skipped } = await draftInvoice(ctx, request)
      const drill = skippedDrill(ctx, request)
      const left = [...skipped].map(([reason, ids]) => ({
        reason,
        count: ids.length,
        drill: drill?.(reason) ?? null,
      }))
      const location = `${path.slice(0, path.lastIndexOf('/'))}/${invoice.id}`
      return { body: { ...invoice, skipped: left }, version: invoice.version, headers: { location } }
    },
  })
  return { 'POST /finance/invoice/draft': draft }
}

async function readRequest(ctx: Context, given: Static<typeof body>): Promise<DraftRequest> {
  const { crmId, from, to, containerIds, groupBy } = given
  if (from && to < from) throw new Invalid([fault(['to'], 'range', 'must not be before from', to)])
  const containers = (containerIds ?? []).map((id: Id, i) => ({ entity: 'Container', id, path: ['containerIds', i] }))
  await refuseUnknown(ctx, [{ entity: 'Crm', id: crmId, path: ['crmId'] }, ...containers])
  return {
    crmId: crmId.toLowerCase(),
    to,
    groupBy,
    ...(from ? { from } : {}),
    ...(containerIds ? { containerIds: containerIds.map(each => each.toLowerCase()) } : {}),
  }
}
