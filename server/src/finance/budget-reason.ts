import { Type } from 'typebox'
import { create, get, list, remove, restore, update } from '../kernel/crud.ts'
import type { Routes } from '../kernel/operation.ts'
import { resource } from '../kernel/resource.ts'
import { Name, Text } from '../kernel/schema/values.ts'
import { Code, codesOf, codeTable, isKnownCode } from '../records/code-table.ts'
import { history } from '../records/history/history.ts'

const kinds = {
  initial: [0, 'Initial budget'],
  changeRequest: [1, 'Change request'],
  overrun: [2, 'Overrun'],
  writeOff: [3, 'Write-off'],
  transfer: [4, 'Transfer'],
  correction: [5, 'Correction'],
} as const

/** The codes of `kind` of a budget reason. */
export const budgetReasonKind = codesOf(kinds)
export const budgetReasonKinds = codeTable('budgetReason.kind', kinds)

const shape = {
  code: Text(60),
  name: Name(200),
  description: Text(2000),
  kind: Code(budgetReasonKinds),
  requiresApproval: Type.Boolean(),
  active: Type.Boolean({ default: true }),
}

/** Why a budget changes. */
export const budgetReasons = resource('BudgetReason', {
  about:
    'Why a budget changes. A change with a reason that `requiresApproval` counts after somebody else has approved it.',
  shape,
  findings: ({ kind }) =>
    isKnownCode(budgetReasonKinds, kind)
      ? []
      : [{ path: '/kind', code: 'unknown-code', message: 'is not a known kind' }],
})

export const routes: Routes = {
  'GET /finance/budget-reason': list(budgetReasons),
  'POST /finance/budget-reason': create(budgetReasons),
  'PUT /finance/budget-reason': update(budgetReasons),
  'GET /finance/budget-reason/:id': get(budgetReasons),
  'PUT /finance/budget-reason/:id': update(budgetReasons),
  'PATCH /finance/budget-reason/:id': update(budgetReasons),
  'DELETE /finance/budget-reason/:id': remove(budgetReasons),
  'POST /finance/budget-reason/:id/restore': restore(budgetReasons),
  'GET /finance/budget-reason/:id/history': history(budgetReasons),
}
