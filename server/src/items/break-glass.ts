import { accessControls } from '../admin/access-control/access-control.ts'
import { permission, superAdmins } from '../kernel/access.ts'
import { withSystemAuthority } from '../kernel/context.ts'
import { appendEvents } from '../kernel/events.ts'
import { isId } from '../kernel/id.ts'
import { operation, type Routes } from '../kernel/operation.ts'
import { NotFound, RuleBroken } from '../kernel/refusal.ts'
import { reader, type Schema } from '../kernel/schema/shape.ts'
import { Part, Text } from '../kernel/schema/values.ts'
import { ownerKind } from '../records/owner.ts'
import { items } from './item/item.ts'

/** How long emergency access lasts, in milliseconds. */
const hour = 3_600_000
const viewer = 1

const reasonSchema = Part({ reason: Text(1000, { minLength: 5 }) }, ['reason'])

const answerSchema: Schema = {
  type: 'object',
  title: 'BrokenGlass',
  properties: {
    accessControlId: { type: 'string', description: 'The grant on the item, which ends by itself.' },
    expiresAt: { type: 'string', format: 'date-time' },
    reason: { type: 'string' },
  },
  required: ['accessControlId', 'expiresAt', 'reason'],
}

/**
 * What is confidential is kept from super admins, too. When it must be seen all the same, one of them lets themselves in,
 * says why, and it is written where everybody who sees the item sees it.
 */
const breakGlass = operation<{ reason: string }>({
  permission: permission('item.breakGlass', superAdmins),
  mode: 'write',
  summary: 'Break the glass of a confidential item',
  description:
    'Lets the caller, a super admin, see a confidential item (`visibility` 2) for an hour. The reason is kept in the history of the item and in the grant that is made for it.',
  body: {
    schema: reasonSchema,
    read: reader<{ reason: string }>(reasonSchema),
    example: { reason: 'The owner has left, and the customer waits' },
  },
  reply: { status: 200, schema: answerSchema, description: 'What was granted, and until when.' },
  refusals: [404, 422],
  async run(ctx, { params, body }) {
    const id = params.id ?? ''
    const whole = withSystemAuthority(ctx)
    const item = isId(id) ? await items.get(whole, id.toLowerCase()) : undefined
    if (!item) throw new NotFound()
    if (await items.find(ctx, item.id)) throw new RuleBroken('nothing-to-break', 'the caller sees this item already')
    const grant = await accessControls.create(whole, {
      userId: ctx.caller.userId,
      owner: ownerKind.item,
      ownerId: item.id,
      role: viewer,
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
