import { grantsOf, userAccessOf } from '../../identity/authority.ts'
import {
  type Caller,
  dependsOnRow,
  everyone,
  knownPermissions,
  may,
  mayAt,
  type Permission,
  permission,
} from '../../kernel/access.ts'
import { type AccessRule, appliesAt, covers } from '../../kernel/access-rule.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import type { Kind } from '../../kernel/kinds.ts'
import { kindNamed } from '../../kernel/kinds.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import type { AccessStep } from '../../kernel/record/record.ts'
import { Forbidden, fault, Invalid, NotFound } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { name, raw } from '../../kernel/sql.ts'
import { accessControls } from './access-control.ts'

const t = raw('t')

const answerSchema: Schema = {
  type: 'object',
  title: 'AccessExplanation',
  properties: {
    allowed: { type: 'boolean' },
    user: { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } } },
    permission: { type: 'string', description: 'The permission that the action requires.' },
    entity: { type: 'string' },
    id: { type: 'string' },
    because: { type: 'string', description: 'The deciding reason, in one sentence.' },
    steps: {
      type: 'array',
      description: 'The rules that were evaluated, in this order.',
      items: {
        type: 'object',
        properties: {
          rule: { type: 'string' },
          outcome: { type: 'string', enum: ['allows', 'denies', 'silent'] },
          because: { type: 'string' },
          accessControlId: { type: 'string', description: 'The grant, if the rule is one.' },
        },
        required: ['rule', 'outcome', 'because'],
      },
    },
  },
  required: ['allowed', 'user', 'permission', 'entity', 'id', 'because', 'steps'],
}

interface ExplainQuery {
  userId: Id
  kind: Kind
  wanted: Permission
  id: Id | ''
}

const explain = operation({
  permission: permission('accessControl.explain', everyone),
  placed: true,
  mode: 'read',
  summary: 'Explain whether a user may do something',
  description:
    'Says whether a user has a permission on a kind of record, or on one record, and which rule decides: their roles, every grant of the permission, and the visibility of the record. It evaluates the same conditions as lists and writes. Users ask about themselves; managers ask about any user, for records that they see themselves.',
  query: {
    user: { type: 'string', description: 'The id of the user; the caller if absent.' },
    action: {
      type: 'string',
      description: '`read`, `create`, `update` or `delete`, or the full name of a permission; `read` if absent.',
    },
    entity: { type: 'string', description: 'The kind of record; `Item` if absent.' },
    id: { type: 'string', description: 'The record.' },
  },
  reply: { status: 200, schema: answerSchema, description: 'The decision and its reasons.' },
  refusals: [404],
  async run(ctx, { query }) {
    const asked = readQuery(ctx.caller, query)
    return { body: await explanation(ctx, asked) }
  },
})

function readQuery(caller: Caller, query: Record<string, unknown>): ExplainQuery {
  const text = (key: string, otherwise: string) => String(query[key] ?? '') || otherwise
  const [userId, action, entity, id] = [
    text('user', caller.userId),
    text('action', 'read'),
    text('entity', 'Item'),
    text('id', ''),
  ]
  const kind = kindNamed(entity)
  const wanted =
    Object.entries(kind?.permissions ?? {}).find(([verb]) => verb === action)?.[1] ??
    knownPermissions().find(each => each.name.toLowerCase() === action.toLowerCase())
  if (!kind || !wanted)
    throw new Invalid([
      ...(kind ? [] : [fault(['entity'], 'unknown', 'is not a kind of record', entity)]),
      ...(wanted ? [] : [fault(['action'], 'unknown', 'is neither a verb nor a permission', action)]),
    ])
  if (userId.toLowerCase() !== caller.userId && !may(caller, accessControls.permissions.read))
    throw new Forbidden('only managers of the tenant may ask about other users')
  if (id !== '' && !isId(id)) throw new NotFound()
  return { userId: userId.toLowerCase(), kind, wanted, id: id.toLowerCase() }
}

async function explanation(ctx: Context, { userId, kind, wanted, id }: ExplainQuery) {
  const [user] = await ctx.sql<{
    id: Id
    name: string
    role: number
  }>`select id, name, role from "user" where tenant_id = ${ctx.caller.tenantId} and id = ${isId(userId) ? userId : null}::uuid and not deleted`
  if (!user) throw new NotFound()
  const record = id === '' ? undefined : await kind.get(ctx, id)
  const subject = { user: { id: user.id, name: user.name }, permission: wanted.name, entity: kind.entity, id }
  const access = await userAccessOf(ctx, userId)
  if (!access) {
    const because = 'the user is inactive or locked, or the tenant is not active'
    return { allowed: false, ...subject, because, steps: [{ rule: 'door', outcome: 'denies', because }] }
  }
  const them: Caller = { tenantId: ctx.caller.tenantId, userId, kind: 'user', scopes: [], ...access }
  const steps: AccessStep[] = []
  if (them.authority.superAdmin)
    steps.push({ rule: 'superAdmin', outcome: 'allows', because: 'super admins may do everything in their tenant' })
  const place = record && kind.place ? kind.place(record as unknown as Record<string, unknown>) : {}
  for (const rule of await grantsOf(ctx, userId)) {
    const step = await evaluateGrant(ctx, rule, wanted, kind, { ...place, id })
    if (step) steps.push(step)
  }
  steps.push(roleStep(them, user.role, wanted))
  if (id !== '') steps.push(...((await kind.explainVisibility?.(ctx, them, id)) ?? []))
  const allowed = await isAllowed(ctx, them, kind, wanted, place, id)
  const decided = steps.filter(each => each.outcome === (allowed ? 'allows' : 'denies'))
  const because = (allowed ? decided[0] : (decided.find(each => each.rule !== 'role') ?? decided[0]))?.because
  return { allowed, ...subject, because: because ?? 'no role and no grant of the user allows it', steps }
}

/** The outcome of one grant; undefined if it does not cover the permission. */
async function evaluateGrant(
  ctx: Context,
  rule: AccessRule,
  wanted: Permission,
  kind: Kind,
  place: { containerId?: Id | null; areaId?: Id | null; itemId?: Id | null; id: Id | '' },
): Promise<AccessStep | undefined> {
  if (!covers(rule, wanted)) return undefined
  const who = { user: 'the user', group: 'a group they belong to', audience: 'a pseudo-group they belong to' }[
    rule.principal
  ]
  const what = rule.role ? `the role ${rule.role}` : rule.names.join(', ')
  const said = `a grant to ${who} ${rule.effect === 'allow' ? 'gives' : 'denies'} ${what} ${rule.scope === 'tenant' ? 'in the tenant' : `in this ${rule.scope}`}`
  const step = (outcome: AccessStep['outcome'], because: string): AccessStep => ({
    rule: 'grant',
    outcome,
    because,
    accessControlId: rule.id,
  })
  if (!appliesAt(rule, place)) return step('silent', `${said}, but elsewhere`)
  if (rule.rows && !(place.id && kind.placeColumns && (await matchesCondition(ctx, rule, kind, place.id))))
    return step('silent', `${said}, but only for records that meet its condition`)
  return step(rule.effect === 'allow' ? 'allows' : 'denies', said)
}

async function matchesCondition(ctx: Context, { rows }: AccessRule, kind: Kind, id: Id): Promise<boolean> {
  const [row] = await ctx.sql<{
    meets: boolean
  }>`select (${rows?.(t) ?? raw('true')}) is true as meets from ${name(kind.table)} t where t.tenant_id = ${ctx.caller.tenantId} and t.id = ${id}`
  return row?.meets === true
}

function roleStep({ authority }: Caller, code: number, { roles }: Permission): AccessStep {
  const held = roles.find(role => authority.tenant.has(role))
  return held
    ? { rule: 'role', outcome: 'allows', because: `${held} in the tenant may` }
    : { rule: 'role', outcome: 'denies', because: `their role in the tenant (${code}) may not` }
}

/** Decides with the functions that lists and writes use, so that the explanation cannot differ from them. */
async function isAllowed(
  ctx: Context,
  them: Caller,
  kind: Kind,
  wanted: Permission,
  place: Parameters<typeof may>[2],
  id: Id | '',
): Promise<boolean> {
  if (id === '') return may(them, wanted)
  const columns = kind.placeColumns?.(t)
  const permitted =
    columns && dependsOnRow(them, wanted) ? mayAt(them, wanted, t, columns) : raw(String(may(them, wanted, place)))
  const granted = wanted === kind.permissions.read && kind.placed ? raw('true') : permitted
  const [row] = await ctx.sql<{
    may: boolean
  }>`select (${kind.visible(them, t)} and ${granted}) is true as may from ${name(kind.table)} t where t.tenant_id = ${ctx.caller.tenantId} and t.id = ${id}`
  return row?.may === true
}

export const routes: Routes = { 'GET /access-control/explain': explain }
