import { operation } from '../../kernel/operation.ts'
import { NotFound } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { withChangesShown } from '../../records/amounts.ts'
import { eventSchema } from '../../records/history/history.ts'
import { changeSetOf, maxEvents, readChange, seesRecord } from './change-set.ts'
import { listedChangeSchema, listedChanges } from './listed-change.ts'
import type { ChangeSetEvent } from './reversal.ts'

const schema: Schema = {
  ...listedChangeSchema,
  title: 'Change',
  properties: { ...listedChangeSchema.properties, events: { type: 'array', items: eventSchema } },
  required: [...(listedChangeSchema.required ?? []), 'events'],
}

export const readChangeSet = operation({
  permission: readChange,
  mode: 'read',
  summary: 'Read a change set',
  description:
    'Every write returns the header `Change-Set`. This operation returns the events of that change set, as far as the caller may see the records. The person who made it can read it, and managers can. If the caller sees none of the records, the answer is 404.',
  reply: { status: 200, schema, description: 'The change set.' },
  refusals: [404],
  async run(ctx, { params }) {
    const { id, shown } = await changeSetOf(ctx, params.id ?? '')
    const [listed] = seesRecord(shown) ? await listedChanges(ctx, [id], maxEvents) : []
    if (!listed) throw new NotFound('change')
    return { body: { ...listed, events: shown.map(event => withoutKind(withChangesShown(ctx.caller, event))) } }
  },
})

function withoutKind({ kind: _kind, ...event }: ChangeSetEvent): object {
  return event
}
