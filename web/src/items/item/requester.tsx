import type { Item } from '@gantry/sdk'
import { say as sayItem } from '../messages.ts'
import { say } from './messages.ts'
import { useTicket } from './use-ticket.ts'

/** Who asked, where that is no user: the name and the address that somebody gave, and whether it is proven to be theirs. */
export function Requester({ item }: { item: Item }) {
  const { name, email, unproven } = useTicket(item, !item.requesterId)?.requester ?? {}
  if (item.requesterId || !(name || email)) return null
  return (
    <div className="prop">
      <dt>
        <bdi>{sayItem.requester}</bdi>
      </dt>
      <dd className="requester">
        <bdi>{name || email}</bdi>
        {name && email && <bdi className="meta">{email}</bdi>}
        {unproven && <Unproven />}
      </dd>
    </div>
  )
}

/** Anybody can write an address that is not theirs. */
export function Unproven() {
  return (
    <span className="badge badge-warn" title={say.unprovenHint}>
      {say.unproven}
    </span>
  )
}
