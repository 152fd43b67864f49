import { may, maySomewhere, missing } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Operation } from '../../kernel/operation.ts'
import type { Finding } from '../../kernel/record/record.ts'
import { findUnknown, type Reference } from '../../kernel/record/references.ts'
import { Forbidden, Invalid } from '../../kernel/refusal.ts'
import { nearest } from '../../kernel/schema/shape.ts'
import { unknownSharers } from '../../records/sharing.ts'
import { reportNames, requestOf, type SavedQuestion, type SavedRequest, within } from './saved-request.ts'

/** What of a saved report the caller cannot run: names and fields that do not exist for them, deleted people and containers. */
export async function savedFindings(
  saved: SavedQuestion & { shared: readonly string[] },
  ctx: Context,
): Promise<Finding[]> {
  const gone = [...(await unknownSharers(ctx, saved.shared)), ...(await findUnknown(ctx, referencesIn(saved.input)))]
  return [
    ...(await requestFindings(ctx, saved)),
    ...gone.map(({ path, entity }) => ({
      path: `/${path.join('/')}`,
      code: 'unknown-reference',
      message: entity === 'UserGroup' ? 'there is no such User or UserGroup' : `there is no such ${entity}`,
    })),
  ]
}

async function requestFindings(ctx: Context, saved: SavedQuestion): Promise<Finding[]> {
  try {
    const request = await requestOf(ctx, saved)
    if (!request) return [unknownReport(saved.report)]
    refuseForbidden(ctx, request.operation)
    await prepared(request)
    return []
  } catch (error) {
    if (error instanceof Forbidden) return [{ path: '/report', code: 'forbidden', message: error.message }]
    if (!(error instanceof Invalid)) throw error
    return error.faults.map(({ Pointer, Code, Message }) => ({ path: Pointer, code: Code, message: Message }))
  }
}

export function unknownReport(name: string): Finding {
  const near = nearest(name, reportNames)
  const message = near ? `there is no report ${name}; did you mean ${near}?` : `there is no report ${name}`
  return { path: '/report', code: 'unknown-report', message }
}

/** A saved report gives nobody the permission of the report. */
export function refuseForbidden({ caller }: Context, { permission, placed }: Operation): void {
  const holds = placed ? maySomewhere : may
  if (!holds(caller, permission)) throw new Forbidden(missing(caller, permission))
}

async function prepared({ prepare, property }: SavedRequest): Promise<void> {
  try {
    await prepare()
  } catch (error) {
    throw error instanceof Invalid ? new Invalid(error.faults.map(each => within(property, each))) : error
  }
}

/** The users and containers that the request of a report is limited to. */
function referencesIn(input: SavedQuestion['input']): Reference[] {
  const all = [
    { entity: 'User', property: 'userIds', ids: input.userIds },
    { entity: 'Container', property: 'containerIds', ids: input.containerIds },
  ].flatMap(({ entity, property, ids }) =>
    (Array.isArray(ids) ? ids : []).map((id, i) => ({ entity, id: String(id), path: ['input', property, i] })),
  )
  const { userId } = input
  return typeof userId === 'string' ? [...all, { entity: 'User', id: userId, path: ['input', 'userId'] }] : all
}
