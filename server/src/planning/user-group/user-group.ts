import { refuseDirectoryGroup, refuseWhileUsed, replaceGroup, userGroups } from '../../admin/user-group/user-group.ts'
import { remove } from '../../kernel/crud.ts'
import type { Operation, Routes } from '../../kernel/operation.ts'
import { itemsNaming, renameInItems } from './group-values.ts'

/** A group can be deleted if nothing refers to it, or if another one replaces it everywhere, including values of items. */
const stockRemoval = remove(userGroups, async (ctx, id, more, { query }) => {
  const group = await userGroups.get(ctx, id, { lock: true })
  refuseDirectoryGroup(group)
  if (query.replaceBy === undefined) await refuseWhileUsed(ctx, group.id, await itemsNaming(ctx, group.id))
  else {
    const by = String(query.replaceBy).toLowerCase()
    await replaceGroup(ctx, group.id, by)
    await renameInItems(ctx, group.id, by)
  }
  return await userGroups.remove(ctx, id, more)
})

const removal: Operation = {
  ...stockRemoval,
  description: `${userGroups.about} For a group in use the reply is 409 and lists the records that refer to it in \`usedBy\`.`,
  query: {
    replaceBy: {
      type: 'string',
      description: 'The id of a group that replaces this one in all references.',
    },
  },
  refusals: [...(stockRemoval.refusals ?? []), 409],
}

export const routes: Routes = {
  'DELETE /user-group/:id': removal,
}
