import { isDeepStrictEqual } from 'node:util'
import { everyone, may, narrowedTo, permission, staff } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { create, get, idOf, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Id } from '../../kernel/id.ts'
import { type Operation, operation, type Reply, type Routes } from '../../kernel/operation.ts'
import { fault, Invalid, Refusal } from '../../kernel/refusal.ts'
import { isDate } from '../../kernel/schema/formats.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { ownTenant } from '../../kernel/sql.ts'
import { byParts } from '../../language/search/name-parts.ts'
import { entryOn } from '../../records/dated.ts'
import { history } from '../../records/history/history.ts'
import { ratesOf, readRates, withOwnRates } from '../rate/own-rates.ts'
import { exportPerson } from '../tenant-transfer/tenant-transfer.ts'
import { type UserInput, users } from './user.ts'
import { changeOwn, changeUser, createUser, removeUser } from './write-user.ts'

const answer = users.schema
const absence: Schema = { ...answer.properties?.absence, nullable: true }
const withEntries = (schema: Schema): Schema =>
  withOwnRates({ ...schema, properties: { ...schema.properties, absence } })
const [createSchema, updateSchema] = [withEntries(users.createSchema), withEntries(users.updateSchema)]
// Clients send whole records back, including the properties that only the service sets.
const ignored = [...users.serverSet, 'groups']

const stockCreate = create(users, createUser)
const creation: Operation = {
  ...stockCreate,
  body: {
    schema: createSchema,
    read: reader<UserInput>(createSchema, { ignored }),
    example: { name: 'Rita Bell', email: 'rita@example.com', workingHours: 'Mon-Fri 09:00-17:30' },
  },
}

const stockChange = update(users, changeUser)
/** 409 is the answer to a strict request whose e-mail address is taken. */
const change: Operation = {
  ...stockChange,
  description: `${stockChange.description} A deactivated user stays assigned to their items; the header \`Open-Assignments\` is the number of open ones.`,
  body: {
    schema: updateSchema,
    read: reader<UserInput>(updateSchema, { ignored }),
    example: {
      name: 'Rita Bell',
      capacity: [{ from: '2026-01-01', minutesPerWeekday: [480, 480, 480, 480, 240, 0, 0] }],
    },
  },
  reply: { ...stockChange.reply, headers: ['Open-Assignments'] },
  refusals: [404, 409, 412, 422],
  async run(ctx, input) {
    const reply = await stockChange.run(ctx, input)
    const { active } = input.body as UserInput
    return active === false ? await withOpenAssignments(ctx, idOf(input), reply) : reply
  },
}

const stockRemoval = remove(users, removeUser)
const removal: Operation = {
  ...stockRemoval,
  description: `${stockRemoval.description} The user stays assigned to their items; the header \`Open-Assignments\` is the number of open ones.`,
  reply: { ...stockRemoval.reply, headers: ['Open-Assignments'] },
  run: async (ctx, input) => await withOpenAssignments(ctx, input.params.id ?? '', await stockRemoval.run(ctx, input)),
}

/** Adds the number of open items that are assigned to the user, so that the caller can reassign them. */
async function withOpenAssignments(ctx: Context, userId: Id, reply: Reply): Promise<Reply> {
  const [row] = await ctx.sql<{ count: number }>`select count(*)::int as count
    from item_assignee a join item i on i.tenant_id = ${ownTenant} and i.id = a.item_id
    where a.tenant_id = ${ctx.caller.tenantId} and a.user_id = ${userId} and i.closed_at is null and not i.deleted`
  return { ...reply, headers: { ...reply.headers, 'open-assignments': String(row?.count ?? 0) } }
}

const me = operation({
  permission: users.permissions.read,
  mode: 'read',
  summary: 'Get the caller',
  description: 'The user who owns the credential of this request.',
  reply: { status: 200, schema: answer, description: 'The user.' },
  refusals: [404],
  async run(ctx) {
    const user = await users.get(ctx, ctx.caller.userId)
    return { body: user, version: user.version }
  },
})

/** What users change of themselves. */
const own = [
  'name',
  'initials',
  'locale',
  'timezone',
  'darkMode',
  'workingHours',
  'notifications',
  'phone',
  'avatarFileId',
  'skills',
  'absence',
] as const
export const ownProfile: readonly string[] = own

const profileSchema: Schema = {
  ...users.updateSchema,
  properties: Object.fromEntries(own.map(each => [each, updateSchema.properties?.[each] ?? {}])),
}

const changeSelf = permission('user.self', everyone)

type ProfileInput = Omit<UserInput, 'rates'>

/** What plans the work of staff; requesters do not have it. */
const ofStaff = ['skills', 'absence'] as const

/** Refuses what requesters do not have. A client may send a whole record back. */
async function refuseBeyondRequester(ctx: Context, values: ProfileInput): Promise<void> {
  const named = ofStaff.filter(each => values[each] !== undefined)
  if (named.length === 0 || may(ctx.caller, narrowedTo(staff, changeSelf))) return
  const before = await users.get(ctx, ctx.caller.userId)
  const faults = named
    .filter(each => !isDeepStrictEqual(values[each], before[each]))
    .map(each => fault([each], 'staff-only', 'is for staff'))
  if (faults.length > 0) throw new Refusal(403, 'forbidden', 'requesters have no skills and absences', { faults })
}

/** Users change their own profile; rights, capacity and rates are changed by others. */
const changeMe = operation<ProfileInput>({
  permission: changeSelf,
  mode: 'write',
  summary: 'Change one’s own profile',
  description: `Merges ${own.map(each => `\`${each}\``).join(', ')} of the caller. \`skills\` and \`absence\` are for staff. Other properties of a user are changed by admins.`,
  body: {
    schema: profileSchema,
    read: reader(profileSchema),
    example: { timezone: 'Europe/Berlin', darkMode: 'auto' },
  },
  reply: { status: 200, schema: answer, description: 'The user after the change.' },
  refusals: [412, 422],
  async run(ctx, { body, expect }) {
    await refuseBeyondRequester(ctx, body)
    const user = await changeOwn(ctx, body, { expect })
    return { body: user, version: user.version }
  },
})

const rate = operation({
  permission: readRates,
  mode: 'read',
  summary: 'Get the rate in force',
  description:
    'The cost and the price of an hour of this user on a day: the last entry of `rates` that has begun. `rate` is null if none has.',
  query: { at: { type: 'string', format: 'date', description: 'The day; today in UTC if absent.' } },
  reply: {
    status: 200,
    schema: {
      type: 'object',
      title: 'UserRate',
      properties: {
        at: { type: 'string', format: 'date' },
        rate: { ...answer.properties?.rates?.items, type: ['object', 'null'] },
      },
      required: ['at', 'rate'],
    },
    description: 'The rate.',
  },
  refusals: [404],
  async run(ctx, { params, query }) {
    const at = String(query.at ?? ctx.now.toISOString().slice(0, 10))
    if (!isDate(at)) throw new Invalid([fault(['at'], 'date', 'must be a date', at)])
    const { id } = await users.get(ctx, params.id ?? '', { deleted: true })
    return { body: { at, rate: entryOn(await ratesOf(ctx, { userId: id }), at) ?? null } }
  },
})

export const routes: Routes = {
  'GET /user': list(users, byParts('user')),
  'POST /user': creation,
  'PUT /user': change,
  'GET /user/me': me,
  'PUT /user/me': changeMe,
  'PATCH /user/me': changeMe,
  'GET /user/:id': get(users),
  'PUT /user/:id': change,
  'PATCH /user/:id': change,
  'DELETE /user/:id': removal,
  'POST /user/:id/restore': restore(users),
  'GET /user/:id/export': exportPerson,
  'GET /user/:id/history': history(users),
  'GET /user/:id/rate': rate,
}
