import { type Undoer, undoRecords } from '../../engine/undo/undo.ts'
import type { Context } from '../../kernel/context.ts'
import { create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Id } from '../../kernel/id.ts'
import type { Routes } from '../../kernel/operation.ts'
import type { Expect } from '../../kernel/record/record.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import { history } from '../../records/history/history.ts'
import { release } from '../billing/invoice-entries.ts'
import { creditRoutes } from './credit-invoice.ts'
import { changeInvoice, createInvoice } from './invoice-draft.ts'
import { exportRoutes } from './invoice-export.ts'
import { type Invoice, invoiceKind, invoiceState, invoices, issuedRefusal, lineSource } from './invoice-record.ts'
import { verbs } from './invoice-verbs.ts'

export { invoiceKind, invoiceState, invoices }

async function removeInvoice(ctx: Context, id: Id, more: { expect?: Expect }): Promise<Invoice> {
  const { state } = await invoices.get(ctx, id, { lock: true })
  if (state === invoiceState.issued) throw issuedRefusal()
  const removed = await invoices.remove(ctx, id, more)
  await release(ctx, removed)
  return removed
}

async function restoreInvoice(ctx: Context, id: Id): Promise<Invoice> {
  refuseReleased(await invoices.get(ctx, id, { deleted: true }))
  return await invoices.restore(ctx, id)
}

/** The time of a deleted document may be on another one by now. */
function refuseReleased({ deleted, lines }: Invoice): void {
  if (deleted && lines.some(each => each.source !== lineSource.free))
    throw new RuleBroken('entries-released', 'the time of the document was given back: make a new draft')
}

/** Nothing of a change set is undone that issued a document, or that wrote one which is issued by now. */
export const undoInvoices: Undoer = async (ctx, given, undo) => {
  for (const { recordId, created, deleted } of given) {
    const invoice = await invoices.find(ctx, recordId, { deleted: true, lock: true })
    if (invoice?.state === invoiceState.issued) throw issuedRefusal()
    if (!invoice) continue
    if (deleted) refuseReleased(invoice)
    // The time on it names the document, and would keep it from being taken back.
    if (created) await release(ctx, invoice)
  }
  return await undoRecords(ctx, given, undo)
}

export const routes: Routes = {
  'GET /finance/invoice': list(invoices),
  'POST /finance/invoice': create(invoices, createInvoice),
  'PUT /finance/invoice': update(invoices, changeInvoice),
  'GET /finance/invoice/:id': get(invoices),
  'PUT /finance/invoice/:id': update(invoices, changeInvoice),
  'PATCH /finance/invoice/:id': update(invoices, changeInvoice),
  'DELETE /finance/invoice/:id': remove(invoices, removeInvoice),
  'POST /finance/invoice/:id/restore': restore(invoices, restoreInvoice),
  'GET /finance/invoice/:id/history': history(invoices),
  ...verbs,
  ...creditRoutes,
  ...exportRoutes,
}
