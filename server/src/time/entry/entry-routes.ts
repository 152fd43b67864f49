import { create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Operation, Routes } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { history } from '../../records/history/history.ts'
import { withOwnId } from '../../records/input/own-id.ts'
import { shownOfTime, times } from '../time.ts'
import { changeTime, createSplit, createTime, removeTime, restoreTime, type TimeBody } from './entry.ts'
import { ofEntry } from './entry-body.ts'

/** The operations on one entry, of which those on many are made. */
export const creatingOne = ofEntry(create(times, createTime), withOwnId(times.createSchema), shownOfTime)
const record: Schema = creatingOne.reply.schema ?? {}

const creating: Operation = {
  ...creatingOne,
  query: { split: { type: 'boolean', description: 'Books one entry for each local day from `start` to `end`.' } },
  reply: {
    ...creatingOne.reply,
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
    if (input.query.split !== 'true') return await creatingOne.run(ctx, input)
    // The body was read by the schema of the operation.
    return { body: { entries: await createSplit(ctx, input.body as TimeBody) } }
  },
}
export const changing = ofEntry(update(times, changeTime), times.updateSchema, shownOfTime)

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
