import { type Undoer, undoRecords } from '../../engine/undo/undo.ts'
import type { Context } from '../../kernel/context.ts'
import { create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Id } from '../../kernel/id.ts'
import type { Routes } from '../../kernel/operation.ts'
import type { Expect } from '../../kernel/record/record.ts'
import { history } from '../../records/history.ts'
import { creditRoutes } from './credit-invoice.ts'
import { changeInvoice, createInvoice } from './invoice-draft.ts'
import { exportRoutes } from './invoice-export.ts'
import { type Invoice, invoiceState, invoices, issuedRefusal } from './invoice-record.ts'
import { verbs } from './invoice-verbs.ts'

async function removeInvoice(ctx: Context, id: Id, more: { expect?: Expect }): Promise<Invoice> {
  const { state } = await invoices.get(ctx, id, { lock: true })
  if (state === invoiceState.issued) throw issuedRefusal()
  return await invoices.remove(ctx, id, more)
}

/** Nothing of a change set is undone that issued a document, or that wrote one which is issued by now. */
export const undoInvoices: Undoer = async (ctx, given, undo) => {
  for (const { recordId } of given)
    if ((await invoices.find(ctx, recordId, { deleted: true, lock: true }))?.state === invoiceState.issued)
      throw issuedRefusal()
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
  'POST /finance/invoice/:id/restore': restore(invoices),
  'GET /finance/invoice/:id/history': history(invoices),
  ...verbs,
  ...creditRoutes,
  ...exportRoutes,
}
