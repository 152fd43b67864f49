import { check, get, history, list, remove, restore, update, withCheck } from '../../kernel/crud.ts'
import { operation, placed, type Routes } from '../../kernel/operation.ts'
import { mine, unwatchItem, watchers, watchItem } from './item-watch-operations.ts'
import { beginWatch, changeWatch, endWatch, resumeWatch, type WatchValues, watches } from './watch.ts'

const watchSchema = watches.schema

const create = operation<Partial<WatchValues>>({
  permission: watches.permissions.create,
  placed: true,
  mode: 'write',
  summary: 'Watch something',
  description: `${watches.about} Only managers set up the watches of others. A watch that is there is brought to this level and answered.`,
  body: { schema: watches.createSchema, read: watches.readCreate, example: watches.example },
  reply: { status: 201, schema: watchSchema, description: 'The watch.' },
  also: { 200: 'It was there, and is at this level now.' },
  refusals: [422],
  async run(ctx, { body, path }) {
    const { watch, made } = await beginWatch(ctx, body)
    const shown = await withCheck(ctx, watch, watches.findings)
    if (!made) return { status: 200, body: shown, version: watch.version }
    return { body: shown, version: watch.version, headers: { location: `${path}/${watch.id}` } }
  },
})

export const routes: Routes = {
  'GET /watch': placed(list(watches)),
  'POST /watch': create,
  'PUT /watch': placed(update(watches, changeWatch)),
  'GET /watch/:id': placed(get(watches)),
  'PUT /watch/:id': placed(update(watches, changeWatch)),
  'PATCH /watch/:id': placed(update(watches, changeWatch)),
  'DELETE /watch/:id': placed(remove(watches, endWatch)),
  'POST /watch/:id/restore': placed(restore(watches, resumeWatch)),
  'GET /watch/:id/history': placed(history(watches)),
  'GET /watch/:id/check': placed(check(watches)),
  'GET /item/:id/watchers': watchers,
  'GET /item/:id/watch': mine,
  'PUT /item/:id/watch': watchItem,
  'DELETE /item/:id/watch': unwatchItem,
}
