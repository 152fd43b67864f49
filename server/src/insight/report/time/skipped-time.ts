import { draftBody, draftingInvoices, type SkippedDrill, skippedTimes } from '../../../finance/billing/billing.ts'
import { sql } from '../../../kernel/sql.ts'
import { sources } from '../../query/source.ts'
import type { Drilled } from '../drill.ts'
import { drillTokens } from '../drill-token.ts'

const name = 'invoice-draft'

/** The billable time that the draft of an invoice left out, by the reason. */
export const skippedTime: Drilled = {
  name,
  permission: draftingInvoices,
  source: sources.Time,
  operation: {},
  async records(ctx, body, reason) {
    const ids = await skippedTimes(ctx, draftBody.read(body), reason)
    return sql`t.id = any(${ids}::uuid[])`
  },
}

export const skippedDrill: SkippedDrill = (ctx, request) => drillTokens(ctx, { of: name, body: request })
