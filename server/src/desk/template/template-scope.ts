import { users } from '../../admin/user/user.ts'
import { containers } from '../../containers/container/container.ts'
import type { RenderValues } from '../../containers/content-template/content-template.ts'
import { usableFor } from '../../containers/item-property/item-property.ts'
import { shownTo } from '../../containers/redaction/redaction.ts'
import { crms } from '../../finance/crm/crm.ts'
import { fieldFinder } from '../../items/fields/fields.ts'
import type { Item } from '../../items/item/item.ts'
import { maySomewhere } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { kind } from '../../kernel/kinds.ts'
import { name, raw } from '../../kernel/sql.ts'

/** An item without the properties that are hidden from the caller. */
type ShownItem = Partial<Item> & Pick<Item, 'id'>

/** The values for a template, and the languages and the time zone of its reader. */
interface TemplateOccasion {
  scope: RenderValues
  languages: string[]
  timezone: string
}

/** Who did what the text is about: by default the caller. */
export interface TemplateActor {
  id: Id
  kind: string
}

/**
 * The values for one rendering, as plain copies: only what the caller may see of the item and of the records around it.
 * Without an item there are only the caller and the actor.
 */
export async function occasionOf(
  ctx: Context,
  given: Item | undefined,
  actor: TemplateActor = { id: ctx.caller.userId, kind: ctx.caller.kind },
): Promise<TemplateOccasion> {
  const item: ShownItem | undefined = await shownTo(ctx, given)
  const people = await seen(ctx, users.entity, [ctx.caller.userId, actor.id, ...peopleOf(item)])
  const person = (id: Id | undefined) => pick(people.get(id ?? ''), ['id', 'name', 'initials', 'email', 'phone'])
  const requester = people.get(item?.requesterId ?? '')
  const { containerId = '', crmId = '', assignees = [] } = item ?? {}
  const user = person(ctx.caller.userId) ?? { id: ctx.caller.userId, name: ctx.caller.name }
  const scope: RenderValues = {
    user,
    actor: { ...(actor.id === ctx.caller.userId ? user : (person(actor.id) ?? { id: actor.id })), kind: actor.kind },
    ...(item && {
      item: toldOf(item),
      container: pick((await seen(ctx, containers.entity, [containerId])).get(containerId), [
        ...['id', 'key', 'name', 'description'],
      ]),
      requester: 'requesterId' in item ? (person(item.requesterId) ?? (await writer(ctx, item.id))) : null,
      assignee: person(assignees[0]),
      assignees: assignees.flatMap(id => person(id) ?? []),
      crm: pick((await seen(ctx, crms.entity, [crmId])).get(crmId), [
        ...['id', 'code', 'name', 'domain', 'address', 'zipcode', 'country'],
      ]),
      field: await fieldValues(ctx, item, id => Reflect.get(people.get(id) ?? {}, 'name')),
    }),
  }
  const [tenant] = await ctx.sql<{
    locale: string
  }>`select locale from tenant where tenant_id = ${ctx.caller.tenantId}`
  const text = (property: string) => String(Reflect.get(requester ?? {}, property) ?? '')
  return {
    scope,
    languages: [text('locale'), tenant?.locale ?? ''].filter(Boolean),
    timezone: text('timezone') || ctx.caller.timezone,
  }
}

/** The requester of a ticket who is not a user, as stored in the ticket. */
async function writer(ctx: Context, itemId: Id): Promise<Record<string, unknown> | null> {
  const [row] = await ctx.sql<{ requester: Record<string, unknown> }>`select requester from ticket
    where tenant_id = ${ctx.caller.tenantId} and id = ${itemId} and not deleted`
  return pick(row?.requester, ['name', 'email', 'phone'])
}

/** The properties of the item that templates can use; `Tags` and `Meta` become `item.tags` and `item.meta`. */
function toldOf(item: ShownItem): Record<string, unknown> {
  return Object.fromEntries(
    usableFor('template').map(property => [
      property.charAt(0).toLowerCase() + property.slice(1),
      structuredClone(item[property] ?? null),
    ]),
  )
}

/** The users that the item refers to, in its properties and custom values. */
function peopleOf(item: ShownItem | undefined): Id[] {
  if (!item) return []
  const { requesterId = '', assignees = [], Field = [] } = item
  return [requesterId, ...assignees, ...Field.flatMap(each => [each.value].flat()).filter(namesOne)]
}

function namesOne(value: unknown): value is Id {
  return typeof value === 'string' && isId(value)
}

/** The custom values by the key of their field, readable: options as labels, users as names. */
async function fieldValues(
  ctx: Context,
  item: ShownItem,
  nameOf: (id: Id) => unknown,
): Promise<Record<string, unknown>> {
  const find = await fieldFinder(ctx)
  const entries = (item.Field ?? []).map(({ fieldId, key, value }) => {
    const field = find(fieldId)
    const said = (each: unknown) =>
      field?.fieldType === 'user' && namesOne(each)
        ? (nameOf(each) ?? each)
        : (field?.options.find(option => option.id === each)?.label ?? each)
    return [key, Array.isArray(value) ? value.map(said) : structuredClone(said(value))]
  })
  return Object.fromEntries(entries)
}

/** Those of the records that the caller sees. */
async function seen(ctx: Context, entity: string, wanted: readonly Id[]): Promise<Map<Id, object>> {
  const { table, visible, json, permissions } = kind(entity)
  const ids = [...new Set(wanted.filter(isId))]
  if (ids.length === 0 || !maySomewhere(ctx.caller, permissions.read)) return new Map()
  const o = raw('o')
  const rows = await ctx.sql<{ id: Id; json: string }>`select o.id, ${json(o)} as json from ${name(table)} o
    where o.tenant_id = ${ctx.caller.tenantId} and o.id = any(${ids}::uuid[]) and not o.deleted and ${visible(ctx.caller, o)}`
  return new Map(rows.map(row => [row.id, JSON.parse(row.json)]))
}

function pick(record: object | undefined, properties: readonly string[]): Record<string, unknown> | null {
  if (!record) return null
  return Object.fromEntries(properties.map(each => [each, Reflect.get(record, each) ?? null]))
}
