import type { Context } from '../../kernel/context.ts'
import { check, create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import { type Id, isId } from '../../kernel/id.ts'
import type { Routes } from '../../kernel/operation.ts'
import type { Expect, Finding, Stored, Values } from '../../kernel/record/record.ts'
import { fault, Refusal, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Name, Text } from '../../kernel/schema/values.ts'
import { type Sql, sql } from '../../kernel/sql.ts'
import { Code, codeTableOfCodes } from '../../records/code-table.ts'
import { history } from '../../records/history/history.ts'

/** The effect of a link between two items. Append only. */
export const behaviours = {
  relates: 0,
  blocks: 1,
  precedes: 2,
  duplicates: 3,
  parent: 4,
  causes: 5,
  clones: 6,
  custom: 7,
} as const
export const linkBehaviours = codeTableOfCodes('link.behaviour', behaviours)

const shape = {
  name: Name(60),
  inverseName: Text(60, { description: 'The name from the other end, such as `blocked by`; `name` if empty.' }),
  description: Text(2000),
  behaviour: Code(linkBehaviours, {
    description:
      '0 relates, which has no direction · 1 blocks · 2 precedes, which moves the dates of the later item · 3 duplicates · 5 causes · 6 clones · 7 custom. Links of 1 and 2 must not form circles.',
  }),
}

export type LinkType = Stored<typeof shape>
type TypeValues = Values<typeof shape>

/** A type of links. */
const linkTypes = resource('LinkType', {
  about: 'A type of links between items, with a name for each direction. A new tenant has the common types.',
  shape,
  check: checkType,
  findings: ({ behaviour }) => inert(behaviour),
})

function inert(behaviour: number): Finding[] {
  const finding = (code: string, message: string) => [{ path: '/behaviour', code, message }]
  if (behaviour === behaviours.parent)
    return finding('use-parent', 'parent and child are linked by parentId, so no link can have this type')
  const known = Object.values<number>(behaviours).includes(behaviour)
  return known
    ? []
    : finding('unknown-code', `${behaviour} is not a known code; links of this type have no further effect`)
}

/** A link keeps the behaviour that its type had when it was created. */
async function checkType(ctx: Context, { behaviour }: TypeValues, before: LinkType | undefined): Promise<void> {
  if (before && before.behaviour !== behaviour && (await isUsed(ctx, before.id, true)))
    throw new RuleBroken('in-use', 'the behaviour cannot change while there are links of this type', [
      fault(['behaviour'], 'in-use', 'cannot change while there are links of this type', behaviour),
    ])
}

async function isUsed(ctx: Context, id: Id, everUsed = false): Promise<boolean> {
  const [row] = await ctx.sql`select 1 from link
    where tenant_id = ${ctx.caller.tenantId} and type = ${id} and (${everUsed} or not deleted) limit 1`
  return row !== undefined
}

async function removeType(ctx: Context, id: Id, more: { expect?: Expect }): Promise<LinkType> {
  const type = await linkTypes.get(ctx, id, { lock: true })
  if (await isUsed(ctx, type.id)) throw new Refusal(409, 'in-use', 'there are links of this type; delete them first')
  return await linkTypes.remove(ctx, id, more)
}

/** The type with this id or name, locked against changes; for an empty name, the type that relates. */
export async function typeCalled(ctx: Context, called: string): Promise<LinkType | undefined> {
  const [row] = await ctx.sql<{ id: Id }>`select id from link_type
    where tenant_id = ${ctx.caller.tenantId} and ${isCalled(called)} and not deleted order by created, id limit 1 for share`
  return row && (await linkTypes.find(ctx, row.id))
}

/** Whether there is such a type. */
export async function hasTypeCalled(ctx: Context, called: string): Promise<boolean> {
  const rows = await ctx.sql`select 1 from link_type
    where tenant_id = ${ctx.caller.tenantId} and ${isCalled(called)} and not deleted limit 1`
  return rows.length > 0
}

function isCalled(called: string): Sql {
  if (isId(called)) return sql`id = ${called}`
  return called === '' ? sql`behaviour = ${behaviours.relates}` : sql`fold(name) = fold(${called.trim()})`
}

const usual: readonly (readonly [name: string, inverseName: string, behaviour: number])[] = [
  ['relates', 'relates', behaviours.relates],
  ['blocks', 'blocked by', behaviours.blocks],
  ['precedes', 'follows', behaviours.precedes],
  ['duplicates', 'duplicated by', behaviours.duplicates],
  ['causes', 'caused by', behaviours.causes],
  ['clones', 'cloned by', behaviours.clones],
]

/** Creates the common link types of a new tenant. */
export async function makeLinkTypes(ctx: Context): Promise<void> {
  for (const [name, inverseName, behaviour] of usual) await linkTypes.create(ctx, { name, inverseName, behaviour })
}

const stockRemoval = remove(linkTypes, removeType)

export const routes: Routes = {
  'GET /link/type': list(linkTypes),
  'POST /link/type': create(linkTypes),
  'PUT /link/type': update(linkTypes),
  'GET /link/type/:id': get(linkTypes),
  'PUT /link/type/:id': update(linkTypes),
  'PATCH /link/type/:id': update(linkTypes),
  'DELETE /link/type/:id': { ...stockRemoval, refusals: [...(stockRemoval.refusals ?? []), 409] },
  'POST /link/type/:id/restore': restore(linkTypes),
  'GET /link/type/:id/history': history(linkTypes),
  'GET /link/type/:id/check': check(linkTypes),
}

/** The behaviours whose links never form a circle. */
export const acyclic: readonly number[] = [behaviours.blocks, behaviours.precedes]
