import { refuseDirectoryGroup, refuseWhileUsed, replaceGroup, userGroups } from '../../admin/user-group/user-group.ts'
import { remove } from '../../kernel/crud.ts'
import type { Operation, Routes } from '../../kernel/operation.ts'
import { itemsNaming, renameInItems } from './group-values.ts'

/** A group goes when nothing needs it any more, or when another takes its place everywhere: in values of items as well. */
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
  description: `${userGroups.about} A group in use answers 409 and lists who uses it in \`usedBy\`.`,
  query: {
    replaceBy: {
      type: 'string',
      description: 'The id of a group that takes the place of this one wherever it is used.',
    },
  },
  refusals: [...(stockRemoval.refusals ?? []), 409],
}

export const routes: Routes = {
  'DELETE /user-group/:id': removal,
}
