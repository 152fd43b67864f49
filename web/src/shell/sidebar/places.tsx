import type { SessionState } from '@gantry/sdk'
import { Link } from '@tanstack/react-router'
import { Bell, House, Plus, Search, Star } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useMay } from '../../kernel/data/session/may.ts'
import { useSession } from '../../kernel/data/session/session.ts'
import { say } from '../messages.ts'

const shownAtFirst = 12

interface PlaceProps {
  to: '/' | '/inbox'
  icon: ReactNode
  name: string
  unread?: number
}

function Place({ to, icon, name, unread = 0 }: PlaceProps) {
  const count = unread >= 1000 ? '999+' : unread
  return (
    <Link
      to={to}
      className="nav"
      activeProps={{ className: 'nav is-on' }}
      activeOptions={{ exact: true, includeSearch: false }}
      aria-label={unread > 0 ? `${name} ${count} ${say.unread}` : name}
      title={name}
    >
      {icon}
      <span>{name}</span>
      {unread > 0 && <span className="count hot"> {count}</span>}
    </Link>
  )
}

/** Where a person can go: what is theirs, what they have starred, and the containers. */
export function Places({ onFind, onNewContainer }: { onFind: (text: string) => void; onNewContainer: () => void }) {
  const { containers, starred, moreContainers, unread } = useSession()
  const [all, setAll] = useState(false)
  const mayMake = useMay('container.create')
  const starredIds = new Set(starred.map(({ id }) => id))
  const others = containers.filter(({ id }) => !starredIds.has(id))
  const shown = all ? others : others.slice(0, shownAtFirst)
  return (
    <nav aria-label={say.places}>
      <Place to="/" icon={<House className="ic" />} name={say.myWork} />
      <Place to="/inbox" icon={<Bell className="ic" />} name={say.inbox} unread={unread} />
      {starred.length > 0 && <h2>{say.starred}</h2>}
      {starred.map(star => (
        <Starred key={star.id} star={star} />
      ))}
      <h2 className="hstack">
        <span className="grow">{say.containers}</span>
        {mayMake && (
          <button
            type="button"
            className="btn btn-ghost btn-icon"
            aria-label={say.newContainer}
            onClick={onNewContainer}
          >
            <Plus className="ic" />
          </button>
        )}
      </h2>
      {shown.map(({ id, key, name }) => (
        <ContainerLink key={id} containerKey={key} name={name} />
      ))}
      {others.length === 0 && starred.length === 0 && <p className="hint nav-hint">{say.noContainers}</p>}
      {others.length > shown.length && (
        <button type="button" className="nav nav-more" onClick={() => setAll(true)}>
          <span>{say.more(others.length - shown.length)}</span>
        </button>
      )}
      {(all || shown.length === others.length) && moreContainers && (
        <button type="button" className="nav nav-more" onClick={() => onFind('/')}>
          <Search className="ic" />
          <span>{say.findContainer}</span>
        </button>
      )}
    </nav>
  )
}

function ContainerLink({ containerKey, name, icon }: { containerKey: string; name: string; icon?: ReactNode }) {
  return (
    <Link
      to="/container/$key"
      params={{ key: containerKey }}
      title={name}
      className="nav"
      activeProps={{ className: 'nav is-on' }}
    >
      {icon ?? <span className="key2" data-k={[...name][0]} aria-hidden="true" />}
      <span className="cut">
        <bdi>{name}</bdi>
      </span>
    </Link>
  )
}

function Starred({ star }: { star: SessionState['starred'][number] }) {
  const { containers } = useSession()
  const place = containers.find(({ id }) => id === star.containerId)
  if (!place) return null
  const icon = <Star className="ic starred" />
  if (star.entity === 'Container') return <ContainerLink containerKey={place.key} name={star.name} icon={icon} />
  const search = star.entity === 'Board' ? { view: 'board' as const, board: star.id } : { filter: star.id }
  return (
    <Link to="/container/$key" params={{ key: place.key }} search={search} className="nav">
      {icon}
      <span className="cut">
        <bdi>{star.name}</bdi>
      </span>
    </Link>
  )
}
