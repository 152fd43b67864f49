import { check, get, list, remove, restore, update } from '../../kernel/crud.ts'
import { operation, placed, type Routes } from '../../kernel/operation.ts'
import { withCheck } from '../../kernel/record/findings.ts'
import { history } from '../../records/history/history.ts'
import { getOwnWatch, listWatchers, unwatchItem, watchItem } from './item-watch-operations.ts'
import { createWatch, removeWatch, restoreWatch, updateWatch, type WatchValues, watches } from './watch.ts'

const watchSchema = watches.schema

const create = operation<Partial<WatchValues>>({
  permission: watches.permissions.create,
  placed: true,
  mode: 'write',
  summary: 'Watch a record',
  description: `${watches.about} Only managers create watches for others. If the watch exists already, its level is updated and it is returned.`,
  body: { schema: watches.createSchema, read: watches.readCreate, example: watches.example },
  reply: { status: 201, schema: watchSchema, description: 'The watch.' },
  also: { 200: 'The watch existed; its level was updated.' },
  refusals: [422],
  async run(ctx, { body, path }) {
    const { watch, made } = await createWatch(ctx, body)
    const shown = await withCheck(ctx, watch, watches.findings)
    if (!made) return { status: 200, body: shown, version: watch.version }
    return { body: shown, version: watch.version, headers: { location: `${path}/${watch.id}` } }
  },
})

export const routes: Routes = {
  'GET /watch': placed(list(watches)),
  'POST /watch': create,
  'PUT /watch': placed(update(watches, updateWatch)),
  'GET /watch/:id': placed(get(watches)),
  'PUT /watch/:id': placed(update(watches, updateWatch)),
  'PATCH /watch/:id': placed(update(watches, updateWatch)),
  'DELETE /watch/:id': placed(remove(watches, removeWatch)),
  'POST /watch/:id/restore': placed(restore(watches, restoreWatch)),
  'GET /watch/:id/history': placed(history(watches)),
  'GET /watch/:id/check': placed(check(watches)),
  'GET /item/:id/watchers': listWatchers,
  'GET /item/:id/watch': getOwnWatch,
  'PUT /item/:id/watch': watchItem,
  'DELETE /item/:id/watch': unwatchItem,
}
