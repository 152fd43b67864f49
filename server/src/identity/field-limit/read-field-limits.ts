import type { Authority, Role } from '../../kernel/access.ts'
import { staff } from '../../kernel/access.ts'
import { type AccessRule, decision } from '../../kernel/access-rule.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { itemRelations } from './field-limit.ts'
import { fieldPermission } from './field-permission.ts'

/** A field of a process with the groups that it is limited for. */
export interface LimitedField {
  processId: Id
  fieldId: string
  hiddenFor: readonly string[] | null
  readOnlyFor: readonly string[] | null
}

interface CustomField {
  id: Id
  key: string
  /** The formula of a computed field, and the field that it sums up over the children of an item. */
  formula: string
  summed: string
}

/** Reads the fields that a user must not see or change, from the rules for the whole tenant and from the processes. */
export async function readFieldLimits(
  ctx: Context,
  rules: readonly AccessRule[],
  limited: readonly LimitedField[],
  user: { groups: readonly Id[]; tenant: ReadonlySet<Role> },
): Promise<Pick<Authority, 'hiddenFields' | 'fieldLimits'>> {
  const denied = deniedFields(rules)
  const bound = limited.flatMap(each => [
    ...limitFor(each, each.hiddenFor ?? [], true, user),
    ...limitFor(each, each.readOnlyFor ?? [], false, user),
  ])
  if (denied.length === 0 && bound.length === 0) return { hiddenFields: new Set(), fieldLimits: [] }
  const custom =
    await ctx.sql<CustomField>`select id, lower(key) as key, lower(formula) as formula, lower(coalesce(rollup ->> 'field', '')) as summed
    from field where tenant_id = ${ctx.caller.tenantId}`
  const fieldLimits = bound.map(({ fieldId, ...limit }) => {
    const names = namesOf([fieldId], custom)
    return { ...limit, names: limit.hides ? withComputed(names, custom, field => field.formula) : names }
  })
  // A sum over children may contain values of items of any process, so it is hidden on every item.
  const partly = new Set(fieldLimits.filter(each => each.hides).flatMap(({ names }) => [...names]))
  const sums = custom.filter(({ summed }) => mentions(summed, partly)).flatMap(({ id, key }) => [id, key])
  const hidden = new Set([...namesOf(denied, custom), ...sums])
  return { hiddenFields: withComputed(hidden, custom, each => `${each.formula} ${each.summed}`), fieldLimits }
}

function deniedFields(rules: readonly AccessRule[]): string[] {
  const named = new Set(
    rules.flatMap(({ names }) => names.flatMap(each => /^field\.([^.]+)\.(?:read|\*)$/i.exec(each)?.[1] ?? [])),
  )
  const general = rules.filter(({ scope }) => scope === 'tenant')
  return [...named].filter(
    field => field !== '*' && decision(general, fieldPermission(field, 'read'), {})?.effect === 'deny',
  )
}

function limitFor(
  { processId, fieldId }: LimitedField,
  named: readonly string[],
  hides: boolean,
  { groups, tenant }: { groups: readonly Id[]; tenant: ReadonlySet<Role> },
) {
  const everywhere = [
    ...groups,
    '@everyone',
    ...(staff.some(role => tenant.has(role)) ? ['@staff'] : []),
    ...(tenant.has('requester') ? ['@requesters'] : []),
  ]
  const always = named.some(each => everywhere.includes(each))
  const relations = named.filter(each => itemRelations.includes(each))
  return always || relations.length > 0 ? [{ processId, fieldId, hides, always, relations }] : []
}

/** All names of the fields, in lower case: custom fields by id and by key, whichever was given. */
function namesOf(given: readonly string[], custom: readonly CustomField[]): Set<string> {
  const names = new Set(given.map(each => each.toLowerCase().replace(/^field\./, '')))
  return new Set([
    ...names,
    ...custom.filter(({ id, key }) => names.has(id) || names.has(key)).flatMap(({ id, key }) => [id, key]),
  ])
}

/** Adds the fields that are computed from these, because their values tell those of the others. */
function withComputed(
  names: ReadonlySet<string>,
  custom: readonly CustomField[],
  source: (field: CustomField) => string,
): ReadonlySet<string> {
  const added = custom.filter(each => !names.has(each.id) && mentions(source(each), names))
  if (added.length === 0) return names
  return withComputed(new Set([...names, ...added.flatMap(({ id, key }) => [id, key])]), custom, source)
}

function mentions(text: string, names: ReadonlySet<string>): boolean {
  const words = text === '' ? [] : [...text.matchAll(/[\p{L}_][\w-]*|[0-9a-f]{8}-[\w-]+/gu)].map(([word]) => word)
  // A minus may belong to a key or follow a name.
  return words.some(
    word => names.has(word) || word.split('-').some((_, n, all) => names.has(all.slice(0, n + 1).join('-'))),
  )
}
