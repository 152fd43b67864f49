import { shownTo } from '../../containers/redaction/redaction.ts'
import { userKind } from '../../identity/user-kind.ts'
import { items } from '../../items/item/item.ts'
import { roleCode } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { findUnknown, type Reference, unknownReferences } from '../../kernel/record/references.ts'
import { raw } from '../../kernel/sql.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { allocationState, allocations } from '../allocation/allocation.ts'
import { type ItemTemplate, type Placeholder, type TemplateNode, templateRelation } from './template-shape.ts'

// The placeholders of a template: a job role, the requester or the creator of the parent, the lead of the container.

/** What placeholders are resolved by. */
interface PeopleInput {
  containerId: Id
  anchor: string
  /** The users for job roles, by the id or the code of the role. */
  people?: Record<string, string> | undefined
  /** The item above the tree, or the one that a rule acts on. */
  originId?: Id | undefined
}

/** Whom a placeholder was resolved to, and why; nobody if `userId` is empty. */
interface Choice {
  userId: Id | ''
  reason: string
}

/** A placeholder of a template with its choice. */
export interface ChosenPerson extends Choice {
  key: string
  use: 'assignee' | 'watcher' | 'checklist'
  /** The index of the entry of the checklist. */
  entry: number | null
  jobRoleId: Id | ''
  relation: number
}

/** Chooses somebody for each placeholder of a template; a placeholder that occurs more than once has one choice. */
export async function choosePeople(
  ctx: Context,
  template: Pick<ItemTemplate, 'items'>,
  input: PeopleInput,
): Promise<{ people: ChosenPerson[]; warnings: string[] }> {
  const places = template.items.flatMap(placesIn)
  const roles = await rolesNamed(ctx, [
    ...places.map(each => each.jobRoleId),
    ...Object.keys(input.people ?? {}).map(each => each.trim()),
  ])
  const named = await namedPeople(ctx, roles, input.people ?? {})
  const choose = chooser(ctx, input, named)
  const known = new Map<string, Choice & { who: string }>()
  const people: ChosenPerson[] = []
  for (const place of places) {
    const key = `${place.jobRoleId} ${place.relation}`
    const role = roles.find(each => each.id === place.jobRoleId)
    const choice = known.get(key) ?? (await choose(place.relation, role))
    known.set(key, choice)
    people.push({ ...place, userId: choice.userId, reason: choice.reason })
  }
  const unused = [...named.keys()].filter(id => !places.some(each => each.jobRoleId === id))
  const nameOf = (id: Id) => roles.find(each => each.id === id)?.name ?? id
  return {
    people,
    warnings: [
      ...[...known.values()].filter(each => each.userId === '').map(({ who, reason }) => `nobody is ${who}: ${reason}`),
      ...unused.map(id => `the template has no placeholder for the job role ${nameOf(id)}`),
    ],
  }
}

type Place = Omit<ChosenPerson, keyof Choice>

function placesIn({ key = '', assignTo = [], watchedBy = [], checklistBy = [] }: TemplateNode): Place[] {
  const place = (
    use: Place['use'],
    { jobRoleId = '', relation = 0 }: Placeholder,
    entry: number | null = null,
  ): Place => ({
    ...{ key, use, entry, jobRoleId, relation },
  })
  return [
    ...assignTo.map(each => place('assignee', each)),
    ...watchedBy.map(each => place('watcher', each)),
    ...checklistBy.filter(each => !each.userId).map(each => place('checklist', each, each.entry ?? 0)),
  ]
}

interface NamedRole {
  id: Id
  code: string
  name: string
}

/** The job roles that are named by id or by code. */
async function rolesNamed(ctx: Context, names: readonly string[]): Promise<NamedRole[]> {
  const wanted = [...new Set(names.filter(Boolean).map(each => each.toLowerCase()))]
  if (wanted.length === 0) return []
  return await ctx.sql<NamedRole>`select r.id, r.code, r.name from job_role r
    where r.tenant_id = ${ctx.caller.tenantId} and not r.deleted and (r.id::text = any(${wanted}::text[]) or lower(r.code) = any(${wanted}::text[]))
    order by r.created, r.id`
}

/** The users that a request names for job roles, by the ids of the roles. Roles and users that do not exist are refused. */
async function namedPeople(
  ctx: Context,
  roles: readonly NamedRole[],
  given: Record<string, string>,
): Promise<Map<Id, Id>> {
  const named = new Map<Id, Id>()
  const references: Reference[] = []
  const unknown: Reference[] = []
  for (const [name, value] of Object.entries(given)) {
    const lower = name.trim().toLowerCase()
    const role = roles.find(each => each.id === lower || (lower !== '' && each.code.toLowerCase() === lower))
    const userId = value.trim().toLowerCase()
    if (!role) unknown.push({ entity: 'JobRole', id: name, path: ['people', name] })
    else named.set(role.id, userId)
    references.push({ entity: 'User', id: userId, path: ['people', name] })
  }
  unknown.push(...(await findUnknown(ctx, references)))
  if (unknown.length > 0) throw unknownReferences(unknown)
  return named
}

type Choose = (relation: number, role: NamedRole | undefined) => Promise<Choice & { who: string }>

function chooser(ctx: Context, input: PeopleInput, named: ReadonlyMap<Id, Id>): Choose {
  return async (relation, role) => {
    if (role) return { who: role.name, ...(await forRole(ctx, input, role, named.get(role.id))) }
    switch (relation) {
      case templateRelation.parentRequester:
        return { who: 'the requester of the parent', ...(await ofParent(ctx, input, 'requester')) }
      case templateRelation.parentCreator:
        return { who: 'the creator of the parent', ...(await ofParent(ctx, input, 'creator')) }
      case templateRelation.containerLead:
        return { who: 'the lead of the container', ...(await leadOf(ctx, input)) }
    }
    return { who: 'meant', userId: '', reason: 'the placeholder names no job role that exists, and no relation' }
  }
}

/** Who is named for a job role, else who is planned on the container as that, else the only member of the container who works as that. */
async function forRole(
  ctx: Context,
  { containerId, anchor }: PeopleInput,
  role: NamedRole,
  named: Id | undefined,
): Promise<Choice> {
  if (named) return { userId: named, reason: 'named in the request' }
  const { tenantId } = ctx.caller
  const p = raw('p')
  const worksAs = [role.id, ...(role.code === '' ? [] : [role.code.toLowerCase()])]
  const [planned] = await ctx.sql<{
    userId: Id
    from: string
  }>`select p.user_id as "userId", p."from"::text as "from" from plan p
    join "user" u on u.tenant_id = ${tenantId} and u.id = p.user_id and not u.deleted and u.active and u.kind = ${userKind.staff}
    where p.tenant_id = ${tenantId} and p.container_id = ${containerId} and not p.deleted and p.state <> ${allocationState.draft} and p."to" >= ${anchor}::date
      and (p.job_role_id = ${role.id} or (p.job_role_id is null and lower(u.job_role) = any(${worksAs}::text[]))) and ${allocations.visible(ctx.caller, p)}
    order by p."from" > ${anchor}::date, p."from", p.id limit 1`
  if (planned) return { userId: planned.userId, reason: `planned on the container from ${planned.from}` }
  const members = (await membersOf(ctx, containerId)).filter(each => worksAs.includes(each.jobRole.toLowerCase()))
  const [only] = members
  if (!only) return { userId: '', reason: 'nobody who works as that is planned on the container or is a member of it' }
  if (members.length > 1) return { userId: '', reason: `${members.length} members of the container work as that` }
  return { userId: only.id, reason: 'the only member of the container who works as that' }
}

interface ContainerPerson {
  id: Id
  jobRole: string
  role: number
}

/** The active staff who hold a role on the container itself, with the highest that each holds. */
async function membersOf(ctx: Context, containerId: Id): Promise<ContainerPerson[]> {
  const { tenantId } = ctx.caller
  return await ctx.sql<ContainerPerson>`select u.id, u.job_role as "jobRole", max(a.role) as role from access_control a
    join "user" u on u.tenant_id = ${tenantId} and u.id = a.user_id and not u.deleted and u.active and u.kind = ${userKind.staff}
    where a.tenant_id = ${tenantId} and a.owner = ${ownerKind.container} and a.owner_id = ${containerId} and not a.deleted and a.effect = 0 and a.condition_group = '[]'
      and (a.expires_at is null or a.expires_at > ${ctx.now}) group by u.id, u.job_role order by u.id`
}

/** The lead of a container is the one user who holds the highest role on it, manager or above. */
async function leadOf(ctx: Context, { containerId }: PeopleInput): Promise<Choice> {
  const managers = (await membersOf(ctx, containerId)).filter(each => each.role >= roleCode.manager)
  const highest = Math.max(...managers.map(each => each.role))
  const leads = managers.filter(each => each.role === highest)
  const [lead] = leads
  if (!lead) return { userId: '', reason: 'no member of the container is its manager' }
  if (leads.length > 1) return { userId: '', reason: `${leads.length} members of the container hold its highest role` }
  return { userId: lead.id, reason: 'the only member of the container with its highest role' }
}

/** The requester or the creator of the parent, as far as the caller sees them. A requester without an account is nobody. */
async function ofParent(ctx: Context, { originId }: PeopleInput, which: 'requester' | 'creator'): Promise<Choice> {
  const found = originId && isId(originId) ? await items.find(ctx, originId) : undefined
  if (!found) return { userId: '', reason: 'the items have no parent' }
  const { key = '', requesterId = '', createdBy = '' } = await shownTo(ctx, found)
  const id = which === 'requester' ? requesterId : createdBy
  const [user] = await ctx.sql<{
    id: Id
  }>`select u.id from "user" u where u.tenant_id = ${ctx.caller.tenantId} and u.id = ${isId(id) ? id : null}::uuid
    and not u.deleted and u.active`
  if (!user) return { userId: '', reason: `${key} has no ${which} who is an active user` }
  return { userId: user.id, reason: `the ${which} of ${key}` }
}
