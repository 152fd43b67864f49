import { call, type Item } from '@gantry/sdk'
import { Archive, Lock, Trash2 } from 'lucide-react'
import { attempt } from '../../../kernel/data/attempt.ts'
import { gantry } from '../../../kernel/data/client.ts'
import { put } from '../../../kernel/data/records/store.ts'
import { remember } from '../../../kernel/data/undo.ts'
import { Button } from '../../../kit/kit.tsx'
import { say } from '../messages.ts'

/** What is special about an item: in the trash, archived, confidential. */
export function ItemState({ item }: { item: Item }) {
  const restore = () =>
    attempt(async () => {
      const path = { id: item.id }
      const { answer, changeSet } = await call(gantry, 'POST /item/{id}/restore', { path }).withResponse()
      put(answer)
      remember(changeSet, say.restored(item.key ?? ''))
    })
  if (item.deleted)
    return (
      <p className="banner" role="status">
        <Trash2 className="ic" />
        <span className="grow">{say.deletedState}</span>
        <Button onClick={restore}>{say.restore}</Button>
      </p>
    )
  if (item.archived)
    return (
      <p className="banner" role="status">
        <Archive className="ic" />
        {say.archivedState}
      </p>
    )
  if (!item.visibility) return null
  return (
    <span className="badge badge-warn">
      <Lock className="ic" /> {say.confidential}
    </span>
  )
}
