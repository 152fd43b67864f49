import { Type } from 'typebox'
import { isStaff } from '../../admin/user/user.ts'
import { assignPolicies } from '../../admin/user-group/user-group.ts'
import { items } from '../../items/item/item.ts'
import type { Caller } from '../../kernel/access.ts'
import { bodyOf, operation, type Routes } from '../../kernel/operation.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { Count, Ref, Texts } from '../../kernel/schema/values.ts'
import { Code, isKnownCode } from '../../records/code-table.ts'
import { getTicket } from '../ticket/read-ticket.ts'
import { withWarnings } from '../ticket/ticket-action-operations.ts'
import { assignNext } from './assign-next.ts'
import type { Assignment } from './assignment.ts'
import { unestimatedMinutes } from './candidates.ts'

/** The maximum of candidates that an answer lists. */
const maxShown = 50

const candidateSchema: Schema = {
  type: 'object',
  properties: {
    userId: { type: 'string' },
    openItems: { type: 'integer', description: 'The open items of the user in all containers, without this one.' },
    openMinutes: {
      type: 'integer',
      description: `The minutes that are left of them: \`remainingMinutes\`, else \`estimateMinutes\`, else ${unestimatedMinutes}.`,
    },
    turn: { type: 'integer', description: 'The number of the last turn before this one; 0 if there was none.' },
    offShift: { type: 'boolean', description: 'Whether it is outside of the working hours of the user.' },
    passedOver: {
      type: 'string',
      nullable: true,
      enum: ['absent', 'skills', 'maxOpen', 'offShift', null],
      description: 'Why the user could not be chosen; null if they could.',
    },
  },
  required: ['userId', 'openItems', 'openMinutes', 'turn', 'offShift', 'passedOver'],
}

const assignmentSchema: Schema = {
  type: 'object',
  title: 'Assignment',
  description: 'Who was chosen, and why.',
  properties: {
    groupId: { type: 'string' },
    userId: { type: 'string' },
    policy: Code(assignPolicies, { description: 'The policy that decided.' }),
    reason: { type: 'string', description: 'The choice in words, without names.' },
    candidates: {
      type: 'array',
      items: candidateSchema,
      description: `The members in the order of preference, at most ${maxShown}; only for staff of the tenant, who see absences.`,
    },
  },
  required: ['groupId', 'userId', 'policy', 'reason', 'candidates'],
}

const body = Type.Object(
  {
    groupId: Type.Optional(Ref('UserGroup')),
    policy: Type.Optional(Code(assignPolicies, { description: 'Instead of the `assignPolicy` of the group.' })),
    skills: Type.Optional(Texts(20, 100)),
    maxOpen: Type.Optional(
      Count(1_000_000, 1, { description: 'Members who have so many open items or more are passed over.' }),
    ),
  },
  { additionalProperties: false },
)

const assign = operation({
  permission: items.permissions.update,
  placed: true,
  mode: 'write',
  summary: 'Assign to the next member of a group',
  description:
    'Assigns the ticket to a member of the given group, or of the group whose queue holds the ticket. Passed over are members who are on approved leave, lack one of `skills` or have `maxOpen` open items, and those outside of their working hours unless nobody else is available. Of the others the policy selects one: 2 fewest open items, 3 fewest minutes left, both in all containers; 4 in turn and never off shift; any other in turn. `assignment` explains the choice. 422 `nobody-there` if everybody is passed over, 422 `no-queue` without a group.',
  body: bodyOf(body, { groupId: '01890000-0000-7000-8000-000000000000', skills: ['network'], maxOpen: 20 }),
  reply: {
    status: 200,
    schema: { ...withWarnings, properties: { ...withWarnings.properties, assignment: assignmentSchema } },
    description: 'The ticket as it is now, with the choice.',
  },
  refusals: [404, 422],
  async run(ctx, { params, body: { groupId, ...terms } }) {
    const { policy } = terms
    if (policy !== undefined && !isKnownCode(assignPolicies, policy))
      throw new Invalid([fault(['policy'], 'enum', 'is no code of assignPolicy', policy)])
    const assignment = await assignNext(ctx, params.id ?? '', groupId, terms)
    const ticket = await getTicket(ctx, params.id ?? '', { anywhere: true })
    return {
      body: { ...ticket, warnings: [], assignment: shownTo(ctx.caller, assignment) },
      version: ticket.version,
    }
  },
})

/** Load and absences of people are for staff of the tenant. */
function shownTo(caller: Caller, { candidates, ...assignment }: Assignment) {
  return { ...assignment, candidates: isStaff(caller) ? candidates.slice(0, maxShown) : [] }
}

export const routes: Routes = { 'POST /ticket/:id/assign-next': assign }
