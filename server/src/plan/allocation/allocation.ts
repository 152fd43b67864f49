import { Type } from 'typebox'
import { visibleContainers } from '../../identity/visibility.ts'
import { type Caller, managers, members } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { kind } from '../../kernel/kinds.ts'
import type { Finding, Stored, Values } from '../../kernel/record/record.ts'
import { type Fault, fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Count, LocalDate, Ref, Text, Texts } from '../../kernel/schema/values.ts'
import { and, or, ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { rruleFault } from '../../language/recurrence/recurrence.ts'
import { Code, codeTableOfCodes } from '../../records/code-table.ts'
import { isThere } from '../../records/references/is-there.ts'
import { ownerKind, owners, refuseUnknownOwner } from '../../records/references/owner.ts'
import { allocationUnit } from './spread.ts'

/** The codes of `state` of an allocation. A draft plans nothing, a proposal is tentative. */
export const allocationState = { draft: 0, proposed: 1, approved: 2 } as const

/** The longest allocation; a total is spread over all of its days. */
export const maxAllocationDays = 731

const shape = {
  userId: Ref('User'),
  userGroupId: Ref('UserGroup'),
  jobRoleId: Ref('JobRole'),
  skills: Texts(100, 100),
  owner: Code(owners, {
    description: 'What the work is for: 0 nothing in particular · 1 container · 3 item · 6 customer · 9 cycle.',
  }),
  ownerId: Text(36),
  nonBillable: Ref('NonBillable', { description: 'Instead of an owner: work on a non-billable code.' }),
  containerId: Ref('Container', { description: 'The container of the item, of the cycle, or the owner itself.' }),
  from: LocalDate,
  to: LocalDate,
  unit: Code(codeTableOfCodes('plan.unit', allocationUnit), {
    description:
      '0 minutes a day · 1 minutes in total, spread over the days with capacity · 2 percent of the capacity.',
  }),
  amount: Type.Number({ minimum: 0, maximum: 10_000_000 }),
  recurrence: Text(500, { description: 'An RRULE: only the days from `from` to `to` on which it holds are planned.' }),
  tentative: Type.Boolean(),
  probability: Count(100, 0),
  note: Text(2000),
  state: Code(codeTableOfCodes('plan.state', allocationState), {
    default: allocationState.approved,
    description: '0 draft, which plans nothing · 1 proposed, which is tentative · 2 approved.',
  }),
  lockDates: Type.Boolean({ description: 'The dates stay when those of the item move.' }),
  noCapacity: Type.Boolean({ description: 'Nobody can work on these days, so that all of it is on the first one.' }),
}

export type Allocation = Stored<typeof shape>
export type AllocationValues = Values<typeof shape>

/** Work that is planned for a user, a group, or a placeholder. */
export const allocations = resource('Plan', {
  about:
    'Work that is planned for a user, a group, or a placeholder (a job role or skills, until somebody is assigned), on the days from `from` to `to`. It is firm if it is approved and not tentative.',
  shape,
  required: ['from', 'to'],
  serverSet: ['containerId', 'noCapacity'],
  derived: {
    ownerDeleted: {
      schema: Type.Boolean({ description: 'The item that it is for was deleted.' }),
      value: p =>
        sql`case when ${p}.owner = ${ownerKind.item} then coalesce((select i.deleted from item i where i.tenant_id = ${ownTenant} and i.id = ${p}.owner_id::uuid), true) else false end`,
    },
  },
  may: { read: members, create: managers, update: managers, delete: managers },
  place: ({ containerId }) => ({ containerId: containerId || null }),
  visible: visibleAllocations,
  check: checkAllocation,
  findings: findingsOf,
  order: 'from,created',
  example: { skills: ['Welding'], from: '2026-04-01', to: '2026-04-30', unit: allocationUnit.percent, amount: 50 },
})

/** Everybody sees what is planned for them; further what is for containers and items that they see. */
function visibleAllocations(caller: Caller, p: Sql): Sql {
  if (caller.authority.unrestricted) return raw('true')
  const item = raw('planned')
  const ofItem = isThere(
    sql`from item planned where planned.tenant_id = ${ownTenant} and planned.id = ${p}.owner_id::uuid and ${kind('Item').visible(caller, item)}`,
  )
  return or([
    sql`${p}.user_id = ${caller.userId}`,
    and([
      or([sql`${p}.container_id is null`, visibleContainers(caller, sql`${p}.container_id`)]),
      sql`case when ${p}.owner = ${ownerKind.item} then ${ofItem} else true end`,
    ]),
  ])
}

const plannedOwners: readonly number[] = [
  ownerKind.tenant,
  ownerKind.container,
  ownerKind.item,
  ownerKind.crm,
  ownerKind.cycle,
]

/** Refuses an allocation without a subject, or for days or an owner that cannot be. */
export async function checkAllocation(
  ctx: Context,
  plan: AllocationValues,
  before: Allocation | undefined,
): Promise<void> {
  const faults = [...dateFaults(plan), ...ruleFaults(plan)]
  if (faults.length > 0) throw new Invalid(faults)
  const subject = subjectFault(plan)
  if (subject) throw new RuleBroken('plan-subject', subject.Message, [subject])
  if (!plannedOwners.includes(plan.owner)) {
    const message = 'must be 0 nothing in particular, 1 container, 3 item, 6 customer or 9 cycle'
    throw new RuleBroken('plan-owner', `owner ${message}`, [fault(['owner'], 'plan-owner', message, plan.owner)])
  }
  await refuseUnknownOwner(ctx, plan, before)
}

function dateFaults({ from, to }: AllocationValues): Fault[] {
  if (from === null || to === null)
    return Object.entries({ from, to }).flatMap(([property, value]) =>
      value === null ? [fault([property], 'required', 'is required')] : [],
    )
  if (to < from) return [fault(['to'], 'range', 'must not be before from', to)]
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1
  return days > maxAllocationDays
    ? [fault(['to'], 'range', `must be at most ${maxAllocationDays - 1} days after from`, to)]
    : []
}

function ruleFaults({ recurrence }: AllocationValues): Fault[] {
  const wrong = recurrence === '' ? undefined : rruleFault(recurrence)
  return wrong ? [fault(['recurrence'], 'rrule', wrong, recurrence)] : []
}

/** A user or a group; a placeholder has neither, and says what is needed. */
function subjectFault({ userId, userGroupId, jobRoleId, skills }: AllocationValues): Fault | undefined {
  if (userId && userGroupId) return fault(['userGroupId'], 'plan-subject', 'either a user or a group', userGroupId)
  if (userId || userGroupId || jobRoleId || skills.length > 0) return undefined
  return fault(['userId'], 'plan-subject', 'a user, a group, a job role or skills are required')
}

function findingsOf({ unit, noCapacity, ownerDeleted }: Allocation & { ownerDeleted?: boolean }): Finding[] {
  const known = Object.values<number>(allocationUnit).includes(unit)
  return [
    ...(known
      ? []
      : [{ path: '/unit', code: 'unknown-code', message: `${unit} is not a known code; nothing is planned` }]),
    ...(noCapacity
      ? [
          {
            path: '/from',
            code: 'no-capacity',
            message: 'nobody can work on these days; all of it is on the first one',
          },
        ]
      : []),
    ...(ownerDeleted ? [{ path: '/ownerId', code: 'owner-deleted', message: 'the item was deleted' }] : []),
  ]
}
