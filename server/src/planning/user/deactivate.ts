import { users } from '../../admin/user/user.ts'
import { deactivate } from '../../admin/user-leaving.ts'
import { changeItems, type ItemChangeResult } from '../../items/change/change.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import { refuseUnknown } from '../../kernel/record/references.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { raw } from '../../kernel/sql.ts'
import { openItemsOf } from './assignments.ts'

const maxItems = 5000
const maxReported = 100

const schema: Schema = {
  type: 'object',
  properties: {
    reassignTo: {
      type: 'string',
      nullable: true,
      maxLength: 36,
      'x-ref': 'User',
      description: 'The user who gets the open items; without it they stay assigned.',
    },
  },
  additionalProperties: false,
}

/** Deactivates a user and reassigns their open items, both or neither. */
export const deactivateUser = operation<{ reassignTo?: Id | null }>({
  permission: users.permissions.update,
  mode: 'write',
  summary: 'Deactivate a user',
  description: `The user can no longer sign in: sessions end at once, and their API keys are deleted for good. Their name stays on their work. With \`reassignTo\` another user replaces them in the open items that are assigned to them, at most ${maxItems}, in the same change set. Each change is validated; if one is refused, nothing is changed, and \`refused\` lists the refused items (422 \`reassignment-refused\`).`,
  body: { schema, read: reader(schema), example: { reassignTo: null } },
  reply: {
    status: 200,
    schema: {
      type: 'object',
      title: 'Deactivated',
      properties: {
        user: users.schema,
        reassigned: { type: 'integer', description: 'The number of reassigned items.' },
        openAssignments: {
          type: 'integer',
          description: 'The number of open items that are still assigned to the user.',
        },
      },
      required: ['user', 'reassigned', 'openAssignments'],
    },
    description: 'The user after the change, and the numbers of their open items.',
    headers: ['ETag'],
  },
  refusals: [404, 422],
  async run(ctx, { params, body }) {
    const { id } = await users.get(ctx, params.id ?? '', { lock: true })
    const successor = body.reassignTo ? await successorOf(ctx, id, body.reassignTo.toLowerCase()) : undefined
    const open = await openWork(ctx, id)
    if (successor) await reassign(ctx, open, id, successor)
    const user = await deactivate(ctx, id)
    return {
      body: {
        user,
        reassigned: successor ? open.length : 0,
        openAssignments: successor ? 0 : open.length,
      },
      version: user.version,
    }
  },
})

async function successorOf(ctx: Context, leaving: Id, id: Id): Promise<Id> {
  if (id === leaving) throw new Invalid([fault(['reassignTo'], 'same', 'must not be the user themselves', id)])
  await refuseUnknown(ctx, [{ entity: 'User', id, path: ['reassignTo'] }])
  const { active } = await users.get(ctx, id)
  if (active) return id
  const message = 'the successor must be active'
  throw new RuleBroken('inactive', message, [fault(['reassignTo'], 'inactive', message, id)])
}

interface Work {
  id: Id
  key: string
  assignees: Id[]
}

async function openWork(ctx: Context, userId: Id): Promise<Work[]> {
  return await ctx.sql<Work>`select t.id, t.key, t.assignees from item t
    where t.tenant_id = ${ctx.caller.tenantId} and not t.deleted and ${openItemsOf(userId, raw('t'))} order by t.id`
}

async function reassign(ctx: Context, open: readonly Work[], from: Id, to: Id): Promise<void> {
  if (open.length > maxItems)
    throw new RuleBroken(
      'too-many-items',
      `at most ${maxItems} items can be reassigned at once; reassign some of them first`,
    )
  const wanted = open.map(({ id, assignees }) => ({
    id,
    read: { patch: { assignees: [...new Set(assignees.map(each => (each === from ? to : each)))] }, warnings: [] },
  }))
  const refused = (await changeItems(ctx, wanted)).filter(each => each.refusal !== undefined)
  if (refused.length === 0) return
  const keys = new Map(open.map(({ id, key }) => [id, key]))
  throw new RuleBroken(
    'reassignment-refused',
    `${refused.length} of ${open.length} items cannot be reassigned; nothing was changed`,
    [],
    { refused: refused.slice(0, maxReported).map(each => outcomeOf(each, keys)) },
  )
}

/** The key is left out for an item that the caller may not see. */
function outcomeOf({ id, refusal }: ItemChangeResult, keys: ReadonlyMap<Id, string>): object {
  const seen = refusal?.status !== 404
  return {
    id,
    ...(seen ? { key: keys.get(id) } : {}),
    code: refusal?.code,
    detail: refusal?.message,
    Fields: refusal?.faults,
  }
}
