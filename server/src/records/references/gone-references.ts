import type { Context } from '../../kernel/context.ts'
import { kind } from '../../kernel/kinds.ts'
import type { Common, Finding } from '../../kernel/record/record.ts'
import { findUnknown, newReferences } from '../../kernel/record/references.ts'

/** Findings for references to records that were there when the record was written and are no longer, for this caller. */
export async function goneReferences(ctx: Context, record: Common): Promise<Finding[]> {
  const gone = await findUnknown(ctx, newReferences(kind(record.entity).columns, { ...record }, undefined))
  return gone.map(({ entity, id, path }) => ({
    path: `/${path.join('/')}`,
    code: 'unknown-reference',
    message: `there is no ${entity} ${id} that you can see`,
  }))
}
