import { create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Operation, Routes } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { history } from '../../records/history.ts'
import { shownOfTime, times } from '../time.ts'
import { changeTime, createSplit, createTime, removeTime, restoreTime, type TimeBody } from './entry.ts'
import { ofEntry } from './entry-body.ts'

const one = ofEntry(create(times, createTime), times.createSchema, shownOfTime)
const record: Schema = one.reply.schema ?? {}

const creating: Operation = {
  ...one,
  query: { split: { type: 'boolean', description: 'Books one entry for each local day from `start` to `end`.' } },
  reply: {
    ...one.reply,
    schema: {
      ...record,
      properties: { ...record.properties, entries: { type: 'array', items: record } },
      title: 'TimeOrEntries',
      required: [],
      oneOf: [{ required: record.required }, { required: ['entries'] }],
    },
    description: 'The created record; with `split`, the created `entries`.',
  },
  async run(ctx, input) {
    if (input.query.split !== 'true') return await one.run(ctx, input)
    // The body was read by the schema of the operation.
    return { body: { entries: await createSplit(ctx, input.body as TimeBody) } }
  },
}
const changing = ofEntry(update(times, changeTime), times.updateSchema, shownOfTime)

export const routes: Routes = {
  'GET /time': list(times),
  'POST /time': creating,
  'PUT /time': changing,
  'GET /time/:id': get(times),
  'PUT /time/:id': changing,
  'PATCH /time/:id': changing,
  'DELETE /time/:id': remove(times, removeTime),
  'POST /time/:id/restore': restore(times, restoreTime),
  'GET /time/:id/history': history(times),
}
