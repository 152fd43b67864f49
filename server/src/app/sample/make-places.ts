import { tenants } from '../../admin/tenant/tenant.ts'
import { createUser } from '../../admin/user/write-user.ts'
import { createClock } from '../../clocks/clock/clock-change.ts'
import { boards, wipPolicies } from '../../containers/board/board.ts'
import { createContainer } from '../../containers/container/container.ts'
import { containerFilters } from '../../containers/container-filter/container-filter.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { completed } from '../../containers/criteria.ts'
import { itemPriority } from '../../containers/item-property/priority.ts'
import { crms } from '../../finance/crm/crm.ts'
import { userKind } from '../../identity/user-kind.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { type ConditionGroups, operator } from '../../language/conditions/conditions.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { createProcess } from '../../rules/process/process-change.ts'
import type { Language } from '../start-here/start-here-texts.ts'
import { requestOf } from './operation-request.ts'
import { type PlaceName, places, statesOf } from './rows/sample-processes.ts'
import { customer, customers, labelNames, type PersonName, people } from './rows/sample-texts.ts'

/** The records that the items of the sample refer to. */
export interface SampleWorld {
  language: Language
  people: Readonly<Record<PersonName, Id>>
  /** Who loads the sample, and has a share of its work. */
  loaderId: Id
  crmId: Id
  containers: Readonly<Record<PlaceName, Id>>
}

/** Creates the people, the customer, and the places of their work. */
export async function makePlaces(ctx: Context, language: Language): Promise<SampleWorld> {
  const crm = await crms.create(ctx, {
    name: customer.name[language],
    city: customer.city[language],
    tier: customer.tier,
    notes: customer.notes[language],
  })
  const world = {
    language,
    crmId: crm.id,
    loaderId: ctx.caller.userId,
    people: await makePeople(ctx, language, crm.id),
    containers: {
      desk: await makeContainer(ctx, 'desk', language, { kind: containerKind.desk, crmId: crm.id }),
      software: await makeContainer(ctx, 'software', language, { kind: containerKind.product, crmId: crm.id }),
      operations: await makeContainer(ctx, 'operations', language, { kind: containerKind.internal, billable: false }),
    },
  }
  await makeClock(ctx, world)
  await makeFilters(ctx, world)
  return world
}

/** Without an address nobody can sign in as one of them, and no mail leaves. */
async function makePeople(ctx: Context, language: Language, crmId: Id): Promise<Record<PersonName, Id>> {
  const made: [string, Id][] = []
  for (const [who, { name, jobRole }] of Object.entries(people)) {
    const outside = customers.some(each => each === who)
    const values = outside ? { kind: userKind.requester, crmId } : { kind: userKind.staff }
    made.push([who, (await createUser(ctx, { name, jobRole: jobRole[language], ...values })).id])
  }
  // The names are those of `people`.
  return Object.fromEntries(made) as Record<PersonName, Id>
}

async function makeContainer(
  ctx: Context,
  place: PlaceName,
  language: Language,
  values: { kind: number; crmId?: Id; billable?: boolean },
): Promise<Id> {
  const { name, key, description, process } = places[place]
  const { id: processId } = await createProcess(ctx, {
    name: process[language],
    workflow: statesOf(place).map(([letter, state], i) => ({
      id: letter,
      fieldId: 'status',
      value: state.name[language],
      category: state.category,
      initial: i === 0,
      next: '*',
      ...(state.pausesClock ? { pausesClock: true } : {}),
    })),
  })
  const { id } = await createContainer(ctx, {
    name: name[language],
    key: await freeKey(ctx, key),
    description: description[language],
    processIds: [processId],
    defaultProcessId: processId,
    ...values,
  })
  await boards.create(ctx, {
    name: name[language],
    owner: ownerKind.container,
    ownerId: id,
    columns: statesOf(place).map(([letter, state]) => ({
      id: letter,
      name: state.name[language],
      values: [state.name[language]],
      ...(state.limit ? { wip: state.limit, wipPolicy: wipPolicies.warn } : {}),
    })),
  })
  return id
}

/** The key, or the key with a number if a container has it or had it. */
async function freeKey(ctx: Context, key: string): Promise<string> {
  const rows = await ctx.sql<{ key: string }>`select key from container
    where tenant_id = ${ctx.caller.tenantId} and key like ${`${key}%`}`
  const taken = new Set(rows.map(row => row.key))
  for (let n = 1; ; n++) {
    const wanted = n === 1 ? key : `${key}${n}`
    if (!taken.has(wanted)) return wanted
  }
}

const officeDays = [1, 2, 3, 4, 5].map(day => ({ day, intervals: [{ start: '08:00', end: '18:00' }] }))
const firstResponse = { kind: 1, minutes: 240 }
const resolution = { kind: 4, minutes: 1800 }

async function makeClock(ctx: Context, { language, containers }: SampleWorld): Promise<void> {
  const { timezone } = await tenants.get(ctx, ctx.caller.tenantId)
  const clock = {
    name: places.desk.clock[language],
    container: [containers.desk],
    timezone,
    schedule: officeDays,
    startFrom: 'created',
    thresholdMode: 1,
    amberThreshold: 50,
    redThreshold: 80,
    targets: [firstResponse, resolution],
  }
  await createClock(ctx, clock, requestOf({}))
}

async function makeFilters(ctx: Context, { language, containers }: SampleWorld): Promise<void> {
  const { urgent, high } = itemPriority
  const wanted: [PlaceName, ConditionGroups[number]['condition'][number]][] = [
    ['desk', { leftSide: 'priority', operator: operator.in, rightSide: JSON.stringify([urgent, high]) }],
    ['software', { leftSide: 'labels', operator: operator.equals, rightSide: labelNames.bug?.[language] ?? '' }],
  ]
  for (const [place, condition] of wanted) {
    const { filter } = places[place === 'desk' ? 'desk' : 'software']
    const criteria = completed({ conditionGroup: [{ condition: [condition] }] })
    await containerFilters.create(ctx, { containerId: containers[place], name: filter[language], criteria })
  }
}
