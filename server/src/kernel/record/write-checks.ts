import { demand, dependsOnRow, mayAt, type Permission } from '../access.ts'
import type { Context } from '../context.ts'
import { type Id, isId } from '../id.ts'
import type { Verb } from '../kinds.ts'
import { Forbidden, fault, Invalid } from '../refusal.ts'
import { name, raw } from '../sql.ts'
import { refuseUnknownReferences } from './references.ts'
import type { Properties, Row, StoreOptions } from './store-options.ts'

const t = raw('t')

/** Checks references and the rules of the domain; a strict request is also refused for findings. */
export async function validate(
  store: StoreOptions,
  ctx: Context,
  record: Properties,
  before: Row | undefined,
): Promise<void> {
  await refuseUnknownReferences(ctx, store.columns, record, before)
  await store.check?.(ctx, record, before)
  if (!ctx.strict || !store.findings) return
  const found = await store.findings({ ...before, ...record, entity: store.entity } as Row, ctx)
  if (found.length > 0)
    throw new Invalid(found.map(({ path, code, message }) => fault(path.split('/').slice(1), code, message)))
}

/** Keeps what is hidden from the caller as it is stored. Nothing is hidden from the operator, whose commands lack the service. */
export function keepHidden(ctx: Context, values: Properties, before: Row | undefined): Properties {
  return ctx.caller.kind === 'operator' ? values : ctx.services.redaction.keep(ctx.caller, values, before)
}

/** The request was admitted with the permission at any place; here the place is known, and the row that a grant may depend on. */
export async function demandAtPlace(store: StoreOptions, ctx: Context, verb: Verb, record: Properties): Promise<void> {
  if (!store.place) return
  const { id } = record
  if (!isId(id) || !(await isPermittedRow(store, ctx, store.permissions[verb], String(id))))
    demand(ctx.caller, store.permissions[verb], store.place(record))
}

/** Returns false if the permission does not depend on the row, and refuses if it does and is missing. */
async function isPermittedRow(store: StoreOptions, ctx: Context, wanted: Permission, id: Id): Promise<boolean> {
  if (!store.placeColumns || !dependsOnRow(ctx.caller, wanted)) return false
  const may = mayAt(ctx.caller, wanted, t, store.placeColumns(t))
  const [row] = await ctx.sql<{ may: boolean }>`select ${may} as may
    from ${name(store.table)} t where t.tenant_id = ${ctx.caller.tenantId} and t.id = ${id}`
  if (!row?.may) throw new Forbidden(`this needs the permission ${wanted.name} on this ${store.entity}`)
  return true
}
