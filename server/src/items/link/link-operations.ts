import { create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import { type Operation, operation, type Reply, type Routes } from '../../kernel/operation.ts'
import { history } from '../../records/history/history.ts'
import { closeDuplicates } from './duplicates.ts'
import { changeLink, makeLink, removeLink, restoreLink } from './link.ts'
import { type LinkValues, links } from './link-record.ts'
import { linksOfItem } from './links-of-item.ts'

const stockUpdate = update(links, changeLink)

const updateLink: Operation = {
  ...stockUpdate,
  description: `${links.about} The items and the type of a link cannot change; delete it and create another.`,
  body: { ...(stockUpdate.body as NonNullable<Operation['body']>), example: { note: 'The cable comes first.' } },
}

const stockCreate = create(links)

const createLink = operation<Partial<LinkValues>>({
  ...stockCreate,
  summary: 'Link two items',
  description: `${links.about} If the link already exists, the reply has the status 200. Links that block or precede must not form a circle (422 \`link-cycle\` with the \`path\`). If an item precedes another, the dates of the later one are moved so that it begins after the earlier one is due.`,
  body: { ...(stockCreate.body as NonNullable<Operation['body']>), read: links.readCreate },
  also: { 200: 'The link already existed.' },
  async run(ctx, { body, path }): Promise<Reply> {
    const { link, fresh } = await makeLink(ctx, body)
    return {
      status: fresh ? 201 : 200,
      body: link,
      version: link.version,
      headers: { location: `${path}/${link.id}` },
    }
  },
})

/** The permission depends on the items, so it is checked in `run`. */
const anywhere = (own: Operation): Operation => ({ ...own, placed: true })

export const routes: Routes = {
  'GET /link': anywhere(list(links)),
  'POST /link': anywhere(createLink),
  'PUT /link': anywhere(updateLink),
  'GET /link/:id': anywhere(get(links)),
  'PUT /link/:id': anywhere(updateLink),
  'PATCH /link/:id': anywhere(updateLink),
  'DELETE /link/:id': anywhere(remove(links, removeLink)),
  'POST /link/:id/restore': anywhere(restore(links, restoreLink)),
  'GET /link/:id/history': anywhere(history(links)),
  'GET /item/:id/links': linksOfItem,
  'POST /item/:id/close-duplicates': closeDuplicates,
}
