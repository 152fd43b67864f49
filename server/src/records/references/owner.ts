import type { Context } from '../../kernel/context.ts'
import { isId } from '../../kernel/id.ts'
import { allKinds } from '../../kernel/kinds.ts'
import { refuseUnknown } from '../../kernel/record/references.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { codeTableOfCodes } from '../code-table.ts'

/** The kinds that an `owner` code means: the code is the index in this list. Append only. */
export const ownerKinds = [
  'Tenant',
  'Container',
  'Area',
  'Item',
  'User',
  'UserGroup',
  'Crm',
  'Process',
  'Board',
  'Cycle',
  'Document',
  'Folder',
  'Plan',
  'Mailbox',
  'Sku',
  'Annotation',
  'ContainerFilter',
  'ChatRoom',
  'CostCenter',
] as const

/** The same codes by name. */
export const ownerKind = {
  tenant: 0,
  container: 1,
  area: 2,
  item: 3,
  user: 4,
  userGroup: 5,
  crm: 6,
  process: 7,
  board: 8,
  cycle: 9,
  document: 10,
  folder: 11,
  plan: 12,
  mailbox: 13,
  sku: 14,
  annotation: 15,
  containerFilter: 16,
  chatRoom: 17,
  costCenter: 18,
} as const satisfies Record<Uncapitalize<(typeof ownerKinds)[number]>, number>

export const owners = codeTableOfCodes('owner', ownerKind)

export interface Owned {
  owner: number
  ownerId: string
}

/**
 * Refuses an owner that does not exist for this caller. An unknown code is stored unchanged, and so is the code of a kind that
 * does not exist yet; an owner that the stored record already has is not checked again.
 */
export async function refuseUnknownOwner(
  ctx: Context,
  { owner, ownerId }: Owned,
  before?: Owned,
  path: readonly (string | number)[] = [],
): Promise<void> {
  if (before && before.owner === owner && before.ownerId === ownerId) return
  const entity = ownerKinds[owner]
  const at = [...path, 'ownerId']
  if (owner === 0) {
    if (ownerId === '' || ownerId.toLowerCase() === ctx.caller.tenantId) return
    throw new RuleBroken('unknown-reference', 'the record refers to something that does not exist', [
      fault(at, 'unknown-reference', 'must be empty or the id of the tenant', ownerId),
    ])
  }
  if (!entity || !allKinds().some(each => each.entity === entity)) return
  await refuseUnknown(ctx, [{ entity, id: isId(ownerId) ? ownerId.toLowerCase() : ownerId, path: at }])
}
