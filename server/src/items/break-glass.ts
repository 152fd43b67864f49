import { accessControls } from '../admin/access-control/access-control.ts'
import { withSystemAuthority } from '../identity/tenant-caller.ts'
import { permission, roleCode, superAdmins } from '../kernel/access.ts'
import { appendEvents } from '../kernel/events.ts'
import { isId } from '../kernel/id.ts'
import { operation, type Routes } from '../kernel/operation.ts'
import { NotFound, RuleBroken } from '../kernel/refusal.ts'
import { reader, type Schema } from '../kernel/schema/shape.ts'
import { Part, Text } from '../kernel/schema/values.ts'
import { ownerKind } from '../records/references/owner.ts'
import { items } from './item/item.ts'

/** How long emergency access lasts, in milliseconds. */
const hour = 3_600_000

const reasonSchema = Part({ reason: Text(1000, { minLength: 5 }) }, ['reason'])

const answerSchema: Schema = {
  type: 'object',
  title: 'BrokenGlass',
  properties: {
    accessControlId: { type: 'string', description: 'The id of the grant on the item, which expires.' },
    expiresAt: { type: 'string', format: 'date-time' },
    reason: { type: 'string' },
  },
  required: ['accessControlId', 'expiresAt', 'reason'],
}

/**
 * Gives a super admin temporary access to a confidential item, which is hidden from super admins, too. The reason is
 * recorded in the history of the item, where everybody who sees the item can read it.
 */
const breakGlass = operation<{ reason: string }>({
  permission: permission('item.breakGlass', superAdmins),
  mode: 'write',
  summary: 'Get emergency access to a confidential item',
  description:
    'Grants the caller, a super admin, access to a confidential item (`visibility` 2) for one hour. The reason is recorded in the history of the item and in the grant.',
  body: {
    schema: reasonSchema,
    read: reader<{ reason: string }>(reasonSchema),
    example: { reason: 'The assignee has left the company, and the customer is waiting' },
  },
  reply: { status: 200, schema: answerSchema, description: 'The grant and its expiry.' },
  refusals: [404, 422],
  async run(ctx, { params, body }) {
    const id = params.id ?? ''
    const whole = withSystemAuthority(ctx)
    const item = isId(id) ? await items.get(whole, id.toLowerCase()) : undefined
    if (!item) throw new NotFound()
    if (await items.find(ctx, item.id)) throw new RuleBroken('nothing-to-break', 'the caller can already see this item')
    const grant = await accessControls.create(whole, {
      userId: ctx.caller.userId,
      owner: ownerKind.item,
      ownerId: item.id,
      role: roleCode.readOnly,
      expiresAt: new Date(ctx.now.getTime() + hour).toISOString(),
      reason: body.reason,
    })
    await appendEvents(ctx, [
      { kind: 'item.glassBroken', entity: 'Item', recordId: item.id, changes: { glassBroken: { to: body.reason } } },
    ])
    return { body: { accessControlId: grant.id, expiresAt: grant.expiresAt, reason: grant.reason } }
  },
})

export const routes: Routes = { 'POST /item/:id/break-glass': breakGlass }
