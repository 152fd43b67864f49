import type { Context } from '../context.ts'
import type { Kind } from '../kinds.ts'
import type { Operation } from '../operation.ts'
import { type Common, findingsSchema } from './record.ts'

/** Adds the property `check` to a record whose kind reports findings. */
export async function withCheck<R extends Common>(ctx: Context, record: R, findings: Kind['findings']): Promise<R> {
  if (!findings) return record
  return { ...record, check: await findings(record, ctx) }
}

/** Reports the parts of a record that its engine cannot act on. */
export function check(kind: Kind): Operation {
  return {
    permission: kind.permissions.read,
    placed: kind.placed,
    mode: 'read',
    summary: `Check one ${kind.entity}`,
    description:
      'Lists what of the record is stored but inert (an unknown code, a condition on a property that is not there) and why. Empty if every part has an effect.',
    reply: { status: 200, schema: findingsSchema, description: 'The findings.' },
    refusals: [404],
    async run(ctx, { params }) {
      const record = await kind.get(ctx, params.id ?? '')
      return { body: (await kind.findings?.(record, ctx)) ?? [] }
    },
  }
}
