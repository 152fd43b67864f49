import type { Item } from '@gantry/sdk'
import { useOutbox } from '../../../kernel/data/outbox/outbox.ts'
import { actOnRecord } from '../../../kernel/data/updates.ts'
import { say } from '../../messages.ts'
import { isRank, rankRoute } from './ranks.ts'

/** Puts an item before or after its neighbour: at once on the screen, then in the service, in the order of the keys. */
export function rankItem({ id, key }: Item, ids: readonly string[], by: 1 | -1): void {
  const neighbour = ids[ids.indexOf(id) + by]
  if (!neighbour) return
  // Each rank goes by the neighbours that the ones before have made, and by items that may be new.
  const earlier = useOutbox.getState().waiting.filter(write => isRank(write) || write.recordId === neighbour)
  void actOnRecord({
    entity: 'Item',
    id,
    route: rankRoute,
    body: by < 0 ? { before: neighbour } : { after: neighbour },
    follows: earlier.map(write => write.id),
    text: say.ranked(key ?? ''),
  })
}
